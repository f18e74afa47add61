import { dirname, join } from 'node:path';
import { systemCode, writeFailure } from '../errors.ts';
import { differs, type TreeDifference } from './compare-tree.ts';
import { DISK, type Pace, type TreeFs } from './tree-fs.ts';
import { commonFolder, parentFolder } from './tree-path.ts';
import { makeWorkFolder, type WorkFolder } from './work-folder.ts';

/** Files that go with the tree but lie beside it (ledgers): replaced one by one, right after the swap. */
export interface Siblings {
  /** absolute path and text of each; only those that differ from the disk */
  readonly write: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

/**
 * Makes the tree what was compared, as a whole or not at all. The successor of the deepest folder that holds every change is
 * made in a work folder beside the tree (what is unchanged as hard links), then the two are swapped by rename. A crash or a
 * full disk before the swap leaves the old tree untouched; a crash between the two renames is put right by `recoverTree`.
 * Nothing is written where nothing differs. After a power cut, render again: bytes are compared, not times.
 */
export async function writeTree(difference: TreeDifference, siblings: Siblings, pace: Pace, fs: TreeFs = DISK): Promise<void> {
  if (!differs(difference) && siblings.write.size === 0 && siblings.remove.length === 0) return;
  const { root } = difference.tree;
  const at = placeOf(difference);
  let work: WorkFolder | undefined;
  let state = 'Nothing was changed.';
  try {
    fs.mkdirSync(dirname(root), { recursive: true });
    work = makeWorkFolder(root, at, fs);
    const staged = stageSiblings(siblings, work, fs);
    if (differs(difference)) {
      await stage(difference, at, work, pace, fs);
      swap(join(root, at), work, fs);
      state = 'The tree is written; only the files beside it are not.';
    }
    for (const [from, to] of staged) fs.renameSync(from, to);
    for (const path of siblings.remove) fs.rmSync(path, { force: true });
  } catch (error) {
    throw writeFailure(error, root, state);
  } finally {
    if (work !== undefined) discard(work, join(root, at), fs);
  }
}

/** The folder to swap: the deepest that holds every change, is there already and does not become empty. */
function placeOf(difference: TreeDifference): string {
  const { tree, contents, removed } = difference;
  let at = commonFolder([...contents.keys(), ...removed]);
  const gone = new Set(removed);
  const inside = (path: string): boolean => path.startsWith(`${at}/`);
  const remains = (): boolean => [...contents.keys()].some(inside) || [...tree.files].some((path) => inside(path) && !gone.has(path));
  while (at !== '' && (!tree.folders.has(at) || !remains())) at = parentFolder(at);
  return at;
}

async function stage(difference: TreeDifference, at: string, work: WorkFolder, pace: Pace, fs: TreeFs): Promise<void> {
  const { tree, contents, removed } = difference;
  const prefix = at === '' ? '' : `${at}/`;
  const made = new Set(['']);
  const target = (path: string): string => {
    const inner = path.slice(prefix.length);
    const folder = parentFolder(inner);
    if (!made.has(folder)) {
      fs.mkdirSync(join(work.next, folder), { recursive: true });
      for (let step = folder; !made.has(step); step = parentFolder(step)) made.add(step);
    }
    return join(work.next, inner);
  };
  const gone = new Set(removed);
  for (const path of tree.files) {
    if (!path.startsWith(prefix) || gone.has(path) || contents.has(path)) continue;
    await pace.step();
    linkOrCopy(join(tree.root, path), target(path), fs);
  }
  for (const [path, text] of contents) {
    await pace.step();
    fs.writeFileSync(target(path), text());
  }
  for (const folder of made) {
    const mode = tree.folders.get(folder === '' ? at : `${prefix}${folder}`);
    if (mode !== undefined) fs.chmodSync(join(work.next, folder), mode);
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EACCES', 'EINVAL']);

function linkOrCopy(from: string, to: string, fs: TreeFs): void {
  try {
    fs.linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error) ?? '')) throw error;
    fs.copyFileSync(from, to);
  }
}

function swap(place: string, work: WorkFolder, fs: TreeFs): void {
  const replaces = fs.existsSync(place);
  if (replaces) fs.renameSync(place, work.old);
  try {
    fs.renameSync(work.next, place);
  } catch (error) {
    if (replaces) fs.renameSync(work.old, place);
    throw error;
  }
}

function stageSiblings(siblings: Siblings, work: WorkFolder, fs: TreeFs): (readonly [string, string])[] {
  const staged: (readonly [string, string])[] = [];
  for (const [path, text] of siblings.write) {
    const temporary = join(work.path, `beside-${staged.length}`);
    fs.writeFileSync(temporary, text);
    fs.mkdirSync(dirname(path), { recursive: true });
    staged.push([temporary, path]);
  }
  return staged;
}

/** The work folder goes, unless it holds the only copy of what was swapped out; then the next render puts that back. */
function discard(work: WorkFolder, place: string, fs: TreeFs): void {
  try {
    if (fs.existsSync(work.old) && !fs.existsSync(place)) return;
    fs.rmSync(work.path, { recursive: true, force: true });
  } catch {
    // What is left behind is removed by the next render; the tree itself is whole.
  }
}
