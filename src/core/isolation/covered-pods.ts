import { digest } from '../identity/digest.ts';
import { KEY } from '../identity/metadata.ts';
import { asArray, type JsonObject, objectAt } from '../kube/json.ts';
import { annotationsOf, type KubeObject, kindOf } from '../kube/object.ts';
import type { Note } from '../translate/edit.ts';
import { complementSelectors, MAX_TERMS } from './complement.ts';

export type PolicyDirection = 'Ingress' | 'Egress';

/** The pods that an allowance of ours is for, as one selector each. */
export interface AllowedPods {
  /** no policy of the tenant's speaks of the direction */
  readonly all: boolean;
  readonly selectors: readonly JsonObject[];
  readonly notes: readonly Note[];
}

/**
 * The pods that none of the tenant's own NetworkPolicies selects in a direction. In Kubernetes a pod that a policy selects gets
 * what policies admit and nothing else, and policies only add up, so our allowances must not cover it (projection rules,
 * section 7). Of one virtual namespace where that cannot be said in so many terms, no pod is covered: closed, with a note.
 *
 * @param hostObjects the projected objects of the tenant; its policies among them carry their scope labels in `podSelector`
 */
export function podsWithoutPolicy(hostObjects: readonly KubeObject[], direction: PolicyDirection): AllowedPods {
  const byNamespace = new Map<string, JsonObject[]>();
  for (const policy of hostObjects) {
    const virtualNamespace = annotationsOf(policy).get(KEY.virtualNamespace);
    if (kindOf(policy) !== 'NetworkPolicy' || virtualNamespace === undefined || !directionsOf(policy).includes(direction)) continue;
    const selectors = byNamespace.get(virtualNamespace) ?? [];
    selectors.push(withoutScope(objectAt(policy, 'spec', 'podSelector') ?? {}));
    byNamespace.set(virtualNamespace, selectors);
  }
  if (byNamespace.size === 0) return { all: true, selectors: [{}], notes: [] };

  const namespaces = [...byNamespace.keys()].sort();
  const selectors: JsonObject[] = [{ matchExpressions: [{ key: KEY.virtualNamespace, operator: 'NotIn', values: namespaces }] }];
  const notes: Note[] = [];
  for (const virtualNamespace of namespaces) {
    const terms = complementSelectors(byNamespace.get(virtualNamespace) ?? []);
    if (terms === 'too-many') {
      notes.push({ reason: 'AllowancesTooComplex', params: { direction, namespace: virtualNamespace, limit: String(MAX_TERMS) } });
    } else {
      for (const term of terms) {
        selectors.push({ ...term, matchLabels: { ...objectAt(term, 'matchLabels'), [KEY.virtualNamespace]: virtualNamespace } });
      }
    }
  }
  return { all: false, selectors, notes };
}

/** Unsaid means Ingress, and Egress too where there are egress rules (networking/v1, NetworkPolicySpec.policyTypes). */
export function directionsOf(policy: KubeObject): readonly unknown[] {
  const said = asArray(objectAt(policy, 'spec')?.['policyTypes']);
  if (said !== undefined && said.length > 0) return said;
  return (asArray(objectAt(policy, 'spec')?.['egress']) ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function withoutScope(selector: JsonObject): JsonObject {
  const { [KEY.tenant]: _tenant, [KEY.virtualNamespace]: _namespace, ...matchLabels } = objectAt(selector, 'matchLabels') ?? {};
  return { ...selector, matchLabels };
}

/** A name for one of several objects that say the same of other pods; stable while its selector is. */
export function termName(name: string, direction: PolicyDirection, selector: JsonObject): string {
  return `${name}-${direction.toLowerCase()}-${digest([JSON.stringify(selector)])}`;
}
