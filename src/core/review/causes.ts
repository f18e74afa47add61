import type { Decision, ObjectRef } from '../decision/decision.ts';
import { KEY } from '../identity/metadata.ts';
import { kindKey } from '../kube/object.ts';
import type { Difference } from './compare-objects.ts';
import { identity } from './host-tree.ts';
import { CONFIG_ID, type InputChanges } from './input-changes.ts';
import type { InputChange } from './review.ts';
import type { Reviewed } from './reviewed.ts';
import { type Sides, tenantId, tenantsOf } from './sides.ts';

/** Which edits of the input a change on the host comes from. Where several could be, all are named, the decisive one first. */
export interface Causes {
  ofObject(
    before: Decision | undefined,
    after: Decision | undefined,
    differences: readonly Difference[],
    sort: Sort | undefined,
  ): readonly string[];
  ofDecision(decision: Decision, side: 'before' | 'after', sort: Sort | undefined): readonly string[];
  ofControl(tenant: string, control: string): readonly string[];
  ofProfile(profile: string, control: string): readonly string[];
}

/**
 * Which sort of edit a change comes from, as the planner says when it is asked with the edits of configuration alone: what is
 * there already then comes from them, what is not there yet comes from edits of objects.
 */
export type Sort = 'configuration' | 'objects' | 'both';

/**
 * A decision depends on its object, then on the TenantCluster, profile, policy, facts and config of its tenant, then on the other
 * objects of the tenant (names, selectors, autoscalers, counts), then on the fleet (hosts that are taken). The first of these
 * rings in which something was edited holds the cause, and all of it that was edited there is named.
 */
export function createCauses(sides: Sides<Reviewed>, { changes, idAt }: InputChanges): Causes {
  const all = [...changes.values()];
  const tenants = { before: tenantsOf(sides.before.plan), after: tenantsOf(sides.after.plan) };
  const objects = grouped(all.filter(({ role }) => role === 'object'));
  // Of other tenants’ edits their profiles and policies are the last to count.
  const elsewhere = all.filter(({ role }) => role !== 'profile' && role !== 'policy');
  const fleet = elsewhere.length > 0 ? elsewhere : all;
  const notListed = new Set(
    sides.after.plan.tenants.flatMap(({ decisions }) =>
      decisions.flatMap(({ reason, tenant, source }) =>
        reason === 'KindNotListed' && source !== undefined ? [subjectKey(tenant, source)] : [],
      ),
    ),
  );

  const source = (decision: Decision | undefined, side: 'before' | 'after'): InputChange | undefined =>
    decision?.source === undefined ? undefined : changes.get(idAt(side, decision.source.file) ?? '');

  /** configuration that counts for a tenant, or for a profile's shared objects */
  const around = (decision: Decision): readonly InputChange[] => {
    const tenant = tenantId(decision.tenant);
    const plans = [tenants.before.get(tenant), tenants.after.get(tenant)];
    const shared = decision.tenant.name === '';
    const profile = decision.params['profile'];
    const ids = new Set([
      `TenantCluster/${tenant}`,
      ...plans.flatMap((plan) => (plan === undefined ? [] : [`IsolationProfile/${plan.profile}`, `SyncPolicy/${plan.policy}`])),
      ...(profile === undefined ? [] : [`IsolationProfile/${profile}`]),
      CONFIG_ID,
    ]);
    return all.filter(
      (change) => ids.has(change.id) || change.role === 'facts' || (shared && change.role === 'tenant' && concernsNodes(change)),
    );
  };

  const rings = (decision: Decision, own: InputChange | undefined, sort: Sort | undefined): readonly InputChange[] => {
    const near = sort === 'objects' ? [] : around(decision).filter((change) => change.role !== 'policy' || coversKind(change, decision));
    if (near.length > 0 && sort !== 'both') return near;
    const edited = objectRings(decision, own);
    return near.length === 0 ? edited : [...new Set([...near, ...edited])];
  };

  /** what left because its kind is in no policy entry any more, left by that alone, whatever else was edited */
  const unlisted = (before: Decision): readonly InputChange[] => {
    if (before.source === undefined || !notListed.has(subjectKey(before.tenant, before.source))) return [];
    return around(before).filter(
      (change) => (change.role === 'policy' && coversKind(change, before)) || (change.role === 'tenant' && choosesPolicy(change)),
    );
  };

  const objectRings = (decision: Decision, own: InputChange | undefined): readonly InputChange[] => {
    if (own !== undefined) return [own];
    const mates = objects.get(tenantId(decision.tenant)) ?? [];
    const named = mates.filter((change) => mentions(change, decision));
    if (named.length > 0) return named;
    if (mates.length > 0) return mates;
    // An entry of another kind counts for what is made of several objects.
    const near = around(decision);
    if (near.length > 0) return near;
    return fleet;
  };

  const ids = (found: readonly InputChange[]): readonly string[] => (found.length === 0 ? [TOOL] : found.map(({ id }) => id));

  return {
    ofObject(before, after, differences, sort) {
      const decision = after ?? before;
      if (decision === undefined) return [TOOL];
      const own = source(after, 'after') ?? source(before, 'before');
      const left = before !== undefined && after === undefined ? unlisted(before) : [];
      if (left.length > 0) return ids(left);
      if (before === undefined || after === undefined) {
        // An object that comes or goes with its source does so because of it; what else let it through is named beside it.
        const near = rings(decision, own, sort);
        if (own === undefined || own.verb === 'changed' || sort === 'configuration') return ids(near);
        return ids([own, ...near.filter((change) => change !== own && (change.role === 'policy' || change.verb !== 'changed'))]);
      }
      const counts = new Map<InputChange, number>();
      const telling = differences.filter(({ path }) => !isDerived(path));
      for (const difference of telling.length > 0 ? telling : differences) {
        const copied = own !== undefined && (own.verb !== 'changed' || own.fields.some(({ pointer }) => overlaps(pointer, difference)));
        for (const change of copied && sort !== 'configuration' ? [own] : rings(decision, own, sort))
          counts.set(change, (counts.get(change) ?? 0) + 1);
      }
      return ids([...counts].sort((a, b) => b[1] - a[1]).map(([change]) => change));
    },
    ofDecision(decision, side, sort) {
      const own = source(decision, side);
      if (own !== undefined && own.verb !== 'changed' && sort !== 'configuration') return [own.id];
      const near = rings(decision, own, sort);
      return ids(own === undefined || sort === 'configuration' || near.includes(own) ? near : [own, ...near]);
    },
    ofControl(tenant, control) {
      const plan = tenants.after.get(tenant);
      const was = tenants.before.get(tenant);
      const wanted = new Set([
        `TenantCluster/${tenant}`,
        `IsolationProfile/${plan?.profile}`,
        `IsolationProfile/${was?.profile}`,
        CONFIG_ID,
      ]);
      const near = all.filter((change) => wanted.has(change.id) || change.role === 'facts');
      const entries = control.startsWith('resources.') ? all.filter(({ id }) => id === `SyncPolicy/${plan?.policy}`) : [];
      const exact = entries.length > 0 ? entries : near.filter((change) => names(change, control));
      const policies = all.filter(({ id }) => id === `SyncPolicy/${plan?.policy}` || id === `SyncPolicy/${was?.policy}`);
      return ids([exact, near, objects.get(tenant) ?? [], policies, fleet].find((ring) => ring.length > 0) ?? []);
    },
    ofProfile(profile, control) {
      const near = all.filter(({ id, role }) => id === `IsolationProfile/${profile}` || id === CONFIG_ID || role === 'facts');
      const exact = near.filter((change) => names(change, control));
      return ids([exact, near, fleet].find((ring) => ring.length > 0) ?? []);
    },
  };
}

