import { plan } from '../../core/plan/plan.ts';
import type { Plan } from '../../core/plan/plan-types.ts';
import type { Review } from '../../core/review/review.ts';
import { YAML_PRINTER } from '../../krm/printer.ts';
import type { CliIo } from '../io.ts';
import { type LoadedPackage, PLATFORM } from '../render/load-package.ts';
import type { PlanFlags } from '../render/plan-package.ts';
import type { Progress } from '../render/progress.ts';
import { resolveConfig } from '../render/render-config.ts';
import { selectTenants } from '../render/select-tenants.ts';
import { type LoadedSide, loadSide, rememberingReader, type SideOptions } from '../review/load-side.ts';
import { reviewSides, type SideToPlan } from '../review/plan-sides.ts';
import { readWords } from '../review/read-words.ts';

export interface PlannedChange {
  readonly loaded: LoadedPackage;
  readonly plan: Plan;
  readonly review: Review;
}

/** Reviews two versions of a package as `diff` does, and plans the second of them with all that a report tells. */
export async function planChange(flags: PlanFlags & { readonly range?: string }, io: CliIo, progress: Progress): Promise<PlannedChange> {
  const comparison = readWords({ words: [flags.range ?? 'HEAD', flags.root], cwd: io.cwd });
  const options: SideOptions = {
    root: comparison.root,
    ...(flags.platform !== undefined && { platform: flags.platform }),
    read: rememberingReader(),
    io,
  };
  progress.say('reading');
  const before = await toPlan(await loadSide(comparison.before, options), flags);
  const after = await toPlan(await loadSide(comparison.after, options), flags);
  progress.say('planning both sides');
  const { review } = await reviewSides({ before, after });
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

async function toPlan(side: LoadedSide, flags: PlanFlags): Promise<SideToPlan> {
  const { render } = await resolveConfig(flags, side.loaded.texts);
  return { ...side, config: render };
}
