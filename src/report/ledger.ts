import { createHash } from 'node:crypto';
import { decisionId } from '../core/decision/decide.ts';
import type { Decision, ObjectRef } from '../core/decision/decision.ts';
import { digest } from '../core/identity/digest.ts';
import { MAPPING } from '../core/identity/metadata.ts';
import type { JsonObject } from '../core/kube/json.ts';
import type { TenantPlan } from '../core/plan/plan-types.ts';
import { jsonText } from './json-text.ts';
import { tenantId } from './tally.ts';

/**
 * The ledger of one tenant: a line for each decision, sorted, the same bytes for the same input. A standing projection says
 * `Create` ("exists because"), so that a line changes only when its reason changes; removals are the business of `diff`.
 * The header counts the lines and carries their Merkle root (hashes as in RFC 6962), so that a cut file is noticed.
 */
export function ledgerText(tenant: TenantPlan): string {
  const lines = tenant.decisions
    .filter((decision) => decision.action !== 'Delete')
    .map((decision) => [sortKey(decision), ledgerLine(decision, tenant)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([, text]) => text);
  return ledgerOf(tenant, lines);
}

/** A ledger of these lines, which are in order. */
export function ledgerOf(tenant: TenantPlan, lines: readonly string[]): string {
  const header = jsonText({
    ledger: 'v1',
    tenant: tenantId(tenant),
    mapping: MAPPING,
    lines: lines.length,
    merkleRoot: `sha256:${merkleRoot(lines)}`,
  });
  return `${[header, ...lines].join('\n')}\n`;
}

/** Where a tenant's ledger lies, beside `host/`. */
export function ledgerPath(tenant: Pick<TenantPlan, 'namespace' | 'name'>): string {
  const stem = `${tenant.namespace}.${tenant.name}`;
  const short = stem.length <= 200 ? stem : `${stem.slice(0, 180)}-${digest([tenant.namespace, tenant.name])}`;
  return `.tenantplane/${short}.ndjson`;
}

/** The ledger's own attributes for Git: generated, and no noise in a pull request. */
export const LEDGER_ATTRIBUTES = '*.ndjson linguist-generated=true -diff\n' as const;

/** What a ledger says of one decision. */
export function ledgerLine(decision: Decision, tenant: TenantPlan): string {
  return jsonText(line(decision, tenant));
}

function line(decision: Decision, tenant: TenantPlan): JsonObject {
  const [rule, profile] = [cause(decision, 'SyncPolicy/'), cause(decision, 'IsolationProfile/')];
  return {
    k: key(decision, tenant.name),
    id: decisionId(decision),
    action: decision.action === 'Skip' ? 'Skip' : 'Create',
    disposition: decision.disposition,
    code: decision.code,
    ...(decision.action !== 'Skip' && decision.host !== undefined && { host: subject(decision.host) }),
    ...(rule !== undefined && { rule }),
    ...(profile !== undefined && { profile }),
    ...(decision.rewrites.length > 0 && { rewrites: [...decision.rewrites] }),
    ...(decision.notes.length > 0 && { notes: [...new Set(decision.notes.map((note) => note.code))].sort(compare) }),
    ...(decision.source !== undefined && { source: decision.source.file.path }),
    ...(decision.action !== 'Skip' && decision.host !== undefined && { out: `host/${decision.host.file}` }),
  };
}

/** What the line is about. A compiled object has no source; `host` in the second place can be no apiVersion/kind. */
function key(decision: Decision, tenant: string): string {
  if (decision.source !== undefined) return `${tenant}|${subject(decision.source)}`;
  return `${tenant}|host|${decision.host === undefined ? '' : subject(decision.host)}`;
}

function sortKey(decision: Decision): string {
  const file = decision.source?.file;
  return `${key(decision, '')}\n${file?.path ?? ''}\n${String(file?.document ?? 0).padStart(8, '0')}`;
}

function subject(ref: ObjectRef): string {
  return `${ref.apiVersion}/${ref.kind}|${ref.namespace}|${ref.name}`;
}

function cause(decision: Decision, prefix: string): string | undefined {
  return decision.causes.find((text) => text.startsWith(prefix));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** RFC 6962, section 2.1: leaves and nodes are hashed apart, an odd one goes up as it is. */
export function merkleRoot(lines: readonly string[]): string {
  let level = lines.map((text) => sha256(0, Buffer.from(text)));
  if (level.length === 0) return createHash('sha256').digest('hex');
  while (level.length > 1) {
    const next: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left, right] = [level[index], level[index + 1]];
      if (left !== undefined) next.push(right === undefined ? left : sha256(1, left, right));
    }
    level = next;
  }
  return level[0]?.toString('hex') ?? '';
}

function sha256(tag: number, ...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(Buffer.of(tag));
  for (const part of parts) hash.update(part);
  return hash.digest();
}
