import type { Labels } from './metrics.ts';

/** A TenantCluster, as labels have it. */
export interface TenantRef {
  readonly namespace: string;
  readonly name: string;
}

/** The values of a gauge that has one for each tenant. */
export interface TenantSeries {
  /** those that a scrape gets */
  readonly labels: readonly string[];
  set(labels: Labels, value: number): void;
  forget(tenant: TenantRef): void;
  values(): readonly (readonly [Labels, number])[];
}

const NAMESPACE = 'tenant_namespace';
const NAME = 'tenant';

/** @param byTenant whether a scrape gets each tenant's value; it gets the least of them otherwise */
export function tenantSeries(all: readonly string[], byTenant: boolean): TenantSeries {
  const labels = byTenant ? all : all.filter((label) => label !== NAMESPACE && label !== NAME);
  const content = new Map<string, { readonly labels: Labels; readonly value: number }>();
  const keyOf = (of: Labels, names: readonly string[]): string => JSON.stringify(names.map((label) => of[label] ?? ''));
  return {
    labels,
    set: (of, value) => {
      const unknown = Object.keys(of).find((label) => !all.includes(label));
      if (unknown !== undefined || Object.keys(of).length !== all.length)
        throw new TypeError(`The labels have to be ${all.join(', ')}, not ${Object.keys(of).join(', ')}.`);
      content.set(keyOf(of, all), { labels: of, value });
    },
    forget: ({ namespace, name }) => {
      for (const [key, { labels: of }] of content) if (of[NAMESPACE] === namespace && of[NAME] === name) content.delete(key);
    },
    values: () => {
      const least = new Map<string, readonly [Labels, number]>();
      for (const { labels: of, value } of content.values()) {
        const key = keyOf(of, labels);
        const before = least.get(key)?.[1] ?? Number.POSITIVE_INFINITY;
        if (value < before) least.set(key, [Object.fromEntries(labels.map((label) => [label, of[label] ?? ''])), value]);
      }
      return [...least.values()];
    },
  };
}
