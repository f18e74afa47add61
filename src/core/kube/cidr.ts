/** An IPv4 or IPv6 address as one number. */
export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** A range of addresses in canonical form: no bit is set beyond the prefix. */
export interface Cidr {
  readonly bits: 32 | 128;
  readonly value: bigint;
  readonly prefix: number;
}

/** Leading zeros are refused, as Go's parser does since CVE-2021-29923: some readers take them for octal. */
const OCTET = /^(0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
/** ::ffff:0:0/96, IPv4 addresses inside IPv6 (RFC 4291, section 2.5.5.2). */
const MAPPED = 0xffffn;
const MAPPED_PREFIX = 96;

/**
 * An IPv4-mapped IPv6 address is the IPv4 address that it means, as for Go's net.ParseIP and so for what enforces a policy.
 *
 * @returns undefined where the text is no address. Zones (`fe80::1%eth0`) are none, as in Kubernetes.
 */
export function parseAddress(text: string): Address | undefined {
  const written = parseWritten(text);
  return written !== undefined && isMapped(written) ? { bits: 32, value: written.value & 0xffffffffn } : written;
}

/** An address in the family that it is written in. */
function parseWritten(text: string): Address | undefined {
  if (text.length > 45) return undefined;
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

function isMapped({ bits, value }: Address): boolean {
  return bits === 128 && value >> 32n === MAPPED;
}

function parseV4(text: string): Address | undefined {
  const octets = text.split('.');
  if (octets.length !== 4) return undefined;
  let value = 0n;
  for (const octet of octets) {
    if (!OCTET.test(octet) || Number(octet) > 255) return undefined;
    value = (value << 8n) | BigInt(octet);
  }
  return { bits: 32, value };
}

function parseV6(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = groups(halves[0] ?? '', halves.length === 1);
  const tail = groups(halves[1] ?? '', true);
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const all = [...head, ...Array<bigint>(missing).fill(0n), ...tail];
  return { bits: 128, value: all.reduce((value, group) => (value << 16n) | group, 0n) };
}

/** The 16-bit groups of one side of `::`; a dotted quad at the very end is two groups. */
function groups(text: string, atEnd: boolean): bigint[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const result: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    if (GROUP.test(part)) result.push(BigInt(`0x${part}`));
    else {
      const quad = atEnd && index === parts.length - 1 ? parseV4(part) : undefined;
      if (quad === undefined) return undefined;
      result.push(quad.value >> 16n, quad.value & 0xffffn);
    }
  }
  return result;
}

/**
 * A range of IPv4-mapped addresses is the IPv4 range that it means: `::ffff:0:0/96` is 0.0.0.0/0 for Go's net.ParseCIDR.
 *
 * @returns the range with its host bits cleared; undefined where the text is no CIDR.
 */
export function parseCidr(text: string): Cidr | undefined {
  const [left, right, more] = text.split('/');
  const address = parseWritten(left ?? '');
  if (address === undefined || right === undefined || more !== undefined || !OCTET.test(right)) return undefined;
  const prefix = Number(right);
  if (prefix > address.bits) return undefined;
  if (isMapped(address) && prefix >= MAPPED_PREFIX) return masked(32, address.value & 0xffffffffn, prefix - MAPPED_PREFIX);
  return masked(address.bits, address.value, prefix);
}

function masked(bits: Cidr['bits'], value: bigint, prefix: number): Cidr {
  const rest = BigInt(bits - prefix);
  return { bits, value: (value >> rest) << rest, prefix };
}

/** Two ranges are nested or apart; this says whether `inner` lies in `outer` (or is the same). */
export function contains(outer: Cidr, inner: Cidr | Address): boolean {
  const prefix = 'prefix' in inner ? inner.prefix : inner.bits;
  if (outer.bits !== inner.bits || prefix < outer.prefix) return false;
  const rest = BigInt(outer.bits - outer.prefix);
  return outer.value >> rest === inner.value >> rest;
}

/** Whether ranges hold all of another one, together where none does alone. */
export function cover(ranges: readonly Cidr[], range: Cidr): boolean {
  if (ranges.some((one) => contains(one, range))) return true;
  const inside = ranges.filter((one) => contains(range, one));
  if (inside.length < 2) return false;
  const half = { ...range, prefix: range.prefix + 1 };
  const upper = { ...half, value: half.value | (1n << BigInt(range.bits - half.prefix)) };
  return cover(inside, half) && cover(inside, upper);
}

/** Canonical text (RFC 5952 for IPv6): the API server warns about any other form, and will refuse it (KEP-4858). */
export function formatCidr(cidr: Cidr): string {
  return `${cidr.bits === 32 ? formatV4(cidr.value) : formatV6(cidr.value)}/${cidr.prefix}`;
}

function formatV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
}

function formatV6(value: bigint): string {
  const parts = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  // The longest run of at least two zero groups becomes `::`, the first of equal ones.
  let best = { start: 0, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (start + length < 8 && parts[start + length] === '0') length += 1;
    if (length > best.length) best = { start, length };
  }
  if (best.length < 2) return parts.join(':');
  return `${parts.slice(0, best.start).join(':')}::${parts.slice(best.start + best.length).join(':')}`;
}
