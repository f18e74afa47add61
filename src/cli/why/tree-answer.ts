import type { Decision } from '../../core/decision/decision.ts';
import type { Finding, Plan, TenantPlan } from '../../core/plan/plan-types.ts';
import type { Answer, AnswerRow, TreeNode } from '../../report/answer/answer.ts';
import { decisionRecord } from '../../report/decision-record.ts';
import { issuesOf } from '../../report/issues.ts';
import { markOf } from '../../report/marks.ts';
import { heldOf } from './held.ts';
import { stays } from './standing-copy.ts';
import { refWords } from './why-text.ts';

/** Where isolation stands in the tree: among the virtual namespaces, and none of them. */
const AROUND = 'isolation and services around it';

/**
 * From tenants over their virtual namespaces and kinds to objects, each with what it is on the host.
 * @param standing files of the tree on the disk
 * @param most children of a node that are listed
 */
export function treeAnswer(title: string, plan: Plan, standing: ReadonlySet<string>, one: boolean, most: number): Answer {
  const stateOf =
    (tenant: TenantPlan) =>
    (decision: Decision): Kept =>
      kept(plan, tenant, decision, standing);
  const trees = plan.tenants.map((tenant) => tenantTree(tenant, one, most, stateOf(tenant)));
  const decisions = plan.tenants.flatMap((tenant) => tenant.decisions);
  return {
    kind: 'TreeReport',
    title,
    document: {
      tenants: plan.tenants.map((tenant) => ({
        tenant: `${tenant.namespace}/${tenant.name}`,
        policy: tenant.policy,
        profile: tenant.profile,
        level: tenant.level,
        ...(tenant.frozen !== undefined && { frozen: tenant.frozen }),
        objects: tenant.decisions.map((decision) => objectRecord(decision, stateOf(tenant)(decision))),
      })),
    },
    items: decisions.map((decision) => decisionRecord(decision)),
    tables: [
      {
        columns: [
          { name: 'tenant' },
          { name: 'namespace' },
          { name: 'object' },
          { name: 'code' },
          { name: 'host object' },
          { name: 'file', wide: true },
        ],
        rows: decisions.map(row),
      },
    ],
    trees,
    issues: issuesOf({ ...plan, findings: freezing(plan) }),
  };
}

/** What holds tenants up, instead of each object that waits for it. */
function freezing({ findings, tenants }: Plan): readonly Finding[] {
  const drawn = new Set(tenants.filter(({ frozen }) => frozen !== undefined).map(({ namespace, name }) => `${namespace}/${name}`));
  return findings.filter(({ severity, tenant }) => severity === 'error' && drawn.size > 0 && (tenant === undefined || drawn.has(tenant)));
}

function tenantTree(tenant: TenantPlan, one: boolean, most: number, stateOf: (decision: Decision) => Kept): TreeNode {
  const frozen = tenant.frozen === undefined ? '' : `   frozen: ${tenant.frozen}`;
  const text = `tenant ${tenant.namespace}/${tenant.name}   policy ${tenant.policy}   profile ${tenant.profile}${tenant.level === '' ? '' : ` (${tenant.level})`}${frozen}`;
  const spaces = groups(tenant.decisions, ({ source }) =>
    source === undefined ? AROUND : source.namespace === '' ? 'cluster-scoped' : source.namespace,
  );
  const sign = tenant.frozen === undefined ? {} : { sign: '!' as const };
  if (!one) return { text, ...sign, children: spaces.map(([space, list]) => ({ text: `${space}  ${kindCounts(list)}`, children: [] })) };
  return {
    text,
    ...sign,
    children: spaces.map(([space, list]) => ({
      text: space,
      children: groups(list, (decision) => (decision.source ?? decision.host)?.kind ?? '').map(([kind, objects]) => ({
        text: `${kind} ${objects.length}`,
        children: compact(
          objects.map((decision) => leaf(decision, stateOf(decision))),
          most,
        ),
      })),
    })),
  };
}

/** What the disk has of an object that no render writes now; undefined where it is written, or is none of the host's anyhow. */
type Kept = 'standing' | 'missing' | undefined;

function kept(plan: Plan, tenant: TenantPlan, decision: Decision, standing: ReadonlySet<string>): Kept {
  const { host, action } = decision;
  if (host === undefined || (action === 'Skip' && !stays(decision)) || heldOf(plan, tenant, decision) === undefined) return undefined;
  return standing.has(host.file) ? 'standing' : 'missing';
}

function leaf(decision: Decision, state: Kept): TreeNode {
  const { source, host, action, code, reason } = decision;
  const name = source?.name ?? host?.name ?? '';
  if (state === 'missing') return { text: `${name}  not in the tree yet`, sign: '!', children: [] };
  if (state === 'standing' || (host !== undefined && stays(decision)))
    return { text: `${name}${onHost(decision)}  held, as it was last rendered`, sign: '?', children: [] };
  if (host === undefined || action === 'Skip') return { text: `${name}  ${code} ${reason}`, sign: markOf(decision), children: [] };
  return { text: `${name}${onHost(decision)}`, ...(action === 'Delete' && { sign: '-' as const }), children: [] };
}

function onHost({ source, host }: Decision): string {
  const on = host === undefined ? '' : source === undefined ? host.namespace : refWords(host);
  return on === '' ? '' : ` -> ${on}`;
}

function compact(nodes: readonly TreeNode[], most: number): readonly TreeNode[] {
  if (nodes.length <= most + 1) return nodes;
  return [...nodes.slice(0, most), { text: `… and ${nodes.length - most} more (-v lists them all)`, children: [] }];
}

function kindCounts(decisions: readonly Decision[]): string {
  return groups(decisions, (decision) => (decision.source ?? decision.host)?.kind ?? '')
    .map(([kind, list]) => `${kind} ${list.length}`)
    .join(', ');
}

/** In the order of their first member, which is that of the plan. */
function groups(
  decisions: readonly Decision[],
  keyOf: (decision: Decision) => string,
): readonly (readonly [string, readonly Decision[]])[] {
  const found = new Map<string, Decision[]>();
  for (const decision of decisions) {
    const key = keyOf(decision);
    const list = found.get(key);
    if (list === undefined) found.set(key, [decision]);
    else list.push(decision);
  }
  return [...found].sort(([a], [b]) => Number(a === AROUND) - Number(b === AROUND));
}

function row(decision: Decision): AnswerRow {
  const { tenant, source, host } = decision;
  return {
    cells: [
      `${tenant.namespace}/${tenant.name}`,
      source?.namespace ?? '-',
      source === undefined ? '-' : `${source.kind}/${source.name}`,
      `${decision.code} ${decision.reason}`,
      host === undefined ? '-' : refWords(host),
      host?.file ?? '-',
    ],
  };
}

function objectRecord({ source, host, action, code, reason }: Decision, state: Kept): Record<string, string> {
  return {
    ...(source !== undefined && { source: refWords(source) }),
    ...(host !== undefined && { host: refWords(host), file: host.file }),
    action,
    code,
    reason,
    ...(state !== undefined && { tree: state }),
  };
}
