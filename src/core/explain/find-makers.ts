import type { ObjectRef } from '../decision/decision.ts';
import { kindKey } from '../kube/object.ts';
import type { Plan } from '../plan/plan-types.ts';
import { type Found, findSubjects, type Question } from './find-subjects.ts';
import { mayHaveMade } from './made-by.ts';

interface Maker {
  readonly found: Found;
  readonly kind: string;
  /** the one that the made object is called after, of the host or else the tenant's own */
  readonly name: string;
}

/**
 * The decisions on what may have made the object that is asked for: a Deployment for its pods. A name tells nothing of the tenant, so
 * each tenant that has a maker is told of.
 */
export function findMakers(plan: Plan, question: Question): readonly Found[] {
  const { namespace, ...others } = question;
  const found = makersIn(plan, question);
  // a namespace of the host, or else the tenant's own
  return found.length > 0 || namespace === undefined ? found : makersIn(plan, { ...others, virtualNamespace: namespace });
}

function makersIn(plan: Plan, { name, kind, ...where }: Question): readonly Found[] {
  if (name === undefined) return [];
  const made = { name, ...(kind !== undefined && { kind }) };
  const byTenant = new Map<string, Maker[]>();
  for (const found of findSubjects(plan, where)) {
    const { host, source, tenant } = found.decision;
    const ref = [host, source].find((each) => each !== undefined && makes(each, made));
    if (ref === undefined) continue;
    const key = `${tenant.namespace}/${tenant.name}`;
    const makers = byTenant.get(key) ?? [];
    makers.push({ found, kind: kindKey(ref.apiVersion, ref.kind), name: ref.name });
    byTenant.set(key, makers);
  }
  return [...byTenant.values()].flatMap(likeliest).map(({ found }) => found);
}

/** What is not on the host makes nothing there. Of the others the longest name fits best, but for Jobs: an index looks like a part of a name. */
function likeliest(makers: readonly Maker[]): readonly Maker[] {
  const there = makers.filter(isOnHost);
  const among = there.length > 0 ? there : makers;
  const length = Math.max(...among.map(({ name }) => name.length));
  const jobs = among.some(({ kind, name }) => kind === JOB && name.length === length);
  return among.filter(({ kind, name }) => name.length === length || (jobs && kind === JOB));
}

const JOB = 'Job.batch';

function isOnHost({ found: { decision } }: Maker): boolean {
  return decision.action === 'Create' || decision.action === 'Update';
}

function makes({ apiVersion, kind, name }: ObjectRef, made: { readonly kind?: string; readonly name: string }): boolean {
  return mayHaveMade(kindKey(apiVersion, kind), name, made);
}