/** Where no edit explains a change, the tools on both sides are not the same. */
export const TOOL = 'tool';

function grouped(changes: readonly InputChange[]): ReadonlyMap<string, readonly InputChange[]> {
  const groups = new Map<string, InputChange[]>();
  for (const change of changes) {
    const group = groups.get(change.tenant ?? '');
    if (group === undefined) groups.set(change.tenant ?? '', [change]);
    else group.push(change);
  }
  return groups;
}

/** Whether a changed policy has an edited entry for the kind of an object. Fields that are no entry's count for all. */
function coversKind(change: InputChange, { source, host }: Decision): boolean {
  const ref = source ?? host;
  if (ref === undefined || change.verb !== 'changed') return true;
  const name = `${ref.apiVersion}/${ref.kind}`;
  return change.fields.some(({ path }) => !path.startsWith('spec.resources[') || path.startsWith(`spec.resources[${name}]`));
}

function names({ fields }: InputChange, control: string): boolean {
  return fields.some(({ path }) => path.startsWith(`spec.${control}`));
}

function choosesPolicy({ fields, verb }: InputChange): boolean {
  return verb !== 'changed' || fields.some(({ path }) => path.startsWith('spec.syncPolicyRef'));
}

function subjectKey(tenant: Decision['tenant'], source: ObjectRef): string {
  return `${tenantId(tenant)}|${identity(source)}`;
}

/** Pools and their tolerations are in the objects that all tenants of a profile share. */
function concernsNodes({ fields, verb }: InputChange): boolean {
  return verb !== 'changed' || fields.some(({ path }) => /^spec\.(nodePool|mode|isolationProfileRef)/.test(path));
}

/** An edited object by whose name a subject goes: a short name's Service, the autoscaler of a workload. */
function mentions({ ref }: InputChange, { source, params }: Decision): boolean {
  if (source === undefined) return ref.kind === 'Service' && params['source'] === `${ref.namespace}/${ref.name}`;
  const other = kindKey(ref.apiVersion, ref.kind) !== kindKey(source.apiVersion, source.kind);
  return other && ref.namespace === source.namespace && ref.name === source.name;
}

/** Annotations that say why an object is as it is follow from what decided it. */
const DERIVED: ReadonlySet<unknown> = new Set([KEY.rewrites, KEY.causedBy, KEY.decision, KEY.isolation]);

function isDerived(path: Difference['path']): boolean {
  return path[1] === 'annotations' && DERIVED.has(path[2]);
}

/** Whether a field of the source is the field of the host, or holds it, or is held by it; list places are passed over. */
function overlaps(pointer: string, { path }: Difference): boolean {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const length = Math.min(steps.length, path.length);
  for (let index = 0; index < length; index += 1) {
    const step = path[index];
    if (typeof step === 'string' && step !== steps[index]) return false;
  }
  return true;
}
