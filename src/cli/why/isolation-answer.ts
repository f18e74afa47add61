import type { ControlRow } from '../../core/isolation/controls.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import type { TenantPlan } from '../../core/plan/plan-types.ts';
import type { Answer, AnswerTable, Sign } from '../../report/answer/answer.ts';
import type { Issue } from '../../report/issues.ts';
import { plural } from '../../report/text.ts';

/** How far a declared control holds. */
type Hold = 'enforced' | 'partly' | 'not enforced' | 'unknown';

interface Row {
  readonly tenant: TenantPlan;
  readonly control: ControlRow;
  readonly hold: Hold;
  /** what would have to be known */
  readonly unknown?: string;
}

const SIGNS: Readonly<Record<Hold, Sign>> = { enforced: '=', partly: '!', 'not enforced': '!', unknown: '?' };
const PLUGIN = 'whether the network plugin of the host enforces NetworkPolicies: no API says it, HostFacts may (networkPolicies)';

interface IsolationOptions {
  /** one tenant was asked for */
  readonly one: boolean;
  /** whether the host is known to enforce NetworkPolicies */
  readonly plugin: boolean;
  readonly issues: readonly Issue[];
}

/** What is declared for tenants, what enforces it and what nothing does: all from their plans. */
export function isolationAnswer(title: string, tenants: readonly TenantPlan[], { one, plugin, issues }: IsolationOptions): Answer {
  const rows = tenants.flatMap((tenant) => tenant.controls.map((control) => rowOf(tenant, control, plugin)));
  const records = rows.map(record);
  const table = one ? matrix(rows) : summary(tenants, rows);
  return {
    kind: 'IsolationReport',
    title,
    document: {
      tenants: tenants.map((tenant) => ({
        tenant: id(tenant),
        profile: tenant.profile,
        level: tenant.level,
        ...(tenant.frozen !== undefined && { frozen: tenant.frozen }),
        controls: rows.filter((row) => row.tenant === tenant).map(record),
      })),
    },
    items: records,
    tables: [table],
    trees: tenants.map((tenant) => ({
      text: headline(tenant),
      children: rows
        .filter((row) => row.tenant === tenant)
        .map((row) => ({
          text: `${row.control.field}=${row.control.value}`,
          sign: SIGNS[row.hold],
          children: [...row.control.enforcedBy.map((by) => `by ${by}`), ...why(row)].map((text) => ({ text, children: [] })),
        })),
    })),
    issues,
  };
}

function rowOf(tenant: TenantPlan, control: ControlRow, plugin: boolean): Row {
  const { enforcedBy, notEnforced } = control;
  if (notEnforced !== undefined) return { tenant, control, hold: enforcedBy.length === 0 ? 'not enforced' : 'partly' };
  if (!plugin && enforcedBy.some((by) => by.startsWith('NetworkPolicy/'))) return { tenant, control, hold: 'unknown', unknown: PLUGIN };
  return { tenant, control, hold: enforcedBy.length === 0 ? 'not enforced' : 'enforced' };
}

/** One tenant: a row a control. */
function matrix(rows: readonly Row[]): AnswerTable {
  const [first] = rows;
  return {
    ...(first !== undefined && { title: headline(first.tenant) }),
    columns: [
      { name: 'control' },
      { name: 'declared' },
      { name: 'holds' },
      { name: 'enforced by' },
      { name: 'not enforced or unknown' },
      { name: 'all that enforces it', wide: true },
      { name: 'what to do', wide: true },
    ],
    rows: rows.map((row) => ({
      cells: [
        row.control.field,
        row.control.value,
        row.hold,
        few(row.control.enforcedBy),
        why(row).join('; ') || '-',
        row.control.notEnforced?.fix ?? '-',
      ],
      sign: SIGNS[row.hold],
    })),
  };
}

function few(names: readonly string[]): string {
  if (names.length === 0) return '-';
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

/** The fleet: a row a tenant. */
function summary(tenants: readonly TenantPlan[], rows: readonly Row[]): AnswerTable {
  const fields = (tenant: TenantPlan, hold: Hold): readonly string[] =>
    rows.filter((row) => row.tenant === tenant && row.hold === hold).map(({ control }) => control.field);
  return {
    columns: [
      { name: 'tenant' },
      { name: 'profile' },
      { name: 'level' },
      { name: 'declared' },
      { name: 'enforced' },
      { name: 'not or partly' },
      { name: 'unknown' },
      { name: 'unknown controls', wide: true },
    ],
    rows: tenants.map((tenant) => {
      const open = [...fields(tenant, 'not enforced'), ...fields(tenant, 'partly')];
      const unknown = fields(tenant, 'unknown');
      return {
        cells: [
          id(tenant),
          tenant.profile,
          tenant.frozen === undefined ? tenant.level : `${tenant.level} (frozen)`.trim(),
          String(tenant.controls.length),
          String(fields(tenant, 'enforced').length),
          open.join(', ') || '-',
          String(unknown.length),
          unknown.join(', ') || '-',
        ],
        sign: open.length > 0 || tenant.frozen !== undefined ? '!' : unknown.length > 0 ? '?' : '=',
      };
    }),
  };
}

function headline(tenant: TenantPlan): string {
  const frozen = tenant.frozen === undefined ? '' : `, frozen: ${tenant.frozen}`;
  return `tenant ${id(tenant)}   profile ${tenant.profile} (${tenant.level})   ${plural(tenant.controls.length, 'control')}${frozen}`;
}

function why({ control, unknown }: Row): readonly string[] {
  return [
    ...(control.notEnforced === undefined ? [] : [`not enforced: ${control.notEnforced.why}`]),
    ...(unknown === undefined ? [] : [`unknown: ${unknown}`]),
  ];
}

function id({ namespace, name }: TenantPlan): string {
  return `${namespace}/${name}`;
}

function record({ tenant, control, hold, unknown }: Row): JsonObject {
  return {
    tenant: id(tenant),
    control: control.field,
    declared: control.value,
    holds: hold,
    enforcedBy: [...control.enforcedBy],
    ...(control.notEnforced !== undefined && { notEnforced: { ...control.notEnforced } }),
    ...(unknown !== undefined && { unknown }),
  };
}
