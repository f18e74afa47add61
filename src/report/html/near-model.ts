import type { Decision } from '../../core/decision/decision.ts';
import { nearMisses } from '../../core/explain/near-misses.ts';
import { missingEntry } from '../../core/explain/policy-entry.ts';
import { kindOf, nameOf } from '../../core/kube/object.ts';
import { objectsFolder } from '../../core/plan/assign.ts';
import type { InputObject, TenantPlan } from '../../core/plan/plan-types.ts';
import { entryWords, nearWords } from '../near-words.ts';
import type { NearModel } from './model.ts';

/** What is near an object that is not on the host, from the answer of `why-not`. */
export type NearOf = (decision: Decision, tenant: TenantPlan) => NearModel | undefined;

export function nearOf(inputs: readonly InputObject[]): NearOf {
  // what a tenant calls a policy is none
  const policies = inputs.filter(({ object, source }) => kindOf(object) === 'SyncPolicy' && objectsFolder(source.path) === undefined);
  return (decision, tenant) => {
    if (decision.action !== 'Skip' || decision.source === undefined) return undefined;
    const missing = missingEntry(decision, tenant.policy);
    const words = nearWords(nearMisses(decision.source, tenant, policies), missing);
    if (missing === undefined) return words.length === 0 ? undefined : { words };
    const file = policies.find(({ object }) => nameOf(object) === missing.policy)?.source.path ?? '';
    return { words, add: { policy: missing.policy, entry: entryWords(missing.entry), file } };
  };
}
