import { type Cidr, formatCidr } from '../kube/cidr.ts';

/** Addresses from `first` to `last` of one family, both counted. */
interface Range {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly last: bigint;
}

/** Addresses of both families as ranges that are apart, in order. */
export type AddressSet = readonly Range[];

export const NO_ADDRESS: AddressSet = [];
export const EVERY_ADDRESS: AddressSet = [rangeOf({ bits: 32, value: 0n, prefix: 0 }), rangeOf({ bits: 128, value: 0n, prefix: 0 })];

export function addresses(cidrs: readonly Cidr[], except: readonly Cidr[] = []): AddressSet {
  return minus(join(cidrs.map(rangeOf)), join(except.map(rangeOf)));
}

function rangeOf({ bits, value, prefix }: Cidr): Range {
  return { bits, first: value, last: value + (1n << BigInt(bits - prefix)) - 1n };
}

export function union(...sets: readonly AddressSet[]): AddressSet {
  return join(sets.flat());
}

function join(ranges: readonly Range[]): AddressSet {
  const ordered = [...ranges].sort((a, b) => a.bits - b.bits || (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const joined: Range[] = [];
  for (const range of ordered) {
    const before = joined.at(-1);
    if (before === undefined || before.bits !== range.bits || range.first > before.last + 1n) joined.push(range);
    else if (range.last > before.last) joined[joined.length - 1] = { ...before, last: range.last };
  }
  return joined;
}

export function minus(set: AddressSet, taken: AddressSet): AddressSet {
  let left: readonly Range[] = set;
  for (const { bits, first, last } of taken) {
    left = left.flatMap((range) => {
      if (range.bits !== bits || range.last < first || range.first > last) return [range];
      return [
        ...(range.first < first ? [{ ...range, last: first - 1n }] : []),
        ...(range.last > last ? [{ ...range, first: last + 1n }] : []),
      ];
    });
  }
  return left;
}

export function common(a: AddressSet, b: AddressSet): AddressSet {
  return minus(a, minus(a, b));
}

/** The fewest CIDRs that say the same, in order. */
export function cidrsOf(set: AddressSet): string[] {
  return set.flatMap(({ bits, first, last }) => {
    const cidrs: string[] = [];
    for (let from = first; from <= last; ) {
      let size = 0;
      while (size < bits && (from & ((1n << BigInt(size + 1)) - 1n)) === 0n && from + (1n << BigInt(size + 1)) - 1n <= last) size += 1;
      cidrs.push(formatCidr({ bits, value: from, prefix: bits - size }));
      from += 1n << BigInt(size);
    }
    return cidrs;
  });
}
