/**
 * `.krmignore`: files of a package that no function sees. Patterns as in .gitignore, relative to the folder that holds the
 * file: `#` comments, `!` takes back, `/` anchors, a trailing `/` means folders, `*`, `?` and `**`.
 *
 * A tenant may write one too, so patterns are matched step by step and never as a regular expression, which a few asterisks
 * would keep busy for ever.
 */
export interface IgnoreRule {
  /** steps of the pattern, from the root of the package; `**` stands for any number of steps */
  readonly steps: readonly string[];
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
  const steps = path.split('/');
  for (const rule of rules) if ((isFolder || !rule.foldersOnly) && matchesSteps(rule.steps, steps)) ignored = !rule.takesBack;
  return ignored;
}

function ruleOf(line: string, folder: string): IgnoreRule {
  const takesBack = line.startsWith('!');
  let pattern = takesBack ? line.slice(1) : line;
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  const prefix = folder === '' ? [] : folder.split('/');
  return { steps: [...prefix, ...(anchored ? [] : [ANY]), ...pattern.split('/')], foldersOnly, takesBack };
}

const ANY = '**';

/** `reached[j]`: the pattern so far can end after j steps of the path. Takes pattern times path, whatever they hold. */
function matchesSteps(pattern: readonly string[], path: readonly string[]): boolean {
  let reached: boolean[] = [true, ...path.map(() => false)];
  for (const [index, step] of pattern.entries()) {
    const next: boolean[] = path.map(() => false);
    next.unshift(false);
    if (step === ANY) {
      // at the end it means what lies in the folder, not the folder itself
      const least = index === pattern.length - 1 ? 1 : 0;
      let open = false;
      for (let end = 0; end <= path.length; end += 1) {
        if (least === 0) open ||= reached[end] === true;
        next[end] = open;
        if (least === 1) open ||= reached[end] === true;
      }
    } else {
      for (const [at, name] of path.entries()) next[at + 1] = reached[at] === true && matchesName(step, name);
    }
    reached = next;
  }
  return reached[path.length] === true;
}

/** `*` and `?` in one step: on a mismatch only the last `*` takes one character more. */
function matchesName(pattern: string, name: string): boolean {
  let [at, here, star, mark] = [0, 0, -1, 0];
  while (here < name.length) {
    if (pattern[at] === '*') {
      star = at;
      at += 1;
      mark = here;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[here])) {
      at += 1;
      here += 1;
    } else if (star >= 0) {
      at = star + 1;
      mark += 1;
      here = mark;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
