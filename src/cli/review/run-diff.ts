import type { CliContext } from '../io.ts';
import { reviewVersions, type VersionFlags } from './review-versions.ts';
import { type ReviewFlags, tellReview } from './tell-review.ts';

export interface DiffFlags extends VersionFlags, ReviewFlags {}

/** What changes on the host between two versions of a package. @returns the exit code */
export async function runDiff(flags: DiffFlags, { io }: CliContext): Promise<number> {
  const versions = await reviewVersions(flags, io);
  return tellReview({ ...versions, kind: 'DiffReport' }, flags, io);
}
