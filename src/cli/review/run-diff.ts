import type { CliContext } from '../io.ts';
import { progress } from '../render/progress.ts';
import { type ConfigFlags, resolveConfig } from '../render/render-config.ts';
import { type LoadedSide, loadSide, rememberingReader, type SideOptions } from './load-side.ts';
import { reviewSides, type SideToPlan } from './plan-sides.ts';
import { type DiffWords, readWords } from './read-words.ts';
import { type ReviewFlags, tellReview } from './tell-review.ts';

export interface DiffFlags extends DiffWords, ConfigFlags, ReviewFlags {
  readonly platform?: string;
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
    talk.clear();
    return tellReview(review, 'DiffReport', after.loaded.root, flags, io);
  } finally {
    talk.clear();
  }
}

async function toPlan(side: LoadedSide, flags: ConfigFlags): Promise<SideToPlan> {
  const { render } = await resolveConfig(flags, side.loaded.texts);
  return { ...side, config: render };
}
