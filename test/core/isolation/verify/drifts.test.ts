import { describe, expect, test } from 'vitest';
import { verifyBoundary } from '../../../../src/core/isolation/verify/verify-boundary.ts';
import { type Drift, gone } from './drift.ts';
import { HOST_DRIFTS } from './host-drifts.ts';
import { NAMESPACE_DRIFTS } from './namespace-drifts.ts';
import { NETWORK_DRIFTS } from './network-drifts.ts';
import { inputOf } from './tenants.ts';

const BASE = inputOf('rest-allo-own');
const DRIFTS: readonly Drift[] = [...NAMESPACE_DRIFTS, ...NETWORK_DRIFTS, ...HOST_DRIFTS];

describe('a drift is found, with its control, its field and which way it goes', () => {
  test.each(DRIFTS)('%s', (_, drift, control, verdict, way, fields) => {
    const report = verifyBoundary(drift(BASE));
    const found = report.rows.filter((row) => row.verdict !== 'as-planned' && row.control === control);
    expect(found.map((row) => ({ verdict: row.verdict, way: row.way, fields: row.fields }))).toContainEqual({ verdict, way, fields });
    expect(report.asPlanned).toBe(false);
    expect(report.enforced).toBe(verdict !== 'widens' && verdict !== 'foreign' && way !== 'weaker');
    expect(report.rows[0]?.control).toBe(control);
  });

  test('and nothing else is', () => {
    const others = DRIFTS.flatMap(([what, drift]) => {
      const rows = verifyBoundary(drift(BASE)).rows.filter(({ verdict }) => verdict !== 'as-planned');
      return rows.length === 1 ? [] : [`${what}: ${rows.map(({ sentence }) => sentence).join(' ')}`];
    });
    expect(others).toEqual([]);
  });
});

// of a baseline tenant ingress is open, so that the DNS server's own policy is what closes its pods
test.each([
  ['base-allo-none', 'weaker'],
  ['rest-allo-none', 'stronger'],
])('the DNS server’s policy that is missing, of %s: %s', (tenant, way) => {
  const [worst] = verifyBoundary(gone('NetworkPolicy', 'dns')(inputOf(tenant))).rows;
  expect(worst).toMatchObject({ control: 'dnsServer', verdict: 'missing', way });
});
