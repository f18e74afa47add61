import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ignoreFiles } from '../../krm/package.ts';
import { ledgerPath } from '../../report/ledger.ts';
import type { TextStyle } from '../../report/text.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliIo, SharedFlags } from '../io.ts';
import { packageWords } from '../package/package-words.ts';
import { shownPath } from '../package/shown-path.ts';
import { differenceOf } from '../render/difference-of.ts';
import { PLATFORM } from '../render/load-package.ts';
import { packageStyle } from '../render/package-style.ts';
import type { PlanFlags, PlannedPackage } from '../render/plan-package.ts';
import { unaccounted } from '../render/unaccounted.ts';
import { gitState } from './git-state.ts';
import type { Evidence } from './verification.ts';

export type VerifyPlanFlags = PlanFlags & SharedFlags & { readonly requireLedger: boolean };

/** Everything that is compared, read and asked for once. */
export async function gatherEvidence(
  planned: PlannedPackage,
  flags: VerifyPlanFlags,
  io: CliIo,
): Promise<{ readonly evidence: Evidence; readonly style: TextStyle }> {
  needPlan(planned, packageWords(io.cwd, flags));
  const style = packageStyle(planned, io, flags);
  const difference = await differenceOf(planned, io.signal);
  const ledgers = ledgersBeside(dirname(planned.tree));
  const below = (path: string): string => relative(flags.root, path).split(sep).join('/');
  const read = [
    ...planned.loaded.files.map(({ path }) => path),
    // what they hide is missed in the plan and in the tree alike
    ...ignoreFiles(flags.root),
    ...[...difference.tree.files].map((path) => below(join(planned.tree, path))),
    ...[...ledgers.keys()].map((path) => below(join(dirname(planned.tree), path))),
  ];
  const git = await gitState(
    flags.root,
    [...new Set(read)].filter((path) => !path.startsWith('../')),
    io.signal,
  );
  const outside = read.some((path) => path.startsWith('../'));
  const evidence = await evidenceOf(planned, { difference, ledgers, git, outside }, flags, io);
  return { evidence, style };
}

/** What was compared, with what follows from the plan and from a platform on the disk. */
export async function evidenceOf(
  planned: PlannedPackage,
  found: Pick<Evidence, 'difference' | 'ledgers' | 'git' | 'outside' | 'platform'>,
  flags: VerifyPlanFlags,
  io: CliIo,
): Promise<Evidence> {
  const { foreign, unproven } = unaccounted(planned, found.difference);
  const chosen = new Set(planned.plan.tenants.map(ledgerPath));
  const platform = found.platform ?? (flags.platform === undefined ? undefined : await platformState(planned, flags.platform, io));
  return {
    ...found,
    plan: planned.plan,
    foreign,
    unproven,
    hostPrefix: packageStyle(planned, io, flags).hostPrefix,
    packagePath: shownPath(io.cwd, flags.root),
    ...(platform !== undefined && { platform }),
    ledgers: planned.partial ? new Map([...found.ledgers].filter(([path]) => chosen.has(path))) : found.ledgers,
    requireLedger: flags.requireLedger,
  };
}

/** The other package against the commit of its own repository. */
async function platformState(
  { loaded }: PlannedPackage,
  folder: string,
  { cwd, signal }: CliIo,
): Promise<NonNullable<Evidence['platform']>> {
  const paths = [...loaded.texts.keys()].flatMap((path) => (path.startsWith(PLATFORM) ? [path.slice(PLATFORM.length)] : []));
  const git = await gitState(folder, [...paths, ...ignoreFiles(folder)], signal);
  return { path: shownPath(cwd, folder), git: git.known ? git : { known: false, why: `of the platform: ${git.why}` } };
}

/** Sources that contradict themselves give no tree that could be compared. */
export function needPlan({ plan }: PlannedPackage, again: string): void {
  if (!plan.stopped) return;
  const error = plan.findings.find(({ severity, tenant }) => severity === 'error' && tenant === undefined);
  const what = error === undefined ? 'the package is at odds with itself.' : `${error.source.path}: ${error.message}`;
  throw new TenantplaneError('input', `The sources give no tree that could be compared: ${what}`, {
    hint: error?.remedy ?? `Run tenantplane validate${again}.`,
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
