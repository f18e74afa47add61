import type { Decision } from '../../core/decision/decision.ts';
import { type Plan, type TenantPlan, writesBoundary } from '../../core/plan/plan-types.ts';
import { fixOf, remedyFor } from './thaw.ts';

/** Why a render leaves the tree of a tenant as it is: the tenant is frozen, or the render stops and writes nothing at all. */
export interface Held {
  readonly state: 'frozen' | 'stopped';
  readonly why: string;
  /** what thaws the tenant */
  readonly remedy?: string;
}

/**
 * A stop goes first: it holds for every tenant.
 * @param decision the subject that is asked about: the boundary of a frozen tenant may be written all the same
 */
export function heldOf(plan: Plan, tenant: TenantPlan | undefined, decision?: Decision): Held | undefined {
  if (plan.stopped) return { state: 'stopped', why: whyStopped(plan) };
  if (tenant?.frozen === undefined || (decision !== undefined && isWritten(tenant, decision))) return undefined;
  return { state: 'frozen', why: tenant.frozen };
}

/** With what thaws the tenant, of which the line has to be looked up. */
export async function mended(
  held: Held | undefined,
  tenant: TenantPlan | undefined,
  decision: Decision,
  texts: ReadonlyMap<string, string>,
): Promise<Held | undefined> {
  const fix = held?.state !== 'frozen' || tenant === undefined ? undefined : await fixOf(tenant, texts);
  return held === undefined || fix === undefined ? held : { ...held, remedy: remedyFor(decision, fix) };
}

function isWritten(tenant: TenantPlan, decision: Decision): boolean {
  if (!writesBoundary(tenant)) return false;
  return decision.action === 'Delete' || tenant.files.some((file) => file.decision === decision);
}

const SENTENCES: Readonly<Record<Held['state'], string>> = {
  frozen: 'frozen: the tenant’s objects stay as they last were. Why:',
  stopped: 'stopped: the render stops, so nothing of this is written. Why:',
};

export function heldWords({ state, why }: Held): string {
  return `${SENTENCES[state]} ${why}`;
}

function whyStopped({ findings }: Plan): string {
  const error = findings.find(({ severity, tenant }) => severity === 'error' && tenant === undefined);
  return error === undefined ? 'the package is at odds with itself' : `${error.source.path}: ${error.message}`;
}
