import type { Finding, Plan } from '../../core/plan/plan-types.ts';
import { locate } from '../../krm/yaml/locate.ts';
import type { TextStyle } from '../../report/text.ts';
import type { CliIo, SharedFlags } from '../io.ts';
import { packageWords } from '../package/package-words.ts';
import { shownPath } from '../package/shown-path.ts';
import { located, textStyle } from '../style.ts';
import { onDisk } from './on-disk.ts';
import type { PlannedPackage } from './plan-package.ts';

/** A style whose paths can be opened from where the command was called. */
export function packageStyle(planned: PlannedPackage, io: CliIo, flags: SharedFlags & { readonly platform?: string }): TextStyle {
  const { root } = planned.loaded;
  const tree = shownPath(io.cwd, planned.tree);
  const standing = (folder: string): number => {
    let count = 0;
    for (const path of planned.loaded.host.keys()) if (path.startsWith(`${folder}/`)) count += 1;
    return count;
  };
  return textStyle(io, flags, {
    standing,
    hostPrefix: tree === '.' ? '' : `${tree}/`,
    packageWords: packageWords(io.cwd, { ...flags, root }),
    sourcePath: (path) => shownPath(io.cwd, onDisk(path, { ...flags, root }).file),
  });
}

/** Prints with the line of each pointer, looked up in the files of the package. */
export async function printPlaced<T>(planned: PlannedPackage, style: TextStyle, print: (style: TextStyle) => T): Promise<T> {
  return located((find) => print({ ...style, locate: find }), placeFinder(planned));
}

export function placeFinder(planned: PlannedPackage): (path: string, document: number, pointer: string) => Promise<number | undefined> {
  return async (path, document, pointer) => {
    const text = planned.loaded.texts.get(path);
    return text === undefined ? undefined : (await locate(text, document, pointer))?.line;
  };
}

/** The plan with each finding at the line of the field that it is about, where it is about one. */
export async function withFieldLines(planned: PlannedPackage): Promise<Plan> {
  const find = placeFinder(planned);
  const findings: Finding[] = [];
  for (const finding of planned.plan.findings) {
    const { source, pointer } = finding;
    const line = pointer === undefined ? undefined : await find(source.path, source.document, pointer);
    findings.push(line === undefined ? finding : { ...finding, source: { ...source, line } });
  }
  return { ...planned.plan, findings };
}
