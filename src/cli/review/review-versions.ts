import type { Review } from '../../core/review/review.ts';
import type { CliIo, SharedFlags } from '../io.ts';
import { needObjects } from '../package/need-objects.ts';
import { packageRoot } from '../package/package-root.ts';
import { type Progress, progress } from '../render/progress.ts';
import { type ConfigFlags, resolveConfig } from '../render/render-config.ts';
import { committedTree } from './committed-tree.ts';
import { type LoadedSide, loadSide, rememberingReader, type SideOptions } from './load-side.ts';
import { reviewSides, type SideToPlan } from './plan-sides.ts';
import { type DiffWords, readWords } from './read-words.ts';

export interface VersionFlags extends DiffWords, ConfigFlags {
  readonly platform?: string;
}

export interface ReviewedVersions {
  readonly review: Review;
  /** `namespace/name` of the tenants of both sides */
  readonly tenants: readonly string[];
  /** absolute, what paths of the review begin at */
  readonly root: string;
  /** the side after, as it was loaded */
  readonly after: SideToPlan;
}

/** Reviews the two versions that the words name, and says meanwhile what it does. */
export async function reviewVersions(flags: VersionFlags & SharedFlags, io: CliIo): Promise<ReviewedVersions> {
  const talk = progress(io, flags);
  try {
    return await readAndReview(flags, io, talk);
  } finally {
    talk.clear();
  }
}

/** Reads the two versions that the words name, plans both and reviews them. */
export async function readAndReview(flags: VersionFlags & SharedFlags, io: CliIo, talk: Progress): Promise<ReviewedVersions> {
  const comparison = readWords(flags, (typed) => packageRoot(typed, io, flags));
  const options: SideOptions = {
    root: comparison.root,
    ...(flags.platform !== undefined && { platform: flags.platform }),
    read: rememberingReader(),
    io,
  };
  talk.say('reading');
  const before = await toPlan(await loadSide(comparison.before, { ...options, mayLack: true }), flags);
  // of a folder that neither side has, the side after says so
  const mayLack = before.lacks === true ? {} : { mayLack: true as const };
  const after = await toPlan(await loadSide(comparison.after, { ...options, ...mayLack }), flags);
  needObjects(before.loaded, after.loaded);
  talk.say('planning both sides');
  const { review, tenants } = await reviewSides({ before, after });
  const committed = committedTree({ before, after });
  return { review: committed === undefined ? review : { ...review, committed }, tenants, root: after.loaded.root, after };
}

async function toPlan(side: LoadedSide, flags: ConfigFlags): Promise<SideToPlan> {
  const { render } = await resolveConfig(flags, side.loaded.texts);
  return { ...side, config: render };
}
