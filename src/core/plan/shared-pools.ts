import { finding } from '../decision/finding.ts';
import { tenantKeyOf } from './assign.ts';
import type { Finding } from './plan-types.ts';
import type { ReadyTenant } from './read-config.ts';
import { compare } from './subjects.ts';

/** As many as are named; a fleet may have one pool for all. */
const NAMED = 3;

interface Pool {
  readonly tenant: ReadyTenant;
  readonly key: string;
  readonly labels: readonly string[];
}

/**
 * Tenants in mode dedicated whose nodes are, by their labels, another's as well: of two selectors one has all labels of the other.
 * Labels that only differ may stand on one node too; that no file says.
 */
export function sharedPools(ready: readonly ReadyTenant[]): Finding[] {
  const pools = ready.flatMap(poolOf);
  const byLabel = new Map<string, Pool[]>();
  for (const pool of pools)
    for (const label of pool.labels) {
      const list = byLabel.get(label);
      if (list === undefined) byLabel.set(label, [pool]);
      else list.push(pool);
    }
  return pools.flatMap((pool): Finding[] => {
    const near = new Set(pool.labels.flatMap((label) => byLabel.get(label) ?? []));
    const others = [...near].filter((other) => other !== pool && (within(pool, other) || within(other, pool))).map(({ key }) => key);
    if (others.length === 0) return [];
    const params = { tenant: pool.tenant.tenant.name, tenants: listed(others.sort(compare)) };
    const { source } = pool.tenant.input;
    return [finding('NodePoolShared', params, source, { tenant: pool.key, pointer: '/spec/nodePool/nodeSelector' })];
  });
}

function poolOf(tenant: ReadyTenant): Pool[] {
  const { mode, nodePool } = tenant.tenant;
  const labels = mode === 'dedicated' ? Object.entries(nodePool?.nodeSelector ?? {}) : [];
  return labels.length === 0 ? [] : [{ tenant, key: tenantKeyOf(tenant.input.object), labels: labels.map((label) => label.join('=')) }];
}

function within(one: Pool, other: Pool): boolean {
  return one.labels.every((label) => other.labels.includes(label));
}

function listed(keys: readonly string[]): string {
  const more = keys.length - NAMED;
  return [...keys.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
