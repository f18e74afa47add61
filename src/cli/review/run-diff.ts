import type { AnswerFlags } from '../answer/print-answer.ts';
import { printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { shownPath } from '../render/package-style.ts';
import { progress } from '../render/progress.ts';
import { type ConfigFlags, resolveConfig } from '../render/render-config.ts';
import { textStyle } from '../style.ts';
import { type LoadedSide, loadSide, rememberingReader, type SideOptions } from './load-side.ts';
import { reviewSides, type SideToPlan } from './plan-sides.ts';
import { type DiffWords, readWords } from './read-words.ts';
import { reviewAnswer } from './review-answer.ts';
import type { ReviewTextOptions } from './review-text.ts';
import { selectChanges } from './select-changes.ts';

export interface DiffFlags extends DiffWords, ConfigFlags, AnswerFlags, SharedFlags {
  readonly platform?: string;
  /** globs of `namespace/name`; none is all */
  readonly tenants: readonly string[];
  readonly mode: ReviewTextOptions['mode'];
  /** whether a difference is exit code 1 */
  readonly exitCode: boolean;
}

/** What changes on the host between two versions of a package. @returns the exit code */
export async function runDiff(flags: DiffFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  const comparison = readWords(flags);
  const options: SideOptions = {
    root: comparison.root,
    ...(flags.platform !== undefined && { platform: flags.platform }),
    read: rememberingReader(),
    io,
  };
  try {
    talk.say('reading');
    const before = await toPlan(await loadSide(comparison.before, options), flags);
    const after = await toPlan(await loadSide(comparison.after, options), flags);
    talk.say('planning both sides');
    const { review } = await reviewSides({ before, after });
    const told = selectChanges(review, flags.tenants);
    const style = textStyle(io, flags, { hostPrefix: '', sourcePath: (path) => shownPath(io.cwd, `${after.loaded.root}/${path}`) });
    talk.clear();
    printAnswer(reviewAnswer(told, { kind: 'DiffReport', mode: flags.mode }), flags, style, io);
    const differs = told.changes.length > 0 || told.refusals.length > 0 || told.isolation.length > 0 || told.stopped !== undefined;
    return differs && flags.exitCode ? EXIT.findings : EXIT.done;
  } finally {
    talk.clear();
  }
}

export async function toPlan(side: LoadedSide, flags: ConfigFlags): Promise<SideToPlan> {
  const { render } = await resolveConfig(flags, side.loaded.texts);
  return { ...side, config: render };
}
