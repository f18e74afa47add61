import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { JsonObject } from '../../core/kube/json.ts';
import { annotationsOf } from '../../core/kube/object.ts';
import { type IgnoreRule, isIgnored, parseIgnore } from '../../krm/ignore.ts';

/** Files by which an applier is told what of a repository it does not see: Flux's source-controller, and kpt. */
const IGNORE_FILES: Readonly<Record<string, string>> = { '.sourceignore': 'Flux', '.krmignore': 'kpt' };
/** An object that is written once may be taken out of kpt's hands (docs/delivery.md). */
const WRITTEN_ONCE = 'client.lifecycle.config.k8s.io/mutation';

/** What one sort of ignore file leaves out of the tree. */
export interface LeftOut {
  readonly name: string;
  readonly tool: string;
  /** files of the tree, relative to it */
  readonly files: readonly string[];
}

/**
 * @param top the repository's root, or the package's where there is no repository
 * @param tree the rendered tree's folder
 * @param files of the tree, by path relative to it
 */
export function leftOut(top: string, tree: string, files: ReadonlyMap<string, JsonObject>): readonly LeftOut[] {
  const below = relative(top, tree).split(sep).join('/');
  if (below.startsWith('..')) return [];
  return Object.entries(IGNORE_FILES).flatMap(([name, tool]) => {
    const rulesOf = rulesBelow(top, name);
    const hidden = [...files].filter(([path, object]) => {
      if (tool === 'kpt' && annotationsOf(object).get(WRITTEN_ONCE) === 'ignore') return false;
      return isHidden(rulesOf, below === '' ? path : `${below}/${path}`);
    });
    return hidden.length === 0 ? [] : [{ name, tool, files: hidden.map(([path]) => path) }];
  });
}

/** A file is left out with the folder that it lies in. */
function isHidden(rulesOf: (folder: string) => readonly IgnoreRule[], path: string): boolean {
  const steps = path.split('/');
  return steps.some((_, index) => {
    const folder = steps.slice(0, index).join('/');
    return isIgnored(rulesOf(folder), steps.slice(0, index + 1).join('/'), index < steps.length - 1);
  });
}

/** The rules that hold in a folder: its own behind those of the folders around it. */
function rulesBelow(top: string, name: string): (folder: string) => readonly IgnoreRule[] {
  const known = new Map<string, readonly IgnoreRule[]>();
  const rulesOf = (folder: string): readonly IgnoreRule[] => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const around = folder === '' ? [] : rulesOf(folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '');
    const file = join(top, folder, name);
    const rules = existsSync(file) ? [...around, ...parseIgnore(withoutClasses(readFileSync(file, 'utf8')), folder)] : around;
    known.set(folder, rules);
    return rules;
  };
  return rulesOf;
}

/** A class of characters counts as any one, so that rather too much is said to be left out; what a pattern takes back is not widened. */
function withoutClasses(text: string): string {
  return text.replace(/^(?!!).*$/gm, (line) => line.replace(/\[[^\]]+\]/g, '?').replace(/\\(.)/g, '$1'));
}
