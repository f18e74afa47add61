import { inflateRawSync } from 'node:zlib';
import { withOwnId } from '../../../src/report/html/words.ts';

/** Pages of objects that are packed, by id. */
export function packedPages(page: string): ReadonlyMap<string, string> {
  const payload = /id="packed">([^<]*)</.exec(page)?.[1];
  if (payload === undefined) return new Map();
  const pages: Record<string, string> = JSON.parse(inflateRawSync(Buffer.from(payload, 'base64')).toString('utf8'));
  return new Map(Object.entries(pages).map(([id, text]) => [id, withOwnId(text, id)]));
}

/** A page with its packed part taken out of its wrapping, as a browser shows it. */
export function unpacked(page: string): string {
  return [page, ...packedPages(page).values()].join('\n');
}
