import type { Json } from './json.ts';

/**
 * Kubernetes quantities, exactly: an amount is a bigint of nano-units (1n is 10^-9), the finest that Kubernetes keeps. What is
 * finer is rounded up, as apimachinery's `resource.ParseQuantity` does.
 */
export type Amount = bigint;

const NANO = 1_000_000_000n;
const SUFFIX: Readonly<Record<string, readonly [numerator: bigint, denominator: bigint]>> = {
  n: [1n, NANO],
  u: [1n, 1_000_000n],
  m: [1n, 1000n],
  '': [1n, 1n],
  k: [1000n, 1n],
  M: [1000n ** 2n, 1n],
  G: [1000n ** 3n, 1n],
  T: [1000n ** 4n, 1n],
  P: [1000n ** 5n, 1n],
  E: [1000n ** 6n, 1n],
  Ki: [1024n, 1n],
  Mi: [1024n ** 2n, 1n],
  Gi: [1024n ** 3n, 1n],
  Ti: [1024n ** 4n, 1n],
  Pi: [1024n ** 5n, 1n],
  Ei: [1024n ** 6n, 1n],
};
const SYNTAX = /^([+-]?)(\d{0,40})(?:\.(\d{0,40}))?(?:(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)|[eE]([+-]?\d{1,2}))?$/;

/**
 * The amount that a quantity says; undefined where it is none. A JSON number is read as Kubernetes reads it, by its text.
 * Numbers of more than 40 digits and exponents of more than two are refused: no resource is that large, and they cost time.
 */
export function parseQuantity(value: Json | undefined): Amount | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const text = String(value);
  let amount = KNOWN.get(text);
  if (amount === undefined && !KNOWN.has(text)) {
    amount = amountIn(text);
    // A fleet writes few different quantities; hostile input that writes many is not remembered.
    if (KNOWN.size < 4096) KNOWN.set(text, amount);
  }
  return amount;
}

const KNOWN = new Map<string, Amount | undefined>();

function amountIn(text: string): Amount | undefined {
  const match = SYNTAX.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = '', exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const [numerator, denominator] = exponent === undefined ? (SUFFIX[suffix] ?? [1n, 1n]) : power(Number(exponent));
  const dividend = BigInt(whole + fraction) * numerator * NANO;
  const divisor = denominator * 10n ** BigInt(fraction.length);
  const amount = (dividend + divisor - 1n) / divisor;
  return sign === '-' ? -amount : amount;
}

function power(exponent: number): readonly [bigint, bigint] {
  return exponent < 0 ? [1n, 10n ** BigInt(-exponent)] : [10n ** BigInt(exponent), 1n];
}

/** The whole number of units, for counts (`pods: 50`). */
export function amountOf(units: number): Amount {
  return BigInt(units) * NANO;
}

const BINARY = ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki'] as const;
const FINE = ['', 'm', 'u', 'n'] as const;

/** The shortest exact text: `binary` for bytes (`1536Mi`), `decimal` for all else (`1500m`, `12`). */
export function formatQuantity(amount: Amount, form: 'binary' | 'decimal'): string {
  if (form === 'binary' && amount !== 0n) {
    for (const suffix of BINARY) {
      const unit = (SUFFIX[suffix] ?? [1n])[0] * NANO;
      if (amount % unit === 0n) return `${amount / unit}${suffix}`;
    }
  }
  for (const suffix of FINE) {
    const unit = NANO / (SUFFIX[suffix] ?? [1n, 1n])[1];
    if (amount % unit === 0n) return `${amount / unit}${suffix}`;
  }
  return `${amount}n`;
}
