import { KEY } from '../../identity/metadata.ts';
import { asString, type JsonObject } from '../../kube/json.ts';
import type { TenantSettings } from '../../plan/settings.ts';
import { orEmpty, text } from './cel.ts';

/**
 * The tolerations of a tenant's node pool, as its workload Namespace says them to the policies of its profile: a policy knows the
 * namespace, not the tenant, and the tree that holds the profile may hold no tenant. `nsu` keeps the annotation from everybody else.
 *
 * One text for each toleration, all five fields of it, so that two are equal where their texts are. No field that our schema takes
 * holds a separator, so no other toleration has such a text, whatever its fields hold.
 */
const FIELD = '|';
const ENTRY = ',';

/**
 * The annotation. Empty for a tenant without nodes of its own, and always said: what an applier does not write it leaves, and
 * one that somebody wrote before the namespace was a tenant's would open every node to it.
 */
export function nodePoolAnnotation({ mode, nodePool }: Pick<TenantSettings, 'mode' | 'nodePool'>): Readonly<Record<string, string>> {
  const entries = mode === 'dedicated' ? (nodePool?.tolerations ?? []).map(entry) : [];
  return { [KEY.nodePoolTolerations]: [...new Set(entries)].sort().join(ENTRY) };
}

/** Unsaid, the operator is Equal; unsaid and empty are the same in the others. */
function entry({ key, operator, value, effect, tolerationSeconds }: JsonObject): string {
  const seconds = typeof tolerationSeconds === 'number' ? String(tolerationSeconds) : '';
  return [asString(key) ?? '', asString(operator) || 'Equal', asString(value) ?? '', asString(effect) ?? '', seconds].join(FIELD);
}

const ANNOTATIONS = 'namespaceObject.metadata.annotations';
const POOL = text(KEY.nodePoolTolerations);

/** CEL of the entries of the namespace. */
export const NODE_POOL: string = `has(${ANNOTATIONS}) && ${POOL} in ${ANNOTATIONS} ? ${ANNOTATIONS}[${POOL}].split(${text(ENTRY)}) : []`;

/** CEL that says whether a toleration is one of them. */
export function ofNodePool(toleration: string): string {
  const path = (field: string): string => `${toleration}.${field}`;
  const operator = `(${orEmpty(path('operator'))} == '' ? 'Equal' : ${path('operator')})`;
  const seconds = `(has(${path('tolerationSeconds')}) ? string(${path('tolerationSeconds')}) : '')`;
  const fields = [orEmpty(path('key')), operator, orEmpty(path('value')), orEmpty(path('effect')), seconds];
  return `${fields.join(` + ${text(FIELD)} + `)} in variables.nodepool`;
}
