import { type IgnoreRule, isIgnored, parseIgnore } from './ignore.ts';
import { READ, SKIPPED_FOLDERS } from './package.ts';
import { hiddenPart, isHidden } from './passed-over.ts';

/**
 * The files of a package that is no folder on the disk, in the order in which a folder is read.
 * @param paths all of its files, relative to its root
 * @param ignoreText the text of a `.krmignore` among them
 */
export function packageFiles(paths: readonly string[], ignoreText: (path: string) => string): string[] {
  const ignored = ignoredBy(paths, ignoreText);
  const isRead = (path: string): boolean => {
    const steps = path.split('/');
    return steps.every((step, index) => {
      const here = steps.slice(0, index + 1).join('/');
      return !isHidden(step) && !SKIPPED_FOLDERS.has(step) && !ignored(here, index < steps.length - 1);
    });
  };
  return paths.filter((path) => READ.test(path) && isRead(path)).sort();
}

/** What begins with a dot and holds manifests below an `objects/` folder, as a folder on the disk would tell it. */
export function hiddenPaths(paths: readonly string[], ignoreText: (path: string) => string): string[] {
  const ignored = ignoredBy(paths, ignoreText);
  const found = new Set<string>();
  for (const path of paths) {
    const part = READ.test(path) ? hiddenPart(path) : undefined;
    if (part !== undefined && !ignored(part, part !== path)) found.add(part);
  }
  return [...found].sort();
}

/** Whether the `.krmignore` files above a path leave it out. */
function ignoredBy(paths: readonly string[], ignoreText: (path: string) => string): (path: string, isFolder: boolean) => boolean {
  const rules = new Map<string, readonly IgnoreRule[]>();
  const ignores = new Set(paths.filter((path) => path === '.krmignore' || path.endsWith('/.krmignore')));
  const rulesOf = (folder: string): readonly IgnoreRule[] => {
    const known = rules.get(folder);
    if (known !== undefined) return known;
    const parent = folder === '' ? [] : rulesOf(folderOf(folder));
    const file = folder === '' ? '.krmignore' : `${folder}/.krmignore`;
    const made = ignores.has(file) ? [...parent, ...parseIgnore(ignoreText(file), folder)] : parent;
    rules.set(folder, made);
    return made;
  };
  return (path, isFolder) => isIgnored(rulesOf(folderOf(path)), path, isFolder);
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
