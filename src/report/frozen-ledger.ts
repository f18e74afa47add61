import { asString, isObject, type Json, type JsonObject } from '../core/kube/json.ts';
import type { TenantPlan } from '../core/plan/plan-types.ts';
import { checkLedger } from './check-ledger.ts';
import { ledgerLine, ledgerOf } from './ledger.ts';

/**
 * The ledger of a frozen tenant whose boundary is written all the same: what it said of the tenant's own objects, which stay, and what is
 * decided now of the boundary.
 *
 * @param text the ledger as it stands; one that is not whole is nothing to go by
 * @param removed paths of the tree that leave
 */
export function frozenLedger(text: string, tenant: TenantPlan, removed: readonly string[]): string | undefined {
  if (!checkLedger(text).whole) return undefined;
  const settled = new Set([...tenant.files.map(({ path }) => path), ...removed].map((path) => `host/${path}`));
  const kept = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line): Keyed => [recordOf(line), line])
    .filter(([record]) => !settled.has(asString(record['out']) ?? ''));
  const written = tenant.files.map(({ decision }): Keyed => {
    const line = ledgerLine(decision, tenant);
    return [recordOf(line), line];
  });
  // a stable sort, so that lines of one subject stay in their order
  const sorted = [...kept, ...written].sort(([a], [b]) => compare(sortKey(a), sortKey(b)));
  return ledgerOf(
    tenant,
    sorted.map(([, line]) => line),
  );
}

type Keyed = readonly [record: JsonObject, line: string];

function recordOf(line: string): JsonObject {
  const value: Json = JSON.parse(line);
  return isObject(value) ? value : {};
}

function sortKey({ k, source }: JsonObject): string {
  return `${asString(k) ?? ''}\n${asString(source) ?? ''}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
