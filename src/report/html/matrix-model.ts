import type { ControlRow } from '../../core/isolation/controls.ts';
import type { Plan, TenantPlan } from '../../core/plan/plan-types.ts';
import { decisionsOf } from '../tally.ts';
import { tenantLabel } from './words.ts';

/** Tenants against controls. Tenants of which the same is declared and enforced share a row, however their objects are called. */
export interface MatrixModel {
  readonly controls: readonly string[];
  readonly rows: readonly MatrixRow[];
}

export interface MatrixRow {
  readonly tenants: readonly string[];
  readonly profile: string;
  /** one for each control of the matrix, in its order */
  readonly cells: readonly MatrixCell[];
}

export type CellState = 'enforced' | 'notEnforced' | 'unknown' | 'notDeclared';

export interface MatrixCell {
  readonly state: CellState;
  readonly value: string;
  /** by the first tenant of the row */
  readonly enforcedBy: readonly string[];
  /** why nothing enforces it, or what is not known */
  readonly why?: string;
  readonly fix?: string;
}

export function matrixOf(plan: Plan): MatrixModel {
  const controls = [...new Set(plan.tenants.flatMap((tenant) => tenant.controls.map(({ field }) => field)))].sort(byGroup);
  const unknown = unknownFacts(plan);
  const rows = new Map<string, MatrixRow>();
  for (const tenant of [...plan.tenants].sort((a, b) => (tenantLabel(a) < tenantLabel(b) ? -1 : 1))) {
    const cells = controls.map((control) => cell(tenant, control, unknown));
    const key = JSON.stringify([tenant.profile, cells.map(({ state, value, why }) => [state, value, why ?? ''])]);
    const known = rows.get(key);
    rows.set(key, { tenants: [...(known?.tenants ?? []), tenantLabel(tenant)], profile: tenant.profile, cells: known?.cells ?? cells });
  }
  return { controls, rows: [...rows.values()] };
}

/** What was declared by a person first, what is closed unless it is opened next, what always holds last. */
const GROUPS = ['controls', 'tenant', 'allow', 'always'];

/** Fields of the TenantCluster's spec are the tenant's; the others stand below the name of their group. */
export function groupOf(field: string): string {
  const group = field.split('.')[0] ?? '';
  return GROUPS.includes(group) ? group : 'tenant';
}

function byGroup(a: string, b: string): number {
  const group = (field: string): number => GROUPS.indexOf(groupOf(field));
  return group(a) - group(b) || (a < b ? -1 : 1);
}

function cell(tenant: TenantPlan, control: string, unknown: (host: string, tenant: TenantPlan) => string | undefined): MatrixCell {
  const row: ControlRow | undefined = tenant.controls.find(({ field }) => field === control);
  if (row === undefined) return { state: 'notDeclared', value: '', enforcedBy: [] };
  const { value, enforcedBy, notEnforced } = row;
  if (notEnforced !== undefined) return { state: 'notEnforced', value, enforcedBy, why: notEnforced.why, fix: notEnforced.fix };
  const fact = enforcedBy.map((host) => unknown(host, tenant)).find((why) => why !== undefined);
  if (fact !== undefined) return { state: 'unknown', value, enforcedBy, why: fact };
  return { state: 'enforced', value, enforcedBy };
}

/** A render sees no cluster: the planner says of NetworkPolicies where it does not know whether anything acts on them. */
function unknownFacts(plan: Plan): (host: string, tenant: TenantPlan) => string | undefined {
  const facts = new Map<string, string>();
  for (const { host, tenant, notes } of decisionsOf(plan)) {
    const note = notes.find(({ reason }) => reason === 'HostFieldUnknown');
    if (host?.kind === 'NetworkPolicy' && note !== undefined) facts.set(`${tenantLabel(tenant)} ${host.kind}/${host.name}`, note.message);
  }
  return (host, tenant) => facts.get(`${tenantLabel(tenant)} ${host}`);
}
