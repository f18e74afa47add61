import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { TextStyle } from '../../report/text.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliIo, SharedFlags } from '../io.ts';
import { packageStyle, shownPath } from '../render/package-style.ts';
import type { PlanFlags, PlannedPackage } from '../render/plan-package.ts';
import { differenceOf } from '../render/run-render.ts';
import { unaccounted } from '../render/unaccounted.ts';
import { gitState } from './git-state.ts';
import type { Evidence } from './verification.ts';

/** Everything that is compared, read and asked for once. */
export async function gatherEvidence(
  planned: PlannedPackage,
  flags: PlanFlags & SharedFlags & { readonly requireLedger: boolean },
  io: CliIo,
): Promise<{ readonly evidence: Evidence; readonly style: TextStyle }> {
  needPlan(planned);
  const style = packageStyle(planned, io, flags);
  const difference = await differenceOf(planned, io.signal);
  const { foreign, unproven } = unaccounted(planned, difference);
  const ledgers = ledgersBeside(dirname(planned.tree));
  const below = (path: string): string => relative(flags.root, path).split(sep).join('/');
  const read = [
    ...planned.loaded.files.map(({ path }) => path),
    ...[...difference.tree.files].map((path) => below(join(planned.tree, path))),
    ...[...ledgers.keys()].map((path) => below(join(dirname(planned.tree), path))),
  ];
  const evidence: Evidence = {
    plan: planned.plan,
    difference,
    foreign,
    unproven,
    hostPrefix: style.hostPrefix,
    packagePath: shownPath(io.cwd, flags.root),
    git: await gitState(
      flags.root,
      [...new Set(read)].filter((path) => !path.startsWith('../')),
      io.signal,
    ),
    outside: flags.platform !== undefined || read.some((path) => path.startsWith('../')),
    ledgers,
    requireLedger: flags.requireLedger,
  };
  return { evidence, style };
}

/** Sources that contradict themselves give no tree that could be compared. */
function needPlan({ plan }: PlannedPackage): void {
  if (!plan.stopped) return;
  const error = plan.findings.find(({ severity, tenant }) => severity === 'error' && tenant === undefined);
  const what = error === undefined ? 'the package is at odds with itself.' : `${error.source.path}: ${error.message}`;
  throw new TenantplaneError('input', `The sources give no tree that could be compared: ${what}`, {
    hint: error?.remedy ?? 'Run tenantplane validate.',
  });
}

/** Ledgers by their path relative to the folder that holds the tree. */
function ledgersBeside(folder: string): ReadonlyMap<string, string> {
  let names: readonly string[];
  try {
    names = readdirSync(join(folder, '.tenantplane')).sort();
  } catch {
    return new Map();
  }
  return new Map(
    names
      .filter((name) => name.endsWith('.ndjson'))
      .map((name) => [`.tenantplane/${name}`, readFileSync(join(folder, '.tenantplane', name), 'utf8')]),
  );
}
