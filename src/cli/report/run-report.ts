import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { visible } from '../../report/escape.ts';
import { reportFolder } from '../../report/html/folder.ts';
import { type ReportExtras, reportModel } from '../../report/html/model.ts';
import { reportPage } from '../../report/html/page.ts';
import { decisionsOf } from '../../report/tally.ts';
import { EXIT, systemWords, TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { shownPath } from '../package/shown-path.ts';
import { atlasOf } from '../reach/atlas.ts';
import { matrixAnswer } from '../reach/matrix-answer.ts';
import { type PlanFlags, planPackage } from '../render/plan-package.ts';
import { progress } from '../render/progress.ts';
import { checkFile, checkFolder } from './check-folder.ts';
import { planChange } from './plan-change.ts';
import { writeFolder } from './write-folder.ts';

export interface ReportFlags extends PlanFlags, SharedFlags {
  /** where to; standard output where undefined */
  readonly out?: { readonly kind: 'file' | 'folder'; readonly path: string };
  /** `A..B`: what changed from A to B is told as well, and the package is B's */
  readonly range?: string;
  /** what is said of when and by whom; a report of the same input has the same bytes without it */
  readonly stamp?: string;
}

/** Of so many tenants it is told which workload reaches which; of more, which tenant does. */
const WORKLOADS_OF = 3;
/** Objects that one file tells of: beyond, a browser takes seconds to open it, and nobody reads it. */
const MOST_IN_A_FILE = 20_000;

/** Plans a package and writes the report of it. @returns the exit code */
export async function runReport(flags: ReportFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  const { out } = flags;
  const check = out?.kind === 'folder' ? checkFolder : checkFile;
  if (out !== undefined) check(out.path, shownPath(io.cwd, out.path), { ...flags, cwd: io.cwd });
  let page = '';
  let said = '';
  try {
    const planned =
      flags.range === undefined ? await planPackage({ ...flags, fields: true, inputs: true }, io, talk) : await planChange(flags, io, talk);
    const { loaded, plan } = planned;
    const count = decisionsOf(plan).length;
    if (out?.kind !== 'folder' && count > MOST_IN_A_FILE) throw tooMany(count);
    talk.say('writing the report');
    const extras: ReportExtras = {
      reach: matrixAnswer(atlasOf(planned), { tenants: plan.tenants.length > WORKLOADS_OF }).tables,
      ...('review' in planned && { review: planned.review }),
      ...(flags.stamp !== undefined && { stamp: flags.stamp }),
    };
    const title = basename(flags.root);
    if (out?.kind === 'folder') {
      const model = reportModel(title, plan, loaded.inputs, { ...extras, apart: true });
      const shown = shownPath(io.cwd, out.path);
      said = `wrote ${writeFolder(out.path, shown, reportFolder(model, plan))} pages: ${shown}/index.html`;
    } else page = reportPage(reportModel(title, plan, loaded.inputs, extras));
  } finally {
    talk.clear();
  }
  if (out === undefined) {
    io.stdout.write(page);
    return EXIT.done;
  }
  if (out.kind === 'file') {
    said = `wrote ${shownPath(io.cwd, out.path)}`;
    writePage(out.path, page);
  }
  if (flags.quiet !== true) io.stderr.write(`${visible(said)}\n`);
  return EXIT.done;
}

function tooMany(count: number): TenantplaneError {
  const [objects, most] = [count, MOST_IN_A_FILE].map((number) => number.toLocaleString('en-US'));
  return new TenantplaneError('usage', `The report would tell of ${objects} objects; one file holds ${most} at most.`, {
    hint: 'Write a folder with a page for each tenant: --output-dir DIR. Or report on some tenants: --tenant NAME.',
  });
}

function writePage(path: string, page: string): void {
  try {
    writeFileSync(path, page);
  } catch (error) {
    throw new TenantplaneError('write-failed', `Cannot write the report ${path}: ${systemWords(error)}.`, {
      hint: 'Name a file in a folder that exists and can be written.',
      cause: error,
    });
  }
}
