/**
 * What kubectl reads from a plain scalar: the rules of sigs.k8s.io/yaml, which is go-yaml v2 (YAML 1.1 words, `0` octals,
 * underscores in numbers) without sexagesimal numbers and with timestamps left as strings.
 */
export type Scalar = null | boolean | number | bigint | string;

/** A literal that has a value nobody can rely on; the reader turns it into a finding. */
export interface OddLiteral {
  readonly literal: string;
  /** `infinite`: kubectl refuses it, JSON has no such number. `beyond-int64`: the API server keeps about 16 digits. */
  readonly problem: 'infinite' | 'beyond-int64';
}

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word): [string, Scalar] => [word, true]),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word): [string, Scalar] => [word, false]),
  ...['', '~', 'null', 'Null', 'NULL'].map((word): [string, Scalar] => [word, null]),
]);
const INFINITE: ReadonlySet<string> = new Set(
  ['.inf', '.Inf', '.INF'].flatMap((word) => [word, `+${word}`, `-${word}`]).concat('.nan', '.NaN', '.NAN'),
);
const NUMBER_CHARACTERS = /^[-+.\w]+$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** go-yaml hands what follows `0b` to a parser that takes a sign of its own */
const SIGNED_BINARY = /^0b([-+])([01]+)$/;
/** begins with a dot: Go's own syntax of floats, with underscores between digits */
const DOT_FLOAT = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;

/** The value of a plain scalar. A literal worth a word is also pushed on `odd`. */
export function resolveScalar(text: string, odd: OddLiteral[]): Scalar {
  switch (text.charCodeAt(0)) {
    case 0x2b: // +
    case 0x2d: // -
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
    case 0x34:
    case 0x35:
    case 0x36:
    case 0x37:
    case 0x38:
    case 0x39:
      return numberOf(text, odd);
    case 0x2e: // .
      if (isInfinite(text, odd)) return text;
      return DOT_FLOAT.test(text) ? finite(text.replaceAll('_', ''), text) : text;
    case 0x59: // y Y n N t T f F o O ~
    case 0x79:
    case 0x4e:
    case 0x6e:
    case 0x54:
    case 0x74:
    case 0x46:
    case 0x66:
    case 0x4f:
    case 0x6f:
    case 0x7e:
      return wordOf(text);
    default:
      return text === '' ? null : text;
  }
}

function wordOf(text: string): Scalar {
  if (text.length > 5) return text;
  const word = WORDS.get(text);
  return word === undefined ? text : word;
}

function numberOf(text: string, odd: OddLiteral[]): Scalar {
  if (!NUMBER_CHARACTERS.test(text) || isInfinite(text, odd)) return text;
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  const integer = integerOf(plain);
  if (integer !== undefined) {
    if (integer > INT64_MAX) odd.push({ literal: text, problem: 'beyond-int64' });
    return fromBigInt(integer);
  }
  if (FLOAT.test(plain)) {
    if (/^[-+]?\d+$/.test(plain) && Math.abs(Number(plain)) >= 2 ** 63) odd.push({ literal: text, problem: 'beyond-int64' });
    return finite(plain, text);
  }
  const binary = SIGNED_BINARY.exec(plain);
  if (binary !== null) {
    const value = BigInt(`0b${binary[2]}`) * (binary[1] === '-' ? -1n : 1n);
    if (value >= INT64_MIN && value <= INT64_MAX) return fromBigInt(value);
  }
  return text;
}

function integerOf(plain: string): bigint | undefined {
  const match = INTEGER.exec(plain);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const digits = decimal ?? (hex !== undefined ? `0x${hex}` : binary !== undefined ? `0b${binary}` : `0o${octal}`);
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  // go-yaml tries int64, then uint64, which takes no sign; anything larger is a float or a string
  return value >= INT64_MIN && value <= (sign === '' ? UINT64_MAX : INT64_MAX) ? value : undefined;
}

function fromBigInt(value: bigint): Scalar {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** `1e1000` overflows, and Go then leaves the scalar a string. */
function finite(digits: string, text: string): Scalar {
  const value = Number(digits);
  return Number.isFinite(value) ? value : text;
}

function isInfinite(text: string, odd: OddLiteral[]): boolean {
  if (text.length > 5 || !INFINITE.has(text)) return false;
  odd.push({ literal: text, problem: 'infinite' });
  return true;
}
