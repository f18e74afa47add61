import type { ControlRow, NotEnforced } from '../../core/isolation/controls.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { type TenantPlan, writesBoundary } from '../../core/plan/plan-types.ts';
import type { Answer, AnswerTable, Sign } from '../../report/answer/answer.ts';
import type { Issue } from '../../report/issues.ts';
import { plural } from '../../report/text.ts';
import { TRY_PLUGIN } from '../facts/try-plugin.ts';
import { type Held, heldWords } from './held.ts';

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

const MEND = 'Fix what is reported for the tenant; the next render makes its objects for what is declared now.';
/** Of a frozen tenant whose boundary is written: what looks after its own objects did so when it last wrote them. */
const STANDING: NotEnforced = {
  why: 'on the tenant’s own objects, which stay as they were last rendered while it is frozen; made anew, they are held to what is declared now, and may be refused',
  fix: MEND,
};

/** Of a frozen tenant most controls hold but partly; more than these are counted. */
const SHOWN = 6;

interface IsolationOptions {
  /** one tenant was asked for */
  readonly one: boolean;
  /** whether the host is known to enforce NetworkPolicies */
  readonly plugin: boolean;
  readonly issues: readonly Issue[];
  /** why a tenant's tree stays as it is: then the plan says what is declared, and not what the host has */
  heldOf(tenant: TenantPlan): Held | undefined;
}

