import { KEY } from '../../identity/metadata.ts';
import { asString, type JsonObject } from '../../kube/json.ts';
import type { TenantSettings } from '../../plan/settings.ts';
import { every, orEmpty, text } from './cel.ts';

/**
 * A tenant's node pool, as its workload Namespace says it to the policies of its profile: a policy knows the namespace, not the
 * tenant, and the tree that holds the profile may hold no tenant. `nsu` keeps the annotations from everybody else.
 *
 * One text for each toleration, all five fields of it, so that two are equal where their texts are, and `key=value` for each label
 * of the nodes, as kubectl takes selectors. No field that our schema takes holds a separator, so no other toleration or label has
 * such a text, whatever its fields hold.
 */
const FIELD = '|';
const LABEL = '=';
const ENTRY = ',';

/**
 * The annotations. Empty for a tenant without nodes of its own, and always said: what an applier does not write it leaves, and
 * tolerations that somebody wrote before the namespace was a tenant's would open every node to it.
 */
export function nodePoolAnnotations({ mode, nodePool }: Pick<TenantSettings, 'mode' | 'nodePool'>): Readonly<Record<string, string>> {
  const pool = mode === 'dedicated' ? nodePool : undefined;
  const labels = Object.entries(pool?.nodeSelector ?? {}).map(([key, value]) => `${key}${LABEL}${value}`);
  return {
    [KEY.nodePoolTolerations]: entries((pool?.tolerations ?? []).map(entry)),
    [KEY.nodePoolSelector]: entries(labels),
  };
}

function entries(texts: readonly string[]): string {
  return [...new Set(texts)].sort().join(ENTRY);
}

/** Unsaid, the operator is Equal; unsaid and empty are the same in the others. */
function entry({ key, operator, value, effect, tolerationSeconds }: JsonObject): string {
  const seconds = typeof tolerationSeconds === 'number' ? String(tolerationSeconds) : '';
  return [asString(key) ?? '', asString(operator) || 'Equal', asString(value) ?? '', asString(effect) ?? '', seconds].join(FIELD);
}

const ANNOTATIONS = 'namespaceObject.metadata.annotations';

/** What a namespace says under a key; nothing where it was rendered before there was such a key. */
function said(key: string): string {
  return `has(${ANNOTATIONS}) && ${text(key)} in ${ANNOTATIONS} ? ${ANNOTATIONS}[${text(key)}] : ''`;
}

/** CEL of the pool, as variables of a policy: its tolerations, the text of its labels, and each of these. */
export const NODE_POOL: Readonly<Record<string, string>> = {
  nodepool: `(${said(KEY.nodePoolTolerations)}).split(${text(ENTRY)})`,
  nodelabels: said(KEY.nodePoolSelector),
};

/** CEL that says whether a toleration is one of the pool's. */
export function ofNodePool(toleration: string): string {
  const path = (field: string): string => `${toleration}.${field}`;
  const operator = `(${orEmpty(path('operator'))} == '' ? 'Equal' : ${path('operator')})`;
  const seconds = `(has(${path('tolerationSeconds')}) ? string(${path('tolerationSeconds')}) : '')`;
  const fields = [orEmpty(path('key')), operator, orEmpty(path('value')), orEmpty(path('effect')), seconds];
  return `${fields.join(` + ${text(FIELD)} + `)} in variables.nodepool`;
}

/** CEL of the labels of the pool's nodes, as text; empty without a pool. */
export const NODE_LABELS = 'variables.nodelabels';

/** CEL that says whether a label of a node selector, which has it, is one of the pool's. */
export function isOfNodePool(selector: string, key: string): string {
  return `${text(key + LABEL)} + ${selector}[${text(key)}] in ${NODE_LABELS}.split(${text(ENTRY)})`;
}

/** CEL that says whether a node selector has every label of the pool's nodes. */
export function choosesNodePool(selector: string): string {
  const [key, value] = [0, 1].map((part) => `l.split(${text(LABEL)})[${part}]`);
  const chosen = every([`has(${selector})`, `${key} in ${selector}`, `${selector}[${key}] == ${value}`]);
  return `${NODE_LABELS} == '' || ${NODE_LABELS}.split(${text(ENTRY)}).all(l, ${chosen})`;
}
