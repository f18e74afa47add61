import { join } from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { ALERTS } from '../../../deploy/observability/alert-rows.ts';
import { DASHBOARDS } from '../../../deploy/observability/panel-rows.ts';
import { METRICS } from '../../../src/reconciler/metrics/metric-table.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { ok, ROOT } from '../workspace.ts';
import { ALERT_CASES } from './alert-cases.ts';

/** Grafana puts a time in its place. */
const onPanels = DASHBOARDS.flatMap(({ rows }) => rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries))).map(({ expr }) =>
  expr.replaceAll('$__rate_interval', '2m'),
);
const inAlerts = ALERTS.map(({ expr }) => expr);

describe('Prometheus', () => {
  let tool: string;
  beforeAll(async () => {
    tool = await buildTool('prometheus');
  });

  interface Asked {
    readonly error?: string;
    readonly names: readonly string[];
  }
  const ask = (queries: readonly string[]): Asked[] => {
    const { stdout } = ok(tool, ['names'], { input: queries.map((query) => `${query}\n`).join('') });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Asked);
  };
  const namesOf = (queries: readonly string[]): Set<string> => new Set(ask(queries).flatMap(({ names }) => names));
  /** As they are scraped: a histogram is three. */
  const series = METRICS.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  );

  test('reads the alerts as its file of rules', () => {
    ok(tool, ['check', join(ROOT, 'deploy/observability/alerts.yaml')]);
  });

  test('reads every query', () => {
    const answers = ask([...onPanels, ...inAlerts]);
    expect(answers.length).toBe(onPanels.length + inAlerts.length);
    expect(answers.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(ask(['sum(rate(up[5m])'])[0]?.error).toContain('parse error');
  });

  test('has a case for each alert', () => {
    expect(ALERT_CASES.map(({ alert }) => alert)).toEqual(ALERTS.map(({ name }) => name));
  });

  test.each(ALERT_CASES)('finds $alert where it is so, and not where all is well', ({ alert, bad, good }) => {
    const query = ALERTS.find(({ name }) => name === alert)?.expr ?? '';
    const questions = [bad, good].map((series) => ({
      load: ['load 1m', ...series.map((line) => `  ${line}`)].join('\n'),
      query,
      after: '1h',
    }));
    const { stdout } = ok(tool, ['eval'], { input: questions.map((question) => JSON.stringify(question)).join('\n') });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { error?: string; series: object[] });
    expect(answers.map(({ error, series }) => error ?? series.length)).toEqual([1, 0]);
  });

  test('is asked for no metric that the reconciler has not', () => {
    expect([...namesOf([...onPanels, ...inAlerts])].filter((name) => !series.includes(name))).toEqual([]);
  });

  test('is asked for every metric of the reconciler by some panel', () => {
    const asked = [...namesOf(onPanels)].map((name) => name.replace(/_bucket$/, ''));
    expect(METRICS.map(({ name }) => name).filter((name) => !asked.includes(name))).toEqual([]);
  });
});

test('kustomize puts the dashboards into one ConfigMap, under their files’ names, byte by byte', () => {
  const built = ok('kustomize', ['build', join(ROOT, 'deploy/observability')]).stdout;
  const [config] = built.split('\n---\n').map((text) => load(text) as { kind: string; data?: Record<string, string> });
  expect(config?.kind).toBe('ConfigMap');
  expect(Object.keys(config?.data ?? {}).sort()).toEqual(DASHBOARDS.map(({ uid }) => `${uid}.json`).sort());
  for (const text of Object.values(config?.data ?? {})) expect((JSON.parse(text) as { uid: string }).uid).toMatch(/^tenantplane-/);
});
