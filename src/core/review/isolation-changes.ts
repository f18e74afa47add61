import { type TenantPlan, writesBoundary } from '../plan/plan-types.ts';
import { compare } from '../plan/subjects.ts';
import { boundChanges } from './bounds.ts';
import type { Causes } from './causes.ts';
import { type Declared, declaredBy } from './declared.ts';
import { identity } from './host-tree.ts';
import type { Judged } from './judged-settings.ts';
import { type Direction, directionOf } from './lattice.ts';
import { type IsolationChange, PROFILE } from './review.ts';
import type { Reviewed } from './reviewed.ts';
import { type Sides, tenantsOf } from './sides.ts';

/**
 * What differs in the isolation of tenants that stay, each with which way it went; of profiles that no tenant beside them uses, in
 * their own name. Of a frozen tenant what its tree was made from counts, under the profile as it is.
 */
export function isolationChanges({ before, after }: Sides<Reviewed>, causes: Causes): IsolationChange[] {
  const old = tenantsOf(before.plan);
  const found: IsolationChange[] = [];
  const told = new Set<string>();
  for (const [id, tenant] of tenantsOf(after.plan)) {
    const was = old.get(id);
    if (was === undefined) continue;
    const [from, to] = [judgedOf(before, was), judgedOf(after, tenant)];
    if (from === undefined || to === undefined) continue;
    const plans = isKnown(was) && isKnown(tenant) ? ([was, tenant] as const) : NO_PLANS;
    for (const change of compared([from, to], plans)) found.push({ tenant: id, ...change, causes: causes.ofControl(id, change.control) });
    if (from.profile.name === to.profile.name) told.add(to.profile.name);
  }
  for (const name of after.settings.profiles) {
    const [from, to] = [before.settings.ofProfile(name), after.settings.ofProfile(name)];
    if (told.has(name) || from === undefined || to === undefined) continue;
    const id = `${PROFILE}${name}`;
    for (const change of compared([from, to], NO_PLANS))
      found.push({ tenant: id, ...change, causes: causes.ofProfile(name, change.control) });
  }
  return found.sort((a, b) => compare(a.tenant, b.tenant) || compare(a.control, b.control));
}

/** Tenants that were frozen, and of which nothing tells what their tree was made from: nobody can say which way they went. */
export function notJudged({ before, after }: Sides<Reviewed>): string[] {
  const now = tenantsOf(after.plan);
  return [...tenantsOf(before.plan)].flatMap(([id, was]) => {
    const tenant = now.get(id);
    return tenant?.frozen === undefined && tenant !== undefined && judgedOf(before, was) === undefined ? [id] : [];
  });
}

const NO_PLANS = [undefined, undefined] as const;

type Change = Omit<IsolationChange, 'tenant' | 'causes'>;

function compared([from, to]: readonly [Judged, Judged], plans: readonly [TenantPlan | undefined, TenantPlan | undefined]): Change[] {
  const declared = [declaredBy(from, to, plans[0]), declaredBy(to, from, plans[1])] as const;
  const changes = [...new Set([...declared[0].keys(), ...declared[1].keys()])].flatMap((control) => {
    const change = changeOf(control, declared[0].get(control), declared[1].get(control));
    return change === undefined ? [] : [{ control, ...change }];
  });
  return [...changes, ...boundChanges(from, to)];
}

/** A frozen tenant runs as the copy of its TenantCluster in the tree says. */
function judgedOf({ settings, tree }: Reviewed, tenant: TenantPlan): Judged | undefined {
  if (isKnown(tenant)) return settings.ofTenant(tenant);
  const stood = tree.get(
    identity({ apiVersion: 'tenantplane.io/v1alpha1', kind: 'TenantCluster', namespace: tenant.namespace, name: tenant.name }),
  );
  return stood === undefined ? undefined : settings.ofTenant(tenant, stood.object);
}

function isKnown(tenant: TenantPlan): boolean {
  return tenant.frozen === undefined || writesBoundary(tenant);
}

/** The host objects that enforce a control, by tenant, before and after. */
export function enforcing(
  { before, after }: Sides<Reviewed>,
  changes: readonly IsolationChange[],
): (tenant: string, object: string) => readonly Direction[] {
  const directions = new Map<string, Set<Direction>>();
  const rows = (side: Reviewed, id: string, control: string): readonly string[] =>
    tenantsOf(side.plan)
      .get(id)
      ?.controls.find(({ field }) => field === control)?.enforcedBy ?? [];
  for (const { tenant, control, direction } of changes) {
    for (const object of [...rows(before, tenant, control), ...rows(after, tenant, control)]) {
      const key = `${tenant}|${object}`;
      directions.set(key, (directions.get(key) ?? new Set()).add(direction));
    }
  }
  return (tenant, object) => [...(directions.get(`${tenant}|${object}`) ?? [])];
}

function changeOf(
  control: string,
  before: Declared | undefined,
  after: Declared | undefined,
): Omit<IsolationChange, 'tenant' | 'control' | 'causes'> | undefined {
  const [was, is] = [before?.value, after?.value];
  if (was !== is) return { before: was ?? 'not declared', after: is ?? 'not declared', direction: directionOf(control, was, is) };
  if (before?.means === undefined || after?.means === undefined) return undefined;
  const [had, has] = [before.means, after.means];
  const lost = [...had].filter((means) => !has.has(means));
  const gained = [...has].filter((means) => !had.has(means));
  const gap = (before.gap === undefined ? 0 : 1) - (after.gap === undefined ? 0 : 1);
  if (lost.length === 0 && gained.length === 0 && gap === 0) return undefined;
  const weaker = lost.length > 0 || gap < 0;
  const stronger = gained.length > 0 || gap > 0;
  return {
    before: enforcementText(before),
    after: enforcementText(after),
    direction: weaker && stronger ? 'different' : weaker ? 'weaker' : 'stronger',
  };
}

function enforcementText({ value, means, gap }: Declared): string {
  return `${value} (${gap === undefined ? `enforced by ${[...(means ?? [])].join(', ') || 'nothing'}` : `not enforced: ${gap}`})`;
}
