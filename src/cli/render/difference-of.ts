import { fileText } from '../../krm/printer.ts';
import { compareTree, type TreeDifference, type WantedFile } from '../tree/compare-tree.ts';
import { paceOf } from '../tree/tree-fs.ts';
import type { PlannedPackage } from './plan-package.ts';
import { standingFiles } from './standing-files.ts';

/** How the tree on the disk differs from what the plan gives. */
export async function differenceOf(planned: PlannedPackage, signal: AbortSignal): Promise<TreeDifference> {
  const { plan, loaded } = planned;
  const files = [...plan.shared, ...plan.tenants.flatMap((tenant) => tenant.files)];
  const wanted: WantedFile[] = files.map((file) => {
    const text = fileText(file);
    return { path: file.path, text: () => text, same: !loaded.copies && loaded.host.get(file.path) === text };
  });
  for (const [path, text] of copiedFiles(planned)) wanted.push({ path, text: () => text });
  return compareTree(planned.tree, wanted, plan.removed, paceOf(signal));
}

/** What a tree that is begun takes over from the package's own. */
export function copiedFiles(planned: PlannedPackage): readonly (readonly [path: string, text: string])[] {
  return planned.loaded.copies ? [...standingFiles(planned)] : [];
}
