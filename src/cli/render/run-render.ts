import { dirname, join, resolve } from 'node:path';
import { MADE_ANEW } from '../../core/plan/frozen-words.ts';
import { type Plan, writesBoundary } from '../../core/plan/plan-types.ts';
import { visible } from '../../report/escape.ts';
import { fails } from '../../report/issues.ts';
import { renderReport } from '../../report/render-report.ts';
import { findingLines, renderText, type TreeChanges } from '../../report/render-text.ts';
import { tenantId } from '../../report/tally.ts';
import { plural, type TextStyle } from '../../report/text.ts';
import type { ReportFile } from '../answer/answer-options.ts';
import { EXIT } from '../errors.ts';
import { type CliContext, type SharedFlags, writePieces } from '../io.ts';
import { shownPath } from '../package/shown-path.ts';
import type { TreeDifference } from '../tree/compare-tree.ts';
import { paceOf } from '../tree/tree-fs.ts';
import { recoverTree, wasInterrupted } from '../tree/work-folder.ts';
import { type Siblings, writeTree } from '../tree/write-tree.ts';
import { copiedFiles, differenceOf } from './difference-of.ts';
import { type LedgerOptions, ledgerChanges } from './ledgers.ts';
import { needFolder } from './load-package.ts';
import { manifestStream } from './manifest-stream.ts';
import { markSources } from './mark-sources.ts';
import { nextChanges, treeAfter } from './next-render.ts';
import { packageStyle, printPlaced, withFieldLines } from './package-style.ts';
import { type PlanFlags, type PlannedPackage, planPackage } from './plan-package.ts';
import { progress } from './progress.ts';
import { renderMemory } from './render-memory.ts';
import { sharedBehind } from './shared-behind.ts';
import { differenceText, staleText } from './stale-text.ts';
import { standingFiles } from './standing-files.ts';
import { foreignFindings, foreignInPlace, unaccounted } from './unaccounted.ts';

export type RenderOutput = 'dir' | 'stdout' | 'json';

export interface RenderFlags extends PlanFlags, SharedFlags {
  readonly output: RenderOutput;
  readonly check: boolean;
  readonly diff: boolean;
  readonly ledger: boolean;
  /** whether it may say what the last one said, where nothing changed since */
  readonly cache: boolean;
  /** what needs attention, in files of these formats */
  readonly report: readonly ReportFile[];
  /** the command that mends a stale tree, as it would be typed */
  readonly mend: string;
}

/** The name of a built file holds a digest of all that it imports; a run from source has no such name, and remembers nothing. */
const PROGRAM = /-[A-Z0-9]{8}\.mjs$/.test(import.meta.url) ? import.meta.url : undefined;

/** One render. @returns the exit code */
export async function runRender(flags: RenderFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  const treePath = flags.tree ?? resolve(flags.root, 'host');
  const writes = flags.output === 'dir' && !flags.check;
  const say = (text: string): void => {
    if (flags.quiet !== true) io.stderr.write(text);
  };
  needFolder(flags.root, 'package');
  if (writes) for (const told of recoverTree(treePath, io.now())) say(`note: ${told}\n`);
  else if (flags.output === 'dir' && wasInterrupted(treePath))
    say('note: a render of this tree was interrupted; the next one puts it right.\n');

  const memory = renderMemory(flags, io, PROGRAM, say);
  const before = memory?.recall();
  if (before !== undefined) {
    io.stdout.write(before.stdout);
    return before.exitCode;
  }
  try {
    const read = await planPackage({ ...flags, fields: flags.output === 'json' }, io, talk);
    talk.say('comparing');
    const difference = flags.output === 'stdout' || read.plan.stopped ? undefined : await differenceOf(read, io.signal);
    const ofTree = difference === undefined ? [] : [...sharedBehind(read), ...foreignFindings(read, difference)];
    const planned = { ...read, plan: { ...read.plan, findings: [...read.plan.findings, ...ofTree] } };
    const style = packageStyle(planned, io, flags);
    if (flags.report.length > 0) {
      const { printValidation } = await import('./print-validation.ts');
      await printValidation(planned, { output: 'text', report: flags.report }, style, io);
    }
    if (planned.plan.stopped) return await stop(planned, flags, context, style, talk.clear);

    if (difference === undefined) {
      talk.clear();
      writePieces(io.stdout, manifestStream(planned.plan, { standing: standingFiles(planned), prefix: style.hostPrefix }));
      say(await printPlaced(planned, style, (placed) => renderText(planned.plan, undefined, placed)));
      return exitCode(planned);
    }
    const { siblings, unmarked } = await besideTree(planned, flags);
    for (const place of unmarked) say(`note: ${visible(place)} cannot be marked as a source; write the annotation by hand.\n`);
    if (flags.check) {
      talk.clear();
      return await check(planned, difference, siblings, flags, context, style);
    }
    if (flags.output === 'json') {
      talk.clear();
      writePieces(io.stdout, renderReport(await withFieldLines(planned), difference));
      return exitCode(planned);
    }
    talk.say(`writing ${plural(difference.contents.size, 'file')}`);
    await writeTree(difference, siblings, paceOf(io.signal));
    talk.clear();
    const lasts = memory !== undefined && siblings.write.size === 0 && unmarked.length === 0;
    const next = lasts ? nextChanges(planned.plan, difference) : undefined;
    const told = next === undefined || next === difference ? [difference] : [difference, next];
    const copied = copiedFiles(planned).filter(([path]) => difference.contents.has(path)).length;
    const tell = (style: TextStyle): string[] =>
      told.map((changes) => renderText(planned.plan, changes, style) + summary(changes, siblings, copied));
    const [stdout = '', later = stdout] = flags.quiet === true ? [] : await printPlaced(planned, style, tell);
    io.stdout.write(stdout);
    const code = exitCode(planned);
    if (next !== undefined)
      memory?.keep(planned.loaded.files, treeAfter(planned.loaded.host, difference), { stdout: later, exitCode: code });
    return code;
  } finally {
    talk.clear();
  }
}

