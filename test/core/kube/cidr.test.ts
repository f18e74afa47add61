import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contains, cover, formatCidr, parseAddress, parseCidr } from '../../../src/core/kube/cidr.ts';

describe('an address', () => {
  it.each([
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '1.2.3.4 ',
    '',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    'g::',
    'fe80::1%eth0',
    '::1.2.3',
    '1.2.3.4::',
    '12345::',
  ])('%j is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it('agrees with the platform on what an address is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.string({ unit: fc.constantFrom(...'0123456789abcf.:') })),
        (text) => {
          expect(parseAddress(text) !== undefined).toBe(isIP(text) !== 0);
        },
      ),
    );
  });

  it('an IPv4-mapped address is the IPv4 address it means', () => {
    expect(parseAddress('::ffff:127.0.0.1')).toEqual(parseAddress('127.0.0.1'));
    expect(parseAddress('::FFFF:7f00:1')).toEqual(parseAddress('127.0.0.1'));
    expect(parseAddress('::127.0.0.1')?.bits).toBe(128);
  });
});

describe('a range', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['1.2.3.4/32', '1.2.3.4/32'],
    ['::/0', '::/0'],
    ['FD00:EC2::1/128', 'fd00:ec2::1/128'],
    ['2001:db8:0:1:0:0:0:1/64', '2001:db8:0:1::/64'],
    ['1:0:0:2:0:0:0:3/128', '1:0:0:2::3/128'],
    ['1:0:2:3:4:5:6:7/128', '1:0:2:3:4:5:6:7/128'],
    // as Go's net.ParseCIDR reads them
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['0:0:0:0:0:ffff:a9fe:a9fe/128', '169.254.169.254/32'],
    ['::ffff:0:0/95', '::fffe:0:0/95'],
  ])('%s is written %s', (text, canonical) => {
    const cidr = parseCidr(text);
    expect(cidr && formatCidr(cidr)).toBe(canonical);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/08', '10.0.0.0/8/8', '::/129', '/8', 'x/8'])('%j is none', (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });

  it.each<[string, string, boolean]>([
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['10.1.0.0/16', '10.0.0.0/8', false],
    ['10.0.0.0/8', '11.0.0.0/16', false],
    ['0.0.0.0/0', '::/0', false],
    ['fe80::/10', 'febf::/16', true],
  ])('%s holds %s: %s', (outer, inner, holds) => {
    const [a, b] = [parseCidr(outer), parseCidr(inner)];
    expect(a && b && contains(a, b)).toBe(holds);
  });

  it.each([
    [['10.0.0.0/8'], '10.1.0.0/16', true],
    [['10.1.0.0/17', '10.1.128.0/17'], '10.1.0.0/16', true],
    [['10.1.0.0/17', '10.1.128.0/18', '10.1.192.0/18'], '10.1.0.0/16', true],
    [['10.1.0.0/17', '10.1.0.0/18', '10.1.64.0/18'], '10.1.0.0/16', false],
    [['10.1.0.0/17', '10.1.128.0/18'], '10.1.0.0/16', false],
    [['0.0.0.0/1', '128.0.0.0/1'], '0.0.0.0/0', true],
    [['10.0.0.0/32', '10.0.0.1/32'], '10.0.0.0/31', true],
    [['2a00::/17', '2a00:8000::/17'], '2a00::/16', true],
    [['2a00::/17', '2a01::/17'], '2a00::/16', false],
    [['::/0'], '0.0.0.0/0', false],
    [[], '10.0.0.0/8', false],
  ])('%j cover %s: %s', (ranges, range, all) => {
    const [parts, whole] = [ranges.flatMap((text) => parseCidr(text) ?? []), parseCidr(range)];
    expect(parts).toHaveLength(ranges.length);
    expect(whole && cover(parts, whole)).toBe(all);
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.integer({ min: 0, max: 128 }), (address, prefix) => {
        const cidr = parseCidr(`${address}/${prefix}`);
        expect(cidr && parseCidr(formatCidr(cidr))).toEqual(cidr);
      }),
    );
  });
});
