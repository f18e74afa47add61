import { Schema, Type } from 'js-yaml';
import { type OddLiteral, resolveScalar, type Scalar } from './scalar.ts';

/**
 * A js-yaml schema that reads scalars as kubectl does. One implicit type resolves every plain scalar by its first character,
 * which is also what makes it faster than js-yaml's own list of types.
 */
const CORE = 'tag:yaml.org,2002:';

let resolved: Scalar = null;
let odd: OddLiteral[] = [];

/** The odd literals since the last call. js-yaml gives a type no position, so the reader looks for the literal in the text. */
export function takeOddLiterals(): readonly OddLiteral[] {
  const taken = odd;
  if (taken.length > 0) odd = [];
  return taken;
}

const plain = new Type(`${CORE}plain`, {
  kind: 'scalar',
  resolve: (text: string) => {
    resolved = resolveScalar(text, odd);
    return typeof resolved !== 'string';
  },
  construct: () => resolved,
});

/** `!!int "12"`: the text must resolve to the type that the tag names, as go-yaml insists. */
function explicit(tag: string, fits: (value: Scalar) => boolean): Type {
  return new Type(`${CORE}${tag}`, {
    kind: 'scalar',
    resolve: (text: string | null) => {
      resolved = resolveScalar(text ?? '', odd);
      return fits(resolved);
    },
    construct: () => resolved,
  });
}

const isInteger = (value: Scalar): boolean => typeof value === 'bigint' || Number.isInteger(value);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function binaryText(text: string | null): string | undefined {
  const digits = (text ?? '').replace(/[\r\n]/g, '');
  if (!BASE64.test(digits)) return undefined;
  try {
    return UTF8.decode(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
  } catch {
    // bytes that are no text: kubectl would put U+FFFD in their place, we refuse
    return undefined;
  }
}

export const KUBERNETES_SCHEMA: Schema = new Schema({
  implicit: [plain, new Type(`${CORE}merge`, { kind: 'scalar', resolve: (text: string | null) => text === '<<' })],
  explicit: [
    new Type(`${CORE}str`, { kind: 'scalar', construct: (text: string | null) => text ?? '' }),
    new Type(`${CORE}seq`, { kind: 'sequence', construct: (value: unknown[] | null) => value ?? [] }),
    new Type(`${CORE}map`, { kind: 'mapping', construct: (value: object | null) => value ?? {} }),
    explicit('null', (value) => value === null),
    explicit('bool', (value) => typeof value === 'boolean'),
    explicit('int', isInteger),
    explicit('float', (value) => typeof value === 'number'),
    new Type(`${CORE}binary`, {
      kind: 'scalar',
      resolve: (text: string | null) => binaryText(text) !== undefined,
      construct: (text: string | null) => binaryText(text) ?? '',
    }),
  ],
});
