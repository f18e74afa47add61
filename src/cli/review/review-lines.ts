import type { RefusalReason, Review } from '../../core/review/review.ts';
import type { Sides } from '../../core/review/sides.ts';
import { locate } from '../../krm/yaml/locate.ts';
import type { LoadedPackage } from '../render/load-package.ts';

/** Most places of a sort that are looked up: each means parsing its file with positions. */
const MOST = 200;

/** Edits with the line of their first changed field, and what is refused with the line of what is wrong; the objects’ own lines are known. */
export async function withLines(review: Review, { before, after }: Sides<LoadedPackage>): Promise<Review> {
  const causes = finder(after);
  const reasons = finder(after);
  const gone = finder(before);
  const placed = async <T extends RefusalReason>(item: T, file: string | undefined, document = 0, find = reasons): Promise<T> =>
    item.pointer === undefined || file === undefined ? item : { ...item, ...(await find(file, document, item.pointer)) };
  return {
    ...review,
    causes: await each(review.causes, async (cause) => {
      const [field] = cause.fields;
      if (cause.verb !== 'changed' || field === undefined) return cause;
      return { ...cause, ...(await causes(cause.file, cause.document, field.pointer)) };
    }),
    refusals: await each(review.refusals, async (row) => {
      const find = row.verb === 'added' ? reasons : gone;
      const also = await each(row.also, (reason) => placed(reason, row.file, row.document, find));
      return { ...(await placed(row, row.file, row.document, find)), also };
    }),
    outOfScope: await each(review.outOfScope, (row) => placed(row, row.file, row.document)),
    stops: await each(review.stops, (row) => placed(row, row.file, row.document)),
    warnings: await each(review.warnings, (row) => placed(row, row.file, row.document)),
  };
}

function finder({ texts }: LoadedPackage): (file: string, document: number, pointer: string) => Promise<{ readonly line?: number }> {
  let left = MOST;
  return async (file, document, pointer) => {
    const text = texts.get(file);
    if (text === undefined || left === 0) return {};
    left -= 1;
    const line = (await locate(text, document, pointer))?.line;
    return line === undefined ? {} : { line };
  };
}

async function each<T>(items: readonly T[], change: (item: T) => Promise<T>): Promise<T[]> {
  const changed: T[] = [];
  for (const item of items) changed.push(await change(item));
  return changed;
}
