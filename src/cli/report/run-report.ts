import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { visible } from '../../report/escape.ts';
import { reportModel } from '../../report/html/model.ts';
import { reportPage } from '../../report/html/page.ts';
import { EXIT, systemWords, TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { atlasOf } from '../reach/atlas.ts';
import { matrixAnswer } from '../reach/matrix-answer.ts';
import { shownPath } from '../render/package-style.ts';
import { type PlanFlags, planPackage } from '../render/plan-package.ts';
import { progress } from '../render/progress.ts';
import { planChange } from './plan-change.ts';

export interface ReportFlags extends PlanFlags, SharedFlags {
  /** absolute path of the file; standard output where undefined */
  readonly out?: string;
  /** `A..B`: what changed from A to B is told as well, and the package is B's */
  readonly range?: string;
  /** what is said of when and by whom; a report of the same input has the same bytes without it */
  readonly stamp?: string;
}

/** Of so many tenants it is told which workload reaches which; of more, which tenant does. */
const WORKLOADS_OF = 3;

/** Plans a package and writes the report of it. @returns the exit code */
export async function runReport(flags: ReportFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  let page: string;
  try {
    const planned =
      flags.range === undefined ? await planPackage({ ...flags, fields: true, inputs: true }, io, talk) : await planChange(flags, io, talk);
    const { loaded, plan } = planned;
    const review = 'review' in planned ? planned.review : undefined;
    talk.say('writing the report');
    const reach = matrixAnswer(atlasOf(planned), { tenants: plan.tenants.length > WORKLOADS_OF }).tables;
    page = reportPage(
      reportModel(basename(flags.root), plan, loaded.inputs, {
        reach,
        ...(review !== undefined && { review }),
        ...(flags.stamp !== undefined && { stamp: flags.stamp }),
      }),
    );
  } finally {
    talk.clear();
  }
  if (flags.out === undefined) {
    io.stdout.write(page);
    return EXIT.done;
  }
  try {
    writeFileSync(flags.out, page);
  } catch (error) {
    throw new TenantplaneError('write-failed', `Cannot write the report ${flags.out}: ${systemWords(error)}.`, {
      hint: 'Name a file in a folder that exists and can be written.',
      cause: error,
    });
  }
  if (flags.quiet !== true) io.stderr.write(`${visible(`wrote ${shownPath(io.cwd, flags.out)}`)}\n`);
  return EXIT.done;
}
