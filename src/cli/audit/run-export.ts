import { shellWord } from '../../core/decision/shell-word.ts';
import { formatAnswer } from '../../report/answer/formats.ts';
import { visible } from '../../report/escape.ts';
import { plural } from '../../report/text.ts';
import { toolsFor } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { packageWords } from '../package/package-words.ts';
import { shownPath } from '../package/shown-path.ts';
import { needFolder } from '../render/load-package.ts';
import { type PlanFlags, planPackage } from '../render/plan-package.ts';
import { progress } from '../render/progress.ts';
import { writeBundle } from './bundle.ts';
import { bundleFiles } from './bundle-files.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { needEmpty, needOutside } from './out-folder.ts';
import { verify } from './verification.ts';
import { verifyAnswer } from './verify-answer.ts';

export interface ExportFlags extends PlanFlags, SharedFlags {
  /** absolute */
  readonly out: string;
}

/** What `audit verify` has to be told to look at the same. */
function verifyWords(flags: ExportFlags, cwd: string): string {
  const tree = flags.tree === undefined ? '' : ` --tree ${shellWord(shownPath(cwd, flags.tree))}`;
  return `${packageWords(cwd, flags)}${tree}`;
}

/** Writes the evidence of a package as plain files. What holds a Secret is left out and named. @returns 0, or 4 as `audit verify` */
export async function runExport(flags: ExportFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  needFolder(flags.root, 'package');
  const shown = shownPath(io.cwd, flags.out);
  needOutside(flags.root, flags.out, shown);
  needEmpty(flags.out, shown);
  try {
    const planned = await planPackage({ ...flags, fields: true }, io, talk);
    talk.say('comparing');
    const { evidence, style } = await gatherEvidence(planned, { ...flags, requireLedger: false }, io);
    const checks = verify(evidence);
    const failed = checks.filter(({ result }) => result === 'failed').length;
    const report = formatAnswer(verifyAnswer(checks, evidence), 'json', toolsFor(style, io));
    const { files, leftOut } = bundleFiles(planned, evidence, report, failed);
    talk.say(`writing ${plural(files.size, 'file')}`);
    writeBundle(flags.out, files);
    talk.clear();
    if (flags.quiet !== true) {
      const again = verifyWords(flags, io.cwd);
      io.stdout.write(`wrote ${visible(shown)}: ${plural(files.size + 1, 'file')}, ${leftOut.length} left out (LEFT-OUT.txt)\n`);
      if (failed > 0)
        io.stderr.write(
          `${visible(`note: ${plural(failed, 'check')} failed, as audit.json says; tenantplane audit verify${again} lists them.`)}\n`,
        );
    }
    return failed > 0 ? EXIT.integrity : EXIT.done;
  } finally {
    talk.clear();
  }
}
