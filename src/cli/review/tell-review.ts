import type { Review } from '../../core/review/review.ts';
import { visible } from '../../report/escape.ts';
import { withPaths } from '../../report/review-paths.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliIo, SharedFlags } from '../io.ts';
import { packageWords } from '../package/package-words.ts';
import { shownPath } from '../package/shown-path.ts';
import { fromRoot, onDisk } from '../render/on-disk.ts';
import { textStyle } from '../style.ts';
import { type Guards, refusedBy } from './guards.ts';
import { reviewAnswer } from './review-answer.ts';
import type { ReviewTextOptions } from './review-text.ts';
import { stopTexts } from './review-words.ts';
import { needTenants, selectChanges } from './select-changes.ts';

export interface ReviewFlags extends AnswerFlags, SharedFlags {
  /** globs of `namespace/name`; none is all */
  readonly tenants: readonly string[];
  /** absolute, of the platform's package */
  readonly platform?: string;
  readonly mode: ReviewTextOptions['mode'];
  /** whether a difference is exit code 1 */
  readonly exitCode: boolean;
  readonly guards: Guards;
}

export interface Told {
  readonly kind: 'DiffReport' | 'WhatIfReport';
  readonly review: Review;
  /** `namespace/name` of the tenants of both sides */
  readonly tenants: readonly string[];
  /** absolute, what paths of the review begin at */
  readonly root: string;
}

/** Prints a review and says how it ends. @returns the exit code */
export function tellReview({ kind, review, tenants, root }: Told, flags: ReviewFlags, io: CliIo): number {
  needTenants(flags.tenants, tenants, review);
  const told = withPaths(selectChanges(review, flags.tenants), (path) => fromRoot(path, { ...flags, root }));
  const style = textStyle(io, flags, {
    hostPrefix: '',
    packageWords: packageWords(io.cwd, { ...flags, root }),
    sourcePath: (path) => shownPath(io.cwd, onDisk(path, { ...flags, root }).file),
  });
  printAnswer(reviewAnswer(told, { kind, mode: flags.mode }), flags, style, io);
  const refused = refusedBy(told, flags.guards);
  for (const why of refused) io.stderr.write(`${visible(`refused: ${why}`)}\n`);
  if (refused.length > 0) return EXIT.guard;
  const differs = told.changes.length + told.refusals.length + told.isolation.length > 0 || stopTexts(told).length > 0;
  return differs && flags.exitCode ? EXIT.findings : EXIT.done;
}
