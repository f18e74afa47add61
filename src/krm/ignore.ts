/**
 * `.krmignore`: files of a package that no function sees. Patterns as in .gitignore, relative to the folder that holds the
 * file: `#` comments, `!` takes back, `/` anchors, a trailing `/` means folders, `*`, `?` and `**`.
 */
export interface IgnoreRule {
  readonly matches: RegExp;
  readonly foldersOnly: boolean;
  readonly takesBack: boolean;
}

/** @param folder of the `.krmignore`, relative to the package, `''` for its root */
export function parseIgnore(text: string, folder: string): IgnoreRule[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ruleOf(line, folder));
}

/** The last rule that matches decides. */
export function isIgnored(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  let ignored = false;
  for (const rule of rules) if ((isFolder || !rule.foldersOnly) && rule.matches.test(path)) ignored = !rule.takesBack;
  return ignored;
}

function ruleOf(line: string, folder: string): IgnoreRule {
  const takesBack = line.startsWith('!');
  let pattern = takesBack ? line.slice(1) : line;
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  const prefix = folder === '' ? '' : `${literal(folder)}/`;
  return { matches: new RegExp(`^${prefix}${anchored ? '' : '(?:.*/)?'}${globSource(pattern)}$`), foldersOnly, takesBack };
}

function globSource(pattern: string): string {
  return pattern
    .split(/(\*\*\/|\/\*\*|\*|\?)/)
    .map((part) => GLOB[part] ?? literal(part))
    .join('');
}

const GLOB: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '/**': '/.*', '*': '[^/]*', '?': '[^/]' };

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
