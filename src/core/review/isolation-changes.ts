import { type TenantPlan, writesBoundary } from '../plan/plan-types.ts';
import { compare } from '../plan/subjects.ts';
import type { Causes } from './causes.ts';
import { type Declared, declaredBy } from './declared.ts';
import { type Direction, directionOf } from './lattice.ts';
import type { IsolationChange } from './review.ts';
import type { Reviewed } from './reviewed.ts';
import { type Sides, tenantsOf } from './sides.ts';

/** Controls of tenants that stay, each with which way it went. Of a frozen tenant where its boundary is written all the same. */
export function isolationChanges({ before, after }: Sides<Reviewed>, causes: Causes): IsolationChange[] {
  const old = tenantsOf(before.plan);
  const found: IsolationChange[] = [];
  for (const [id, tenant] of tenantsOf(after.plan)) {
    const was = old.get(id);
    if (was === undefined || !isKnown(was) || !isKnown(tenant)) continue;
    const declared = [declaredBy(was, before.profiles.get(was.profile)), declaredBy(tenant, after.profiles.get(tenant.profile))] as const;
    for (const control of new Set([...declared[0].keys(), ...declared[1].keys()])) {
      const [from, to] = [declared[0].get(control), declared[1].get(control)];
      const change = changeOf(control, from, to);
      if (change !== undefined) found.push({ tenant: id, control, ...change, causes: causes.ofControl(id, control) });
    }
  }
  return found.sort((a, b) => compare(a.tenant, b.tenant) || compare(a.control, b.control));
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
  if (before === undefined || after === undefined) return undefined;
  const lost = [...before.means].filter((means) => !after.means.has(means));
  const gained = [...after.means].filter((means) => !before.means.has(means));
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
  return `${value} (${gap === undefined ? `enforced by ${[...means].join(', ') || 'nothing'}` : `not enforced: ${gap}`})`;
}
