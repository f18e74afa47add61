import type { Review } from '../core/review/review.ts';

/** A review whose paths of the package are told otherwise: as a pull request shows them, or as they lie on the disk. */
export function withPaths(review: Review, pathOf: (path: string) => string): Review {
  const placed = <T extends { readonly file?: string }>(row: T): T => (row.file === undefined ? row : { ...row, file: pathOf(row.file) });
  const { committed } = review;
  return {
    ...review,
    causes: review.causes.map((cause) => (cause.file === '' ? cause : { ...cause, file: pathOf(cause.file) })),
    refusals: review.refusals.map(placed),
    outOfScope: review.outOfScope.map(placed),
    stops: review.stops.map(placed),
    warnings: review.warnings.map(placed),
    ...(committed !== undefined && {
      committed: {
        ...committed,
        foreign: committed.foreign.map(pathOf),
        replaced: committed.replaced.map(pathOf),
        changed: committed.changed.map(pathOf),
        missing: committed.missing.map(pathOf),
        extra: committed.extra.map(pathOf),
      },
    }),
  };
}
