import { digest } from '../identity/digest.ts';
import type { TreeFolder } from './tree-folders.ts';

/**
 * The name of what applies a folder: `<prefix>-team-dev`, `<prefix>-team-dev.shard-03`. Appliers write it on objects as a label, so it
 * is no longer than one.
 *
 * Injective for a prefix: neither it nor a namespace holds a dot, so the dot divides tenant and part. A cut name ends in one and twelve
 * characters of a digest, which no part is (`isolation`, `shard-03`).
 */
export function applierName(prefix: string, path: string): string {
  const name = `${prefix}-${path.replaceAll('/', '.')}`;
  if (name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST - DIGEST_LENGTH - 1).replace(/[-.]+$/, '')}.${digest([name], DIGEST_LENGTH)}`;
}

const LONGEST = 63;
const DIGEST_LENGTH = 12;

/** Of an AppProject: never a label and so never cut, since the template of an ApplicationSet has to make the same name. */
export function projectName(prefix: string, { path }: Pick<TreeFolder, 'path'>): string {
  return `${prefix}-${path}`;
}
