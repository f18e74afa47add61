import { describe, expect, test } from 'vitest';
import { METRICS } from '../../../src/reconciler/metrics/metric-table.ts';
import { makeMetrics } from '../../../src/reconciler/metrics/metrics.ts';

async function series(metrics: { scrape(): Promise<{ text: string }> }, name: string): Promise<string[]> {
  return (await metrics.scrape()).text.split('\n').filter((line) => line.startsWith(name));
}

describe('the table', () => {
  test('holds each metric once, under a name as Prometheus has them', () => {
    const names = METRICS.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-z_]*$/.test(name))).toEqual([]);
  });

  test.each(METRICS)('$name is called what it is', ({ name, type, buckets, help, labels, perTenant }) => {
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(buckets !== undefined).toBe(type === 'histogram');
    if (buckets !== undefined) expect([...buckets].sort((a, b) => a - b)).toEqual(buckets);
    expect(help).toMatch(/^[A-Z0-9].*\.$/);
    expect(labels.includes('tenant')).toBe(perTenant === true);
  });
});

describe('metrics', () => {
  test('are all in a scrape, with their help', async () => {
    const { text, type } = await makeMetrics({ byTenant: true }).scrape();
    expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const { name, type: kind } of METRICS) expect(text).toContain(`# TYPE ${name} ${kind}\n`);
  });

  test('are counted, set and observed', async () => {
    const metrics = makeMetrics({ byTenant: false });
    metrics.add('workqueue_adds_total', { name: 'q' });
    metrics.add('workqueue_adds_total', { name: 'q' }, 2);
    metrics.set('workqueue_depth', { name: 'q' }, 7);
    metrics.observe('tenantplane_provision_duration_seconds', {}, 12);
    expect(await series(metrics, 'workqueue_adds_total')).toEqual(['workqueue_adds_total{name="q"} 3']);
    expect(await series(metrics, 'workqueue_depth')).toEqual(['workqueue_depth{name="q"} 7']);
    expect(await series(metrics, 'tenantplane_provision_duration_seconds_bucket{le="15"')).toEqual([
      'tenantplane_provision_duration_seconds_bucket{le="15"} 1',
    ]);
  });

  test('that somebody else counts are taken as a whole, and never fall', async () => {
    const metrics = makeMetrics({ byTenant: false });
    let count = 3;
    metrics.onScrape(() => metrics.total('tenantplane_events_emitted_total', {}, count));
    await metrics.scrape();
    count = 5;
    expect(await series(metrics, 'tenantplane_events_emitted_total')).toEqual(['tenantplane_events_emitted_total 5']);
  });

  test('of a wrong name, kind or label are a defect', () => {
    const metrics = makeMetrics({ byTenant: true });
    expect(() => metrics.add('nobody_total')).toThrow('no counter called nobody_total');
    expect(() => metrics.add('workqueue_depth', { name: 'q' })).toThrow('no counter called workqueue_depth');
    expect(() => metrics.add('workqueue_adds_total', { key: 'q' })).toThrow();
    expect(() => metrics.set('tenantplane_isolation_control_enforced', { tenant: 'dev', control: 'x' }, 1)).toThrow('tenant_namespace');
  });

  test('of tenants have a series each where that was asked for, which goes with its tenant', async () => {
    const metrics = makeMetrics({ byTenant: true });
    for (const tenant of ['dev', 'prod'])
      metrics.set('tenantplane_isolation_control_enforced', { tenant_namespace: 'fleet', tenant, control: 'defaultDeny' }, 1);
    metrics.forget({ namespace: 'fleet', name: 'dev' });
    metrics.forget({ namespace: 'other', name: 'prod' });
    expect(await series(metrics, 'tenantplane_isolation_control_enforced')).toEqual([
      'tenantplane_isolation_control_enforced{tenant_namespace="fleet",tenant="prod",control="defaultDeny"} 1',
    ]);
  });

  test('of tenants are the least of them otherwise', async () => {
    const metrics = makeMetrics({ byTenant: false });
    const set = (tenant: string, control: string, value: number): void =>
      metrics.set('tenantplane_isolation_control_enforced', { tenant_namespace: 'fleet', tenant, control }, value);
    set('dev', 'defaultDeny', 1);
    set('prod', 'defaultDeny', 0);
    set('dev', 'quota', 1);
    expect(await series(metrics, 'tenantplane_isolation_control_enforced')).toEqual([
      'tenantplane_isolation_control_enforced{control="defaultDeny"} 0',
      'tenantplane_isolation_control_enforced{control="quota"} 1',
    ]);
    set('prod', 'defaultDeny', 1);
    expect(await series(metrics, 'tenantplane_isolation_control_enforced{control="defaultDeny"')).toEqual([
      'tenantplane_isolation_control_enforced{control="defaultDeny"} 1',
    ]);
  });
});
