import type { Decision } from '../decision/decision.ts';
import { kindOf, nameOf } from '../kube/object.ts';
import { objectsFolder } from '../plan/assign.ts';
import { folderOf } from '../plan/old-tree.ts';
import type { InputObject, Observation, Plan } from '../plan/plan-types.ts';
import { claimedHosts } from '../translate/kinds/ingress-hosts.ts';
import type { Sort } from './causes.ts';
import { compareObjects } from './compare-objects.ts';
import { hostTree, type TreeObject } from './host-tree.ts';
import { refusals } from './refusal-changes.ts';
import type { InputChange } from './review.ts';
import { type PlanInput, type Sides, tenantId } from './sides.ts';

/** The plan of a package whose configuration is edited already, and whose objects are not yet. */
export interface Between {
  sortOf(id: string, before: TreeObject | undefined, after: TreeObject | undefined): Sort | undefined;
  /** @param key of a refusal that only one side has */
  sortOfRefusal(key: string, decision: Decision, verb: 'added' | 'removed'): Sort | undefined;
}

/**
 * Configuration as it is after the edits, with the tenants' objects as they were before.
 * @param after what `plan` was made from
 * @param only the tenants that are asked for, all where undefined: of the others' folders nothing is looked at, so that none is gone
 */
export function configurationAlone(
  before: readonly InputObject[],
  after: Observation,
  { tenants }: Plan,
  only: ReadonlySet<string> | undefined,
): Observation {
  const isObject = ({ source }: InputObject): boolean => objectsFolder(source.path) !== undefined;
  const inputs = [...after.inputs.filter((input) => !isObject(input)), ...before.filter(isObject)];
  if (only === undefined) return { ...after, inputs };
  const others = new Set(tenants.filter((tenant) => !only.has(tenantId(tenant))).map(({ namespace }) => namespace));
  const previous = (after.previous ?? []).filter(({ source }) => !others.has(folderOf(source.path)));
  const config = { ...after.config, allowEmpty: true, maxDeletions: Number.POSITIVE_INFINITY };
  return { ...after, inputs, previous, config, only };
}

/**
 * The tenants whose objects were edited: the others' plan after the edits is that of configuration alone. Undefined where an edit
 * may reach further, since a tenant waits, or a host may change hands; then all are to be planned.
 */
export function editedTenants(
  changes: readonly InputChange[],
  plans: Sides<Plan>,
  input: Sides<Pick<PlanInput, 'inputs'>>,
): ReadonlySet<string> | undefined {
  const edits = changes.filter(({ role }) => role === 'object');
  const claimants = new Set(
    [...input.before.inputs, ...input.after.inputs].flatMap(({ object }) =>
      claimedHosts(object).length === 0 ? [] : [`${kindOf(object)} ${nameOf(object)}`],
    ),
  );
  const further = edits.some(({ tenant, ref }) => tenant === undefined || claimants.has(`${ref.kind} ${ref.name}`));
  const waits = [plans.before, plans.after].some(({ tenants }) => tenants.some(({ frozen }) => frozen !== undefined));
  return further || waits ? undefined : new Set(edits.flatMap(({ tenant }) => tenant ?? []));
}

/**
 * @param plan where there are edits of both sorts; otherwise there is nothing to tell apart
 * @param only the tenants that it holds, where it does not hold all
 */
export function between(plan: Plan | undefined, only?: ReadonlySet<string>): Between {
  if (plan === undefined) return { sortOf: () => undefined, sortOfRefusal: () => undefined };
  const tree = hostTree(plan);
  const refused = refusals(plan);
  const isPlanned = (tenant: string): boolean => only?.has(tenant) !== false;
  return {
    sortOf(id, before, after) {
      const { decision } = after ?? before ?? {};
      if (decision !== undefined && !isPlanned(tenantId(decision.tenant))) return 'configuration';
      const there = tree.get(id);
      if (same(there, after)) return 'configuration';
      return same(there, before) ? 'objects' : 'both';
    },
    sortOfRefusal(key, { tenant }, verb) {
      return !isPlanned(tenantId(tenant)) || refused.has(key) === (verb === 'added') ? 'configuration' : 'objects';
    },
  };
}

function same(a: TreeObject | undefined, b: TreeObject | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return compareObjects(a.object, b.object).length === 0;
}