/** What is declared for tenants, what enforces it and what nothing does: all from their plans. */
export function isolationAnswer(title: string, tenants: readonly TenantPlan[], { one, plugin, issues, heldOf }: IsolationOptions): Answer {
  const held = new Map<TenantPlan, Held>();
  for (const tenant of tenants) {
    const why = heldOf(tenant);
    if (why !== undefined) held.set(tenant, why);
  }
  const rows = tenants.flatMap((tenant) => tenant.controls.map((control) => rowOf(tenant, control, plugin, held.get(tenant))));
  const records = rows.map(record);
  const [first] = tenants;
  const table = one && first !== undefined ? matrix(first, rows, held.get(first)) : summary(tenants, rows, held);
  return {
    kind: 'IsolationReport',
    title,
    document: {
      tenants: tenants.map((tenant) => ({
        tenant: id(tenant),
        profile: tenant.profile,
        level: tenant.level,
        ...(held.has(tenant) && { held: { ...held.get(tenant) } }),
        controls: rows.filter((row) => row.tenant === tenant).map(record),
      })),
    },
    items: records,
    tables: [table, ...(one ? openTables(rows) : [])],
    trees: tenants.map((tenant) => ({
      text: headline(tenant, held.get(tenant)),
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

function rowOf(tenant: TenantPlan, control: ControlRow, plugin: boolean, held: Held | undefined): Row {
  const { enforcedBy, notEnforced } = control;
  // what bounds a frozen tenant may be written all the same
  const bounded = writesBoundary(tenant) && held?.state === 'frozen' && enforcedBy.some((by) => by !== 'render');
  if (held !== undefined && !bounded) return { tenant, control, hold: 'unknown', unknown: heldWords(held) };
  if (bounded && enforcedBy.some(staysWithObjects))
    return { tenant, control: { ...control, notEnforced: withStanding(notEnforced) }, hold: 'partly' };
  if (notEnforced !== undefined) return { tenant, control, hold: enforcedBy.length === 0 ? 'not enforced' : 'partly' };
  if (!plugin && enforcedBy.some((by) => by.startsWith('NetworkPolicy/'))) return { tenant, control, hold: 'unknown', unknown: PLUGIN };
  return { tenant, control, hold: enforcedBy.length === 0 ? 'not enforced' : 'enforced' };
}

/** What only a render looks after, and the DNS server, which has to fit the pods as they run. */
function staysWithObjects(by: string): boolean {
  return by === 'render' || by.startsWith('Deployment/');
}

function withStanding(other: NotEnforced | undefined): NotEnforced {
  return other === undefined ? STANDING : { why: `${other.why}; ${STANDING.why}`, fix: `${other.fix} ${STANDING.fix}` };
}

/** Whether nothing enforces a declared control, or not all of it. What is not known is neither. */
export function isNotEnforced({ enforcedBy, notEnforced }: ControlRow): boolean {
  return notEnforced !== undefined || enforcedBy.length === 0;
}

/** One tenant: a row a control. */
function matrix(tenant: TenantPlan, rows: readonly Row[], held: Held | undefined): AnswerTable {
  return {
    title: headline(tenant, held),
    columns: [
      { name: 'control' },
      { name: 'declared', wrap: 22 },
      { name: 'holds' },
      { name: 'enforced by', wrap: 40 },
      { name: 'all that enforces it', wide: true },
    ],
    rows: rows.map((row) => ({
      cells: [row.control.field, row.control.value, row.hold, few(row.control.enforcedBy), row.control.enforcedBy.join(', ') || '-'],
      sign: SIGNS[row.hold],
    })),
  };
}

/** Why what does not hold does not, each reason once. */
function openTables(rows: readonly Row[]): readonly AnswerTable[] {
  const reasons = new Map<string, Row[]>();
  for (const row of rows)
    for (const reason of why(row)) {
      const key = `${reason}\n${fixOf(row)}`;
      reasons.set(key, [...(reasons.get(key) ?? []), row]);
    }
  if (reasons.size === 0) return [];
  return [
    {
      title: 'what is not enforced or not known',
      columns: [
        { name: 'control', wrap: 30 },
        { name: 'why', wrap: 40 },
        { name: 'what to do', wrap: 30 },
      ],
      rows: [...reasons.values()].map((same) => {
        const [first] = same;
        const words = first === undefined ? [] : why(first);
        return {
          cells: [same.map(({ control }) => control.field).join(', '), words.join('; '), first === undefined ? '-' : fixOf(first)],
          ...(first !== undefined && { sign: SIGNS[first.hold] }),
        };
      }),
    },
  ];
}

function fixOf({ tenant, control, unknown }: Row): string {
  if (control.notEnforced !== undefined) return control.notEnforced.fix;
  return unknown === PLUGIN ? TRY_PLUGIN : tenant.frozen === undefined ? '-' : MEND;
}

function few(names: readonly string[]): string {
  if (names.length === 0) return '-';
  return names.length <= 2 ? names.join(', ') : `${names[0]} and ${names.length - 1} more`;
}

/** The fleet: a row a tenant. */
function summary(tenants: readonly TenantPlan[], rows: readonly Row[], held: ReadonlyMap<TenantPlan, Held>): AnswerTable {
  const fields = (tenant: TenantPlan, hold: Hold): readonly string[] =>
    rows.filter((row) => row.tenant === tenant && row.hold === hold).map(({ control }) => control.field);
  return {
    columns: [
      { name: 'tenant' },
      { name: 'profile' },
      { name: 'level' },
      { name: 'declared' },
      { name: 'enforced' },
      { name: 'not or partly', wrap: 20 },
      { name: 'unknown' },
      { name: 'unknown controls', wide: true },
      ...(held.size > 0 ? [{ name: 'held', wrap: 30 }] : []),
    ],
    rows: tenants.map((tenant) => {
      const open = [...fields(tenant, 'not enforced'), ...fields(tenant, 'partly')];
      const unknown = fields(tenant, 'unknown');
      const why = held.get(tenant);
      return {
        cells: [
          id(tenant),
          tenant.profile,
          tenant.level || '-',
          counted(tenant, tenant.controls.length),
          counted(tenant, fields(tenant, 'enforced').length),
          open.length > SHOWN ? few(open) : open.join(', ') || '-',
          counted(tenant, unknown.length),
          unknown.join(', ') || '-',
          ...(held.size > 0 ? [why === undefined ? '-' : `${why.state}: ${why.why}`] : []),
        ],
        sign: open.length > 0 || why !== undefined ? '!' : unknown.length > 0 ? '?' : '=',
      };
    }),
  };
}

function headline(tenant: TenantPlan, held: Held | undefined): string {
  const level = tenant.level === '' ? '' : ` (${tenant.level})`;
  const controls = isPlanned(tenant) ? plural(tenant.controls.length, 'control') : 'controls not known';
  return `tenant ${id(tenant)}   profile ${tenant.profile}${level}   ${controls}${held === undefined ? '' : `, ${held.state}: ${held.why}`}`;
}

/** A tenant whose configuration is not complete has no plan: nothing is known of its controls, which is not the same as none. */
function isPlanned({ level }: TenantPlan): boolean {
  return level !== '';
}

function counted(tenant: TenantPlan, count: number): string {
  return isPlanned(tenant) ? String(count) : '-';
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
