import { plan } from '../../core/plan/plan.ts';
import type { Plan } from '../../core/plan/plan-types.ts';
import type { Review } from '../../core/review/review.ts';
import { YAML_PRINTER } from '../../krm/printer.ts';
import type { CliIo } from '../io.ts';
import { type LoadedPackage, PLATFORM } from '../render/load-package.ts';
import type { PlanFlags } from '../render/plan-package.ts';
import type { Progress } from '../render/progress.ts';
import { selectTenants } from '../render/select-tenants.ts';
import { readAndReview } from '../review/review-versions.ts';

export interface PlannedChange {
  readonly loaded: LoadedPackage;
  readonly plan: Plan;
  readonly review: Review;
}

/** Reviews two versions of a package as `diff` does, and plans the second of them with all that a report tells. */
export async function planChange(flags: PlanFlags & { readonly range?: string }, io: CliIo, progress: Progress): Promise<PlannedChange> {
  const words = [flags.range ?? 'HEAD', flags.root];
  const { review, after } = await readAndReview({ ...flags, words, cwd: io.cwd }, io, progress);
  const whole = plan({
    inputs: after.loaded.inputs,
    unreadable: after.loaded.findings,
    config: after.config,
    foreign: ({ path }) => path.startsWith(PLATFORM),
    printer: YAML_PRINTER,
    keepFields: true,
  });
  return { loaded: after.loaded, plan: selectTenants(whole, flags.tenants), review };
}
