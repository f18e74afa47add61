import type { Review } from '../../core/review/review.ts';
import type { CliIo, SharedFlags } from '../io.ts';
import { progress } from '../render/progress.ts';
import { type ConfigFlags, resolveConfig } from '../render/render-config.ts';
import { type LoadedSide, loadSide, rememberingReader, type SideOptions } from './load-side.ts';
import { reviewSides, type SideToPlan } from './plan-sides.ts';
import { type DiffWords, readWords } from './read-words.ts';

export interface VersionFlags extends DiffWords, ConfigFlags, SharedFlags {
  readonly platform?: string;
}

export interface ReviewedVersions {
  readonly review: Review;
  /** absolute, what paths of the review begin at */
  readonly root: string;
}

/** Reads the two versions that the words name, plans both and reviews them. */
export async function reviewVersions(flags: VersionFlags, io: CliIo): Promise<ReviewedVersions> {
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
    return { review, root: after.loaded.root };
  } finally {
    talk.clear();
  }
}

async function toPlan(side: LoadedSide, flags: ConfigFlags): Promise<SideToPlan> {
  const { render } = await resolveConfig(flags, side.loaded.texts);
  return { ...side, config: render };
}
