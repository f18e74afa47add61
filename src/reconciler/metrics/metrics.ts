import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type Metric } from './metric-table.ts';
import { type TenantRef, type TenantSeries, tenantSeries } from './tenant-series.ts';

export type Labels = Readonly<Record<string, string>>;

/** What is counted and measured. A name that is not in the table, or other labels than it has there, are a defect and throw. */
export interface Metrics {
  /** adds to a counter; 1, if not said */
  add(name: string, labels?: Labels, by?: number): void;
  /** takes a counter's whole value from somebody who counts himself */
  total(name: string, labels: Labels, value: number): void;
  set(name: string, labels: Labels, value: number): void;
  /** one value of a histogram */
  observe(name: string, labels: Labels, value: number): void;
  /** takes out all series of a gauge, for one that is set anew as a whole */
  clear(name: string): void;
  /** takes out the series of a tenant that is gone */
  forget(tenant: TenantRef): void;
  /** called before each scrape, to set what is known only then */
  onScrape(fill: () => void): void;
  /** what a scrape gets, and its content type */
  scrape(): Promise<{ readonly type: string; readonly text: string }>;
}

type Kept = Counter | Gauge | Histogram;

/** @param byTenant whether a tenant has series of its own */
export function makeMetrics({ byTenant, table = METRICS }: { readonly byTenant: boolean; readonly table?: readonly Metric[] }): Metrics {
  const registry = new Registry();
  const kept = new Map<string, Kept>();
  const ofTenants = new Map<string, TenantSeries>();
  const totals = new Map<string, number>();
  const fills: (() => void)[] = [];
  for (const metric of table) {
    if (metric.perTenant === true) ofTenants.set(metric.name, tenantSeries(metric.labels, byTenant));
    const labels = ofTenants.get(metric.name)?.labels ?? metric.labels;
    kept.set(metric.name, made({ ...metric, labels }, registry));
  }

  function find<T extends Kept>(name: string, type: new (...args: never[]) => T): T {
    const found = kept.get(name);
    if (!(found instanceof type)) throw new TypeError(`There is no ${type.name.toLowerCase()} called ${name}.`);
    return found;
  }

  return {
    add: (name, labels = {}, by = 1) => find(name, Counter).inc({ ...labels }, by),
    total: (name, labels, value) => {
      const key = JSON.stringify([name, ...Object.entries(labels).flat()]);
      find(name, Counter).inc({ ...labels }, Math.max(0, value - (totals.get(key) ?? 0)));
      totals.set(key, value);
    },
    set: (name, labels, value) => {
      const series = ofTenants.get(name);
      if (series === undefined) find(name, Gauge).set({ ...labels }, value);
      else series.set(labels, value);
    },
    observe: (name, labels, value) => find(name, Histogram).observe({ ...labels }, value),
    clear: (name) => find(name, Gauge).reset(),
    forget: (tenant) => {
      for (const series of ofTenants.values()) series.forget(tenant);
    },
    onScrape: (fill) => {
      fills.push(fill);
    },
    scrape: async () => {
      for (const fill of fills) fill();
      for (const [name, series] of ofTenants) {
        const gauge = find(name, Gauge);
        gauge.reset();
        for (const [labels, value] of series.values()) gauge.set({ ...labels }, value);
      }
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

function made({ name, type, help, labels, buckets }: Metric, registry: Registry): Kept {
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  switch (type) {
    case 'counter':
      return new Counter(common);
    case 'gauge':
      return new Gauge(common);
    case 'histogram':
      return new Histogram({ ...common, ...(buckets !== undefined && { buckets: [...buckets] }) });
  }
}
