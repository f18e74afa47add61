import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan, type TenantPlan, writesBoundary } from '../../core/plan/plan-types.ts';
import { frozenLedger } from '../../report/frozen-ledger.ts';
import { LEDGER_ATTRIBUTES, ledgerPath, ledgerText } from '../../report/ledger.ts';
import { tenantId } from '../../report/tally.ts';
import type { Siblings } from '../tree/write-tree.ts';

export interface LedgerOptions {
  /** whether the plan holds all tenants; only then a ledger can be known to be left over */
  readonly complete: boolean;
  /** the folder whose ledgers a tree that is begun as a copy takes over */
  readonly begin?: string;
}

/**
 * The ledgers beside a tree that differ from what the plan says, and those of tenants that are gone. A frozen tenant keeps
 * its ledger as it keeps its tree, but for what is written of its boundary.
 * @param folder the folder that holds the tree
 */
export function ledgerChanges(plan: Plan, folder: string, { complete, begin }: LedgerOptions): Siblings {
  const write = new Map<string, string>();
  const wanted = new Set<string>();
  for (const tenant of plan.tenants) {
    const path = join(folder, ledgerPath(tenant));
    wanted.add(path);
    const before = textOf(path);
    const last = before ?? (begin === undefined ? undefined : textOf(join(begin, ledgerPath(tenant))));
    const text = tenant.frozen === undefined ? ledgerText(tenant) : ofFrozen(tenant, last, plan.removed);
    if (text !== undefined && before !== text) write.set(path, text);
  }
  const attributes = join(folder, '.tenantplane/.gitattributes');
  if (plan.tenants.length > 0 && textOf(attributes) === undefined) write.set(attributes, LEDGER_ATTRIBUTES);
  const remove = complete ? leftOver(join(folder, '.tenantplane'), wanted, new Set(plan.tenants.map(tenantId))) : [];
  return { write, remove };
}

function ofFrozen(tenant: TenantPlan, last: string | undefined, removed: readonly string[]): string | undefined {
  return last === undefined || !writesBoundary(tenant) ? last : frozenLedger(last, tenant, removed);
}

function leftOver(folder: string, wanted: ReadonlySet<string>, tenants: ReadonlySet<string>): string[] {
  return filesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.ndjson') && !wanted.has(path) && isLedgerOfOther(path, tenants))
    .sort();
}

/** Whether the first line says that the file is a ledger of ours, of a tenant that is no more. */
function isLedgerOfOther(path: string, tenants: ReadonlySet<string>): boolean {
  try {
    const header: unknown = JSON.parse((textOf(path) ?? '').split('\n', 1)[0] ?? '');
    if (typeof header !== 'object' || header === null || !('ledger' in header) || !('tenant' in header)) return false;
    return header.ledger === 'v1' && typeof header.tenant === 'string' && !tenants.has(header.tenant);
  } catch {
    return false;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
