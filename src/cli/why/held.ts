import type { Plan, TenantPlan } from '../../core/plan/plan-types.ts';

/** Why a render leaves the tree of a tenant as it is: the tenant is frozen, or the render stops and writes nothing at all. */
export interface Held {
  readonly state: 'frozen' | 'stopped';
  readonly why: string;
}

/** A stop goes first: it holds for every tenant. */
export function heldOf(plan: Plan, tenant: TenantPlan | undefined): Held | undefined {
  if (plan.stopped) return { state: 'stopped', why: whyStopped(plan) };
  return tenant?.frozen === undefined ? undefined : { state: 'frozen', why: tenant.frozen };
}

const SENTENCES: Readonly<Record<Held['state'], string>> = {
  frozen: 'frozen: the tenant’s tree stays as it last was. Why:',
  stopped: 'stopped: the render stops, so nothing of this is written. Why:',
};

export function heldWords({ state, why }: Held): string {
  return `${SENTENCES[state]} ${why}`;
}

function whyStopped({ findings }: Plan): string {
  const error = findings.find(({ severity, tenant }) => severity === 'error' && tenant === undefined);
  return error === undefined ? 'the package is at odds with itself' : `${error.source.path}: ${error.message}`;
}
