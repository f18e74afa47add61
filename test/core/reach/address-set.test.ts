import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cidr, contains, parseCidr } from '../../../src/core/kube/cidr.ts';
import { type AddressSet, addresses, cidrsOf, common, EVERY_ADDRESS, minus, union } from '../../../src/core/reach/address-set.ts';

function cidr(text: string): Cidr {
  const read = parseCidr(text);
  if (read === undefined) throw new Error(text);
  return read;
}

const cidrs = fc.array(
  fc.tuple(fc.nat(255), fc.integer({ min: 24, max: 32 })).map(([last, prefix]) => cidr(`192.0.2.${last}/${prefix}`)),
  { maxLength: 5 },
);
const setOf = (list: readonly Cidr[]): AddressSet => addresses(list);
const holds = (set: AddressSet, last: number): boolean => cidrsOf(set).some((text) => contains(cidr(text), cidr(`192.0.2.${last}/32`)));
const inside = (list: readonly Cidr[], last: number): boolean => list.some((range) => contains(range, cidr(`192.0.2.${last}/32`)));

describe('sets of addresses', () => {
  test('each address is in or out as its ranges say', () => {
    fc.assert(
      fc.property(cidrs, cidrs, fc.nat(255), (a, b, last) => {
        const [inA, inB] = [inside(a, last), inside(b, last)];
        expect(holds(union(setOf(a), setOf(b)), last)).toBe(inA || inB);
        expect(holds(minus(setOf(a), setOf(b)), last)).toBe(inA && !inB);
        expect(holds(common(setOf(a), setOf(b)), last)).toBe(inA && inB);
      }),
      { numRuns: 1000 },
    );
  });

  test('the fewest ranges are written, of each family', () => {
    expect(cidrsOf(EVERY_ADDRESS)).toEqual(['0.0.0.0/0', '::/0']);
    expect(cidrsOf(addresses([cidr('0.0.0.0/0')], [cidr('0.0.0.0/1')]))).toEqual(['128.0.0.0/1']);
    expect(cidrsOf(union(setOf([cidr('192.0.2.0/25')]), setOf([cidr('192.0.2.128/25')])))).toEqual(['192.0.2.0/24']);
    expect(cidrsOf(addresses([cidr('192.0.2.0/29')], [cidr('192.0.2.3/32')]))).toEqual(['192.0.2.0/31', '192.0.2.2/32', '192.0.2.4/30']);
    expect(cidrsOf(addresses([cidr('2001:db8::/126')], [cidr('2001:db8::/127')]))).toEqual(['2001:db8::2/127']);
  });
});
