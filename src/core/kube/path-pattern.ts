import { isObject, type Json, own, type Path } from './json.ts';

/** A path with wildcards, compiled once: `spec.items[*].secretRef.name`. */
export interface PathPattern {
  readonly text: string;
  /** calls `each` for every value that the pattern reaches, in document order; what is missing or of another shape is passed over */
  visit(root: Json, each: (path: Path, value: Json) => void): void;
}

/** A map key, a list index, or every item of a list. */
type PatternStep = { readonly key: string } | { readonly index: number } | 'every';

/**
 * Compiles the path syntax of SyncPolicy entries: keys joined by dots, `[*]` for every item of a list, `[3]` for one,
 * `["a.b/c"]` for a key that is no plain word.
 * @returns undefined where the text is no such path.
 */
export function compilePattern(text: string): PathPattern | undefined {
  const steps = parseSteps(text);
  if (steps === undefined) return undefined;
  return {
    text,
    visit(root, each) {
      walk(root, steps, 0, [], each);
    },
  };
}

const STEP = /\.?([A-Za-z_$][\w$-]*)|\[(\*|0|[1-9]\d{0,8})\]|\[("(?:[^"\\]|\\.)*")\]/y;

function parseSteps(text: string): readonly PatternStep[] | undefined {
  if (text === '' || text.startsWith('.')) return undefined;
  const steps: PatternStep[] = [];
  const scanner = new RegExp(STEP);
  while (scanner.lastIndex < text.length) {
    const start = scanner.lastIndex;
    const match = scanner.exec(text);
    if (match === null) return undefined;
    const [whole, key, index, quoted] = match;
    if (key !== undefined) {
      if (start > 0 && !whole.startsWith('.')) return undefined;
      steps.push({ key });
    } else if (index !== undefined) {
      steps.push(index === '*' ? 'every' : { index: Number(index) });
    } else if (quoted !== undefined) {
      const unquoted = unquote(quoted);
      if (unquoted === undefined) return undefined;
      steps.push({ key: unquoted });
    }
  }
  return steps;
}

function unquote(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function walk(
  value: Json,
  steps: readonly PatternStep[],
  depth: number,
  path: readonly (string | number)[],
  each: (path: Path, value: Json) => void,
): void {
  const step = steps[depth];
  if (step === undefined) {
    each(path, value);
  } else if (step === 'every') {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, steps, depth + 1, [...path, index], each);
  } else if ('key' in step) {
    const next = isObject(value) ? own(value, step.key) : undefined;
    if (next !== undefined) walk(next, steps, depth + 1, [...path, step.key], each);
  } else {
    const next = Array.isArray(value) ? value[step.index] : undefined;
    if (next !== undefined) walk(next, steps, depth + 1, [...path, step.index], each);
  }
}
