import { join } from 'node:path';
import { readTreeFile, type ScannedTree, scanTree } from './scan-tree.ts';
import { DISK, type Pace, type TreeFs } from './tree-fs.ts';
import { checkDistinct, checkTreePath } from './tree-path.ts';

/** A file as it shall be. Its text is made when it is compared, so that a big tree is never in memory twice. */
export interface WantedFile {
  /** relative to the tree, with `/` */
  readonly path: string;
  readonly text: () => string;
  /** known to be on the disk as it shall be */
  readonly same?: boolean;
}

/** How the tree on the disk differs from the wanted one. Lists are sorted. */
export interface TreeDifference {
  readonly tree: ScannedTree;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** text of each added and changed file */
  readonly contents: ReadonlyMap<string, () => string>;
}

/**
 * Compares bytes; writes nothing. Files that are neither wanted nor in `remove` belong to others and stay.
 * @param remove files that are ours to take out, relative to the tree
 */
export async function compareTree(
  root: string,
  wanted: readonly WantedFile[],
  remove: readonly string[],
  pace: Pace,
  fs: TreeFs = DISK,
): Promise<TreeDifference> {
  const tree = scanTree(root, fs);
  const names = new Set<string>();
  for (const file of wanted) {
    checkTreePath(file.path);
    names.add(file.path);
  }
  const removed = remove.filter((path) => tree.files.has(path) && !names.has(path)).sort();
  const gone = new Set(removed);
  const kept = [...tree.files].filter((path) => !gone.has(path) && !names.has(path));
  const paths = [...kept, ...wanted.map((file) => file.path)];
  checkDistinct(paths, (path) => join(root, path));

  const added: string[] = [];
  const changed: string[] = [];
  const contents = new Map<string, () => string>();
  let unchanged = 0;
  for (const file of wanted) {
    await pace.step();
    if (file.same === true && tree.files.has(file.path)) {
      unchanged += 1;
      continue;
    }
    if (!tree.files.has(file.path)) added.push(file.path);
    else if (!readTreeFile(join(root, file.path), fs).equals(Buffer.from(file.text()))) changed.push(file.path);
    else {
      unchanged += 1;
      continue;
    }
    contents.set(file.path, file.text);
  }
  return { tree, added: added.sort(), changed: changed.sort(), removed, unchanged, contents };
}

export function differs(difference: TreeDifference): boolean {
  return difference.contents.size > 0 || difference.removed.length > 0;
}
