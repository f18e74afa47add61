import type { ReasonName } from '../decision/reasons.ts';
import type { Plan, PreviousObject } from '../plan/plan-types.ts';
import { compare } from '../plan/subjects.ts';
import { between, editedTenants } from './between.ts';
import { createCauses, TOOL } from './causes.ts';
import { hostChanges } from './host-changes.ts';
import { asPrevious, type HostTree, hostTree } from './host-tree.ts';
import { fileChanges, inputChanges } from './input-changes.ts';
import { enforcing, isolationChanges, notJudged } from './isolation-changes.ts';
import { outOfScopeChanges, refusalChanges } from './refusal-changes.ts';
import type { FrozenTenant, HostChange, InputChange, Review, ReviewSide, StopFinding } from './review.ts';
import { type Reviewed, reviewed } from './reviewed.ts';
import { type PlanInput, type Sides, tenantId } from './sides.ts';

/**
 * What changes on the host between two plans, each change with the edit of the input that caused it. Pure; holds no Secret value.
 *
 * `after` is to be planned upon the tree of `before` (`treeOf`), as a render after a merge would be: then what is removed, replaced,
 * held or frozen is the planner's own decision, and tenants that are frozen keep what stood.
 *
 * @param configured plans the configuration of `after` with the objects of `before` (`configurationAlone`), of these tenants or of
 *   all; asked only where edits of both sorts could be the cause of a change
 */
export function review(
  before: Plan,
  after: Plan,
  input: Sides<PlanInput>,
  configured?: (only: ReadonlySet<string> | undefined) => Plan,
): Review {
  const was = reviewed(before, input.before, hostTree(before, input.before.tree));
  const sides = { before: was, after: reviewed(after, input.after, withStanding(hostTree(after), after, was)) };
  const edits = inputChanges(input);
  const files = fileChanges({ before, after }, input);
  const known = new Set([...edits.changes.values()].map(({ file }) => file));
  const unread = files.filter(({ file }) => !known.has(file));
  const changed = { ...edits, changes: new Map([...edits.changes, ...unread.map((change) => [change.id, change] as const)]) };
  const causes = createCauses(sides, changed);
  const roles = new Set([...changed.changes.values()].map(({ role }) => role === 'object'));
  const edited = editedTenants([...changed.changes.values()], { before, after }, input);
  const split = between(roles.size > 1 ? configured?.(edited) : undefined, edited);
  const isolation = isolationChanges(sides, causes);
  const { changes, unchanged } = hostChanges(sides, causes, split, enforcing(sides, isolation));
  const refusals = refusalChanges(sides, causes, split);
  const outOfScope = outOfScopeChanges(sides, causes);
  const used = new Set([...changes, ...isolation, ...refusals, ...outOfScope].flatMap((change) => change.causes));
  const stopped = sides.after.plan.stopped
    ? sides.after.plan.findings.filter(({ severity, tenant }) => severity === 'error' && tenant === undefined)
    : [];
  const unjudged = notJudged(sides);
  return {
    before: sideOf(sides.before),
    after: sideOf(sides.after),
    causes: [...changed.changes.values(), ...(used.has(TOOL) ? [toolChange()] : [])],
    changes: changes.sort(byPlace),
    refusals,
    outOfScope,
    isolation,
    ...(unjudged.length > 0 && { notJudged: unjudged }),
    unchanged,
    frozen: frozenTenants(before, after),
    stops: after.findings.filter(({ severity }) => severity === 'error').map(stopFinding),
    warnings: after.findings.filter(({ reason }) => OF_FROZEN.has(reason)).map(stopFinding),
    ...(sides.after.plan.stopped && {
      stopped: stopped.map(({ code, message }) => `${code} ${message}`).join(' ') || 'the input contradicts itself',
    }),
  };
}

/** What is said beside that a tenant is frozen: more than the tree shows, in which nothing of the tenant's own moves. */
const OF_FROZEN: ReadonlySet<string> = new Set<ReasonName>(['ProfileHeld', 'ProfileMovedOn', 'BoundaryWaits']);

/** The tree that a plan leaves, as the old one of the plan that comes after it. */
export function treeOf(plan: Plan, input: PlanInput): PreviousObject[] {
  return asPrevious(hostTree(plan, input.tree));
}

/** What the plan does not remove although it does not write it either (frozen tenants, held configuration) stands as it stood. */
function withStanding(tree: HostTree, { removed }: Plan, before: Reviewed): HostTree {
  const gone = new Set(removed);
  const standing = [...before.tree].filter(([id, { ref }]) => !tree.has(id) && !gone.has(ref.file));
  return standing.length === 0 ? tree : new Map([...tree, ...standing]);
}

function frozenTenants(before: Plan, after: Plan): FrozenTenant[] {
  const old = new Set(before.tenants.filter(({ frozen }) => frozen !== undefined).map(tenantId));
  return after.tenants.flatMap((tenant) => {
    if (tenant.frozen === undefined) return [];
    const id = tenantId(tenant);
    return [{ tenant: id, why: tenant.frozen, ...(!old.has(id) && { newly: true as const }) }];
  });
}

function stopFinding({ code, reason, message, remedy, source, pointer, tenant }: Plan['findings'][number]): StopFinding {
  return {
    ...(tenant !== undefined && { tenant }),
    code,
    reason,
    message,
    remedy,
    file: source.path,
    document: source.document,
    ...(source.line !== undefined && { line: source.line }),
    ...(pointer !== undefined && { pointer }),
  };
}

function sideOf({ input, plan, tree }: Reviewed): ReviewSide {
  return {
    label: input.label,
    ...(input.commit !== undefined && { commit: input.commit }),
    objects: tree.size,
    tenants: plan.tenants.length,
  };
}

function toolChange(): InputChange {
  const ref = { apiVersion: '', kind: 'tenantplane', namespace: '', name: '' };
  return { id: TOOL, verb: 'changed', role: 'tool', ref, file: '', document: 0, fields: [] };
}

function byPlace(a: HostChange, b: HostChange): number {
  return (
    compare(a.tenant ?? '', b.tenant ?? '') ||
    compare(a.host.kind, b.host.kind) ||
    compare(a.host.namespace, b.host.namespace) ||
    compare(a.host.name, b.host.name) ||
    compare(a.host.apiVersion, b.host.apiVersion)
  );
}
