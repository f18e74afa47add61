import type { Plan } from '../../core/plan/plan-types.ts';
import { fileText } from '../../krm/printer.ts';
import type { TreeDifference } from '../tree/compare-tree.ts';

export interface TreeInMemory {
  /** absolute, where it lies or would lie */
  readonly root: string;
  readonly texts: ReadonlyMap<string, string>;
  /** everything that lies in it, what is no manifest or no file included */
  readonly paths: readonly string[];
}

/** How a tree that is not on the disk, such as a commit's, differs from what a plan gives. */
export function differenceInMemory({ shared, tenants, removed }: Plan, { root, texts, paths }: TreeInMemory): TreeDifference {
  const files = new Set(paths);
  const added: string[] = [];
  const changed: string[] = [];
  const contents = new Map<string, () => string>();
  let unchanged = 0;
  for (const file of [...shared, ...tenants.flatMap((tenant) => tenant.files)]) {
    const text = fileText(file);
    if (texts.get(file.path) === text) {
      unchanged += 1;
      continue;
    }
    (files.has(file.path) ? changed : added).push(file.path);
    contents.set(file.path, () => text);
  }
  return {
    tree: { root, exists: files.size > 0, files, folders: new Map() },
    added: added.sort(),
    changed: changed.sort(),
    removed: removed.filter((path) => files.has(path)).sort(),
    unchanged,
    contents,
  };
}
