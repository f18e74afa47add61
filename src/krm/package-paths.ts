import { type IgnoreRule, isIgnored, parseIgnore } from './ignore.ts';
import { READ, SKIPPED_FOLDERS } from './package.ts';

/**
 * The files of a package that is no folder on the disk, in the order in which a folder is read.
 * @param paths all of its files, relative to its root
 * @param ignoreText the text of a `.krmignore` among them
 */
export function packageFiles(paths: readonly string[], ignoreText: (path: string) => string): string[] {
  const rules = new Map<string, readonly IgnoreRule[]>();
  const ignores = new Set(paths.filter((path) => path === '.krmignore' || path.endsWith('/.krmignore')));
  const rulesOf = (folder: string): readonly IgnoreRule[] => {
    const known = rules.get(folder);
    if (known !== undefined) return known;
    const parent = folder === '' ? [] : rulesOf(folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '');
    const file = folder === '' ? '.krmignore' : `${folder}/.krmignore`;
    const made = ignores.has(file) ? [...parent, ...parseIgnore(ignoreText(file), folder)] : parent;
    rules.set(folder, made);
    return made;
  };
  const isRead = (path: string): boolean => {
    const steps = path.split('/');
    return steps.every((step, index) => {
      const folder = steps.slice(0, index).join('/');
      const here = steps.slice(0, index + 1).join('/');
      const isFolder = index < steps.length - 1;
      return !step.startsWith('.') && !SKIPPED_FOLDERS.has(step) && !isIgnored(rulesOf(folder), here, isFolder);
    });
  };
  return paths.filter((path) => READ.test(path) && isRead(path)).sort();
}