/** What a render writes beside the tree: ledgers, and sources that are marked as such. */
async function besideTree(planned: PlannedPackage, flags: RenderFlags): Promise<{ siblings: Siblings; unmarked: readonly string[] }> {
  const write = new Map<string, string>();
  const ledgers = flags.ledger ? ledgerChanges(planned.plan, dirname(planned.tree), ledgerOptions(planned)) : undefined;
  for (const [path, text] of ledgers?.write ?? []) write.set(path, text);
  const marked = planned.mark ? await markSources(planned.plan, planned.loaded.files) : undefined;
  for (const [path, text] of marked?.texts ?? []) write.set(join(planned.loaded.root, path), text);
  return { siblings: { write, remove: ledgers?.remove ?? [] }, unmarked: marked?.unmarked ?? [] };
}

/** A plan that must not be written says why, and nothing else. */
async function stop(
  planned: PlannedPackage,
  flags: RenderFlags,
  context: CliContext,
  style: TextStyle,
  clear: () => void,
): Promise<number> {
  clear();
  const { plan } = planned;
  if (flags.output === 'json') writePieces(context.io.stdout, renderReport(await withFieldLines(planned), undefined));
  const bare: Plan = { ...plan, tenants: [], shared: [], decisions: [] };
  context.io.stderr.write(await printPlaced(planned, style, (placed) => renderText(bare, undefined, placed)));
  const held = plan.findings.some((finding) => GUARDS.has(finding.reason));
  context.io.stderr.write(
    `nothing was written: ${held ? 'a guard stopped the render' : 'the platform’s own input has to be put right first'}\n`,
  );
  return held ? EXIT.guard : EXIT.usage;
}

const GUARDS: ReadonlySet<string> = new Set(['MassDeleteHeld', 'EmptyOutput', 'AdmissionHeld', 'ProfilePoliciesHeld']);

async function check(
  planned: PlannedPackage,
  difference: TreeDifference,
  siblings: Siblings,
  flags: RenderFlags,
  context: CliContext,
  style: TextStyle,
): Promise<number> {
  const { io } = context;
  const inPlace = foreignInPlace(planned);
  const unexplained = unaccounted(planned, difference).foreign.filter((path) => !inPlace.includes(path));
  const foreign = [
    ...inPlace.map((path) => ({ path, reason: 'HostObjectForeign' as const })),
    ...unexplained.map((path) => ({ path, reason: 'TreeFileForeign' as const })),
  ];
  const stale = staleText({ difference, siblings, foreign }, flags.mend, style, (path) => shownPath(io.cwd, path));
  if (flags.output === 'json') writePieces(io.stdout, renderReport(await withFieldLines(planned), difference));
  else if (flags.diff) writePieces(io.stdout, differenceText(difference, style));
  const code = exitCode(planned);
  if (code !== EXIT.done && flags.quiet !== true)
    io.stderr.write(await printPlaced(planned, style, (placed) => renderText(planned.plan, undefined, placed)));
  // with --diff, stdout is the diffs' alone
  if (flags.quiet !== true && flags.output !== 'json' && !flags.diff)
    for (const line of frozenLines(planned.plan)) io.stdout.write(`${line}\n`);
  if (stale !== '') {
    (flags.output === 'json' || flags.diff ? io.stderr : io.stdout).write(stale);
    return EXIT.integrity;
  }
  const behind = planned.plan.findings.filter(({ reason }) => reason === 'SharedFilesBehind');
  if (code === EXIT.done && behind.length > 0 && flags.quiet !== true && flags.output !== 'json')
    io.stderr.write(`${findingLines(behind, style).join('\n')}\n`);
  if (flags.quiet !== true && flags.output !== 'json')
    io.stdout.write(`${style.hostPrefix} is up to date (${plural(difference.unchanged, 'file')})\n`);
  return code;
}

/** Tenants whose files are compared with nothing: a tree that is up to date is not so because of them. */
function frozenLines({ tenants }: Plan): readonly string[] {
  return tenants
    .filter(({ frozen }) => frozen !== undefined)
    .map((tenant) =>
      visible(
        `frozen: tenant ${tenantId(tenant)}, whose ${writesBoundary(tenant) ? 'own objects' : 'files'} stay as they last were and ${MADE_ANEW}. Why: ${tenant.frozen}`,
      ),
    );
}

function summary({ added, changed, removed, unchanged }: TreeChanges, siblings: Siblings, copied: number): string {
  const parts = [
    `wrote ${plural(added.length + changed.length, 'file')}${copied === 0 ? '' : ` (${copied} of them copied from the package’s own tree, as they stay there)`}`,
    `removed ${removed.length}`,
    `unchanged ${unchanged}`,
  ];
  if (siblings.write.size > 0) parts.push(`${plural(siblings.write.size, 'file')} beside it`);
  return `${parts.join(', ')}\n`;
}

function exitCode(planned: PlannedPackage): number {
  return fails(planned.plan, planned.failOn) ? EXIT.findings : EXIT.done;
}

function ledgerOptions({ partial, loaded: { copies, root } }: PlannedPackage): LedgerOptions {
  return { complete: !partial, ...(copies && { begin: root }) };
}
