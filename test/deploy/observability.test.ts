import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { SELECTOR } from '../../deploy/install/labels.ts';
import { METRICS_SERVICE } from '../../deploy/install/surroundings.ts';
import { ALERTS } from '../../deploy/observability/alert-rows.ts';
import { observabilityFiles } from '../../deploy/observability/observability-files.ts';
import { JOB } from '../../deploy/observability/selectors.ts';
import { type JsonObject, objectsOf } from '../../src/core/kube/json.ts';
import { readPage } from '../docs/markdown.ts';

const files = observabilityFiles();
const read = (name: string): JsonObject => load(files.get(`deploy/observability/${name}`) ?? '') as JsonObject;
const dashboards = [...files].filter(([path]) => path.endsWith('.json'));

describe.each(dashboards)('%s', (path, text) => {
  const dashboard = JSON.parse(text) as JsonObject;
  const panels = objectsOf(dashboard['panels']);

  // one that is larger does not fit into the annotation that a client-side apply writes
  test('is small, and is found under its name', () => {
    expect(text.length).toBeLessThan(200 * 1024);
    expect(path.endsWith(`/${String(dashboard['uid'])}.json`)).toBe(true);
  });

  test('knows no Grafana: every query asks the Prometheus that is chosen', () => {
    const sources = [...text.matchAll(/"uid": "([^"]+)"/g)].map(([, uid]) => uid).filter((uid) => uid !== dashboard['uid']);
    expect(new Set(sources)).toEqual(new Set([`\${DS_PROMETHEUS}`]));
    expect(JSON.stringify(dashboard['templating'])).toContain('"name":"DS_PROMETHEUS"');
    expect(dashboard).not.toHaveProperty('id');
  });

  test('has its panels beside each other, none over another, each with a number of its own', () => {
    const taken = new Map<string, number>();
    for (const { gridPos } of panels as unknown as readonly { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }[]) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) taken.set(`${x} ${y}`, (taken.get(`${x} ${y}`) ?? 0) + 1);
    }
    expect([...taken].filter(([, count]) => count > 1)).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

describe('alerts', () => {
  test('are the same for Prometheus and for its operator', () => {
    expect(read('prometheusrule.yaml')['spec']).toEqual(read('alerts.yaml'));
  });

  test.each(ALERTS)('$name has a place on the page that its runbook_url names', ({ name }) => {
    const url = `docs/observability.md#${name.toLowerCase()}`;
    expect(files.get('deploy/observability/alerts.yaml')).toContain(`runbook_url: ${url}\n`);
    expect(readPage('docs/observability.md')).toContain(`\n### ${name}\n`);
  });

  test('have names of their own', () => {
    expect(new Set(ALERTS.map(({ name }) => name)).size).toBe(ALERTS.length);
  });
});

test('the job that queries look for is the one that the ServiceMonitor gives', () => {
  const matcher = /^job=~"(.*)"$/.exec(JOB)?.[1] ?? '';
  expect(METRICS_SERVICE).toMatch(new RegExp(`^(?:${matcher})$`));
  expect(read('servicemonitor.yaml')['spec']).toMatchObject({ selector: { matchLabels: SELECTOR }, endpoints: [{ port: 'metrics' }] });
});
