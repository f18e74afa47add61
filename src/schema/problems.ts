import type { Json } from './json.ts';

export type SchemaRule = 'UnknownField' | 'Type' | 'Enum' | 'Pattern' | 'Required' | 'Minimum' | 'Maximum' | 'Length' | 'Format' | 'Rule';

/** One thing that is wrong with a configuration object. */
export interface SchemaProblem {
  /** RFC 6901, from the root of the object */
  readonly pointer: string;
  readonly rule: SchemaRule;
  /** the value as JSON, cut to 80 characters */
  readonly found?: string;
  /** what is wrong, a full sentence that begins with the dotted path */
  readonly message: string;
  /** what to do, a full sentence */
  readonly remedy: string;
  /** the known field or value that was probably meant */
  readonly near?: string;
}

export type FieldPath = readonly (string | number)[];

export function pointerOf(path: FieldPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `spec.resources[0].kind`, `metadata.labels["a.b/c"]`; the root is `the object`. */
export function dottedPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(cut(step, 80))}]`;
  }
  return text === '' ? 'the object' : text;
}

/** A value as it is shown in a message. */
export function shown(value: Json): string {
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}` : item)) ?? 'null';
  return cut(text, 80);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 3)}...`;
}

/** Collects the problems of one object; a broken file of a million items gives no million of them. */
export interface ProblemList {
  readonly problems: SchemaProblem[];
  /** problems beyond the limit, counted only */
  dropped: number;
}
const LIMIT = 100;

export function report(list: ProblemList, path: FieldPath, problem: Omit<SchemaProblem, 'pointer'>): void {
  if (list.problems.length < LIMIT) list.problems.push({ pointer: pointerOf(path), ...problem });
  else list.dropped += 1;
}
