import { describe, expect, test } from 'vitest';
import { FORMATS, type FormatName } from '../../src/schema/formats.ts';
import { nearest, nearestField } from '../../src/schema/nearest.ts';

const long = (length: number): string => 'a'.repeat(length);

/** Boundaries of each format: what Kubernetes takes, and what it does not. */
const TABLE: Readonly<Record<FormatName, { readonly good: readonly string[]; readonly bad: readonly string[] }>> = {
  'dns-label': { good: ['a', 'a-b', '0', long(63)], bad: ['', 'A', '-a', 'a-', 'a.b', 'a_b', long(64), 'a\n'] },
  'dns-subdomain': { good: ['a', 'a.b-c.d', long(253)], bad: ['', '.a', 'a.', 'a..b', 'a.-b', 'A', long(254)] },
  'dns-suffix': {
    good: ['example.com', '.example.com', '{tenant}.example.com', 'apps-{tenant}.example.com'],
    bad: ['', '*.example.com', 'https://a.b', 'a.b:80', 'a..b', '{name}.a', 'Example.com'],
  },
  'tls-san': {
    good: ['api.example.com', '*.example.com', '10.0.0.1', '::1', '2001:db8::7'],
    bad: ['', 'a:6443', '*.*.a', 'a b', '10.0.0.1/8', ':::', '*'],
  },
  'qualified-name': { good: ['a', 'A_b.c', 'example.com/A', 'requests.cpu'], bad: ['', '/a', 'a/', 'a/b/c', 'Example.com/a', 'a b', '-a'] },
  'annotation-rule': { good: ['a', 'example.com/a', 'example.com/*', 'example.com/a*', 'a*', '*'], bad: ['', '*a', 'a/*/b', 'a*b', 'a/'] },
  'secret-key': { good: ['a', 'A.b_c-d', '.hidden', long(253)], bad: ['', 'a b', 'a/b', long(254), 'ü'] },
  'label-value': { good: ['', 'a', 'A.b_c-d', long(63)], bad: ['-a', 'a-', 'a b', long(64), 'ü'] },
  'api-version': { good: ['v1', 'apps/v1', 'a.b/v1beta2'], bad: ['', 'apps', 'apps/', '/v1', 'v1/apps/x', 'V1', 'apps/v1gamma1'] },
  kind: { good: ['Pod', 'HTTPRoute'], bad: ['', 'pod', 'Pod.v1', 'My-Kind'] },
  'store-ref': { good: ['SecretStore/a', 'ClusterSecretStore/a.b'], bad: ['', 'a', 'SecretStore/', 'secretstore/a', 'A/b/c'] },
  'field-path': {
    good: ['spec', 'spec.a.b', 'spec.items[*].name', 'a[*]'],
    bad: ['', '.spec', 'spec.', 'spec[0]', 'spec..a', 'spec[*]a', '/spec/a'],
  },
  'kubernetes-version': {
    good: ['1.34', 'v1.34', 'v1.34.2', '1.34.2+k3s1', 'v1.34.0-rc.1'],
    bad: ['', '1.3', '2.10', 'v1', '1.34.', 'latest'],
  },
  quantity: {
    good: ['0', '1', '500m', '1Gi', '1.5', '.5', '1e3', '1E3', '1E', '5.', '+1', '100n'],
    bad: ['', '-1', '1GB', '1 Gi', '1gi', '0x1', '1,5', 'm', 'Ki', '1mm'],
  },
  duration: { good: ['30s', '1h30m', '1.5h', '250ms', '1us', '1µs', '0s'], bad: ['', '30', '1d', 's', '-1s', '1h 30m', '1H'] },
  cidr: {
    good: ['10.0.0.0/8', '10.1.2.3/32', '0.0.0.0/0', 'fd00::/8', '::/0', '::ffff:10.0.0.0/104', '1:2:3:4:5:6:7:8/128'],
    bad: [
      '',
      '10.0.0.0',
      '10.0.0.0/33',
      '10.0.0.0/08',
      '10.0.0/8',
      '010.0.0.0/8',
      'fd00::/129',
      'fd00::1::/8',
      '10.0.0.0/',
      '10.0.0.0/8/8',
    ],
  },
  ip: {
    good: ['10.0.0.1', '255.255.255.255', '::', '::1', 'fd00::53', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', '1:2:3:4:5:6:1.2.3.4'],
    bad: [
      '',
      '10.0.0.256',
      '10.0.0',
      '01.0.0.1',
      '10.0.0.1/8',
      ':::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      'fe80::1%eth0',
      '12345::',
    ],
  },
  'date-time': {
    good: ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05+01:00'],
    bad: ['', '2026-01-02', '2026-01-02 03:04:05Z', '2026-13-02T03:04:05Z', 'now'],
  },
};

describe.each(Object.entries(TABLE))('%s', (name, { good, bad }) => {
  const format = FORMATS[name as FormatName];
  test('takes', () => expect(good.filter((text) => !format.test(text))).toEqual([]));
  test('refuses', () => expect(bad.filter((text) => format.test(text))).toEqual([]));
  test('has something for the API server to test by', () =>
    expect(format.pattern !== undefined || format.openapi !== undefined).toBe(true));
});

test('a megabyte of anything is judged at once by every format', () => {
  for (const text of [
    long(1e6),
    `${long(1e6)}!`,
    '1'.repeat(1e6),
    `${'a.'.repeat(5e5)}!`,
    '-'.repeat(1e6),
    ':'.repeat(1e6),
    '1h'.repeat(5e5),
  ]) {
    for (const format of Object.values(FORMATS)) expect(typeof format.test(text)).toBe('boolean');
  }
});

test.each([
  ['replicsa', ['replicas', 'resources'], 'replicas'],
  ['REPLICAS', ['replicas'], 'replicas'],
  ['mod', ['node', 'mode'], 'mode'],
  ['a', ['b'], 'b'],
  ['podcidr', ['serviceCIDR', 'podCIDR'], 'podCIDR'],
  ['shards', ['config', 'sources'], undefined],
  ['same', ['came', 'lame'], 'came'],
  ['anything', [], undefined],
])('nearest to %s of %j is %s', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

test.each<[string, readonly string[], string | undefined]>([
  ['ingressHosts', ['ingressClasses', 'ingressHostSuffixes'], 'ingressHostSuffixes'],
  ['suffixes', ['ingressClasses', 'ingressHostSuffixes'], 'ingressHostSuffixes'],
  ['storageClassesAllowed', ['ingressClasses', 'storageClasses'], 'storageClasses'],
  ['ingress', ['ingressClasses', 'ingressHostSuffixes'], undefined],
  ['ing', ['ingressClasses'], undefined],
  ['replcas', ['replicas', 'replcasOther'], 'replicas'],
])('the field meant by %s of %j is %s', (word, fields, expected) => {
  expect(nearestField(word, fields)).toBe(expected);
});
