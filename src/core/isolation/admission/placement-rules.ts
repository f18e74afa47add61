import { DNS_SERVER } from '../../dns/server.ts';
import { KEY } from '../../identity/metadata.ts';
import { asString, type JsonObject } from '../../kube/json.ts';
import type { ProfileSettings } from '../../plan/settings.ts';
import { COMMON_TOLERATION_KEYS } from '../../translate/pod/scheduling.ts';
import { CREATED, each, every, list, orEmpty, orUnchanged, some, text, UPDATED } from './cel.ts';
import { TENANT, TENANT_LABEL } from './namespace.ts';
import { choosesNodePool, NODE_LABELS, ofNodePool } from './node-pool.ts';
import type { Rule } from './rule.ts';

const TOLERATIONS = 'object.spec.tolerations';
const LABELS = 'object.metadata.labels';

/** Labels of ours that a pod may carry whoever made it: they say whose it is, which `lbl` holds to the truth. */
const ON_EVERY_POD = [KEY.tenant, KEY.virtualNamespace, KEY.podName] as const;

/** A pod from before the policy keeps what it says, and may be labelled otherwise. */
const wasSo = (key: string): string => `${UPDATED} && object.metadata.?labels[?${key}] == oldObject.metadata.?labels[?${key}]`;

/** Whose a pod is, and on whose nodes it runs. */
export const PLACEMENT_RULES: readonly Rule[] = [
  {
    id: 'tol',
    group: 'pods',
    matches: 'Pods, also when changed',
    controls: ['tolerations'],
    expression: ({ allow, runtimeClassName }, { runtimeTolerations }) => {
      const allowed = some([
        every(['has(t.key)', `t.key in ${list(COMMON_TOLERATION_KEYS)}`]),
        ...allow.tolerations.map(covers),
        ofNodePool('t'),
        // The API server adds those of the runtime class before a policy looks.
        ...[...new Set((runtimeTolerations.get(runtimeClassName ?? '') ?? []).map(equals))].sort(),
        // The DaemonSet controller adds it, so that its pods stay on nodes that are being drained.
        ...(allow.daemonSets ? [`variables.daemonset && has(t.key) && t.key == 'node.kubernetes.io/unschedulable'`] : []),
      ]);
      return orUnchanged(['spec.tolerations'], each(TOLERATIONS, 't', allowed));
    },
    message: [
      'a toleration opens nodes that the platform keeps apart',
      'Remove it, or list it under allow.tolerations of the profile (those that a RuntimeClass or another admission plugin adds, too).',
    ],
    doc: 'tolerates what Kubernetes’ own controllers put on nodes, what `allow.tolerations` lists, the tolerations of the tenant’s own node pool, as its Namespace says them, and what its runtime class adds',
  },
  {
    id: 'pool',
    group: 'pods',
    matches: 'Pods',
    // A selector can only be added to later, and a node that an affinity names has to have the labels as well.
    when: CREATED,
    controls: ['nodePool'],
    expression: () => choosesNodePool('object.spec.nodeSelector'),
    message: [
      'the pod does not choose the tenant’s own nodes, and may run on those of others',
      'Add all of these labels to nodeSelector; they are spec.nodePool.nodeSelector of the TenantCluster.',
    ],
    wanted: () => NODE_LABELS,
    doc: 'chooses the nodes of the tenant’s own pool by each of its labels, as its Namespace says them, where the tenant is `dedicated`',
  },
  {
    id: 'lbl',
    group: 'pods',
    matches: 'Pods, also when changed',
    controls: ['reservedMetadata'],
    expression: () =>
      every([
        some([
          wasSo(text(KEY.tenant)),
          every([`has(${LABELS})`, `${text(KEY.tenant)} in ${LABELS}`, `${LABELS}[${text(KEY.tenant)}] == ${TENANT}`]),
        ]),
        some([
          'variables.trusted',
          'variables.ownedbyus',
          each(LABELS, 'k', some([`!k.startsWith('tenantplane.io/')`, `k in ${list(ON_EVERY_POD)}`, wasSo('k')])),
        ]),
      ]),
    message: [
      'a pod carries its namespace’s tenant label, and no other label of ours',
      `Set ${KEY.tenant} as on the namespace; remove other tenantplane.io/ labels.`,
    ],
    wanted: () => TENANT_LABEL,
    doc: 'carries the tenant label of its namespace, and no label that would make it one of our own pods',
  },
];

/** CEL that says whether the pod is a DaemonSet's, and whether it is of the tenant's DNS, which the render writes (`dns/server.ts`). */
export const OWNERS: Readonly<Record<string, string>> = {
  daemonset: `variables.kubernetes && ${ownedBy(`o.kind == 'DaemonSet'`)}`,
  // No one else's Deployment gives its ReplicaSets such names: `own` keeps others from them.
  ownedbyus: `variables.kubernetes && ${ownedBy(`o.kind == 'ReplicaSet' && o.name.startsWith('${DNS_SERVER}-')`)}`,
};

function ownedBy(condition: string): string {
  return `has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, has(o.controller) && o.controller && ${condition})`;
}

/** The same as `tolerationAllowed` says of one entry (`translate/pod/scheduling.ts`). */
function covers({ key, operator, value, effect }: ProfileSettings['allow']['tolerations'][number]): string {
  const anyOperator = operator === 'Exists' || (operator === undefined && value === undefined);
  return every([
    ...(key === '' ? [] : ['has(t.key)', `t.key == ${text(key)}`]),
    ...(effect === undefined || effect === '' ? [] : ['has(t.effect)', `t.effect == ${text(effect)}`]),
    ...(anyOperator ? [] : [operatorIs(operator ?? 'Equal')]),
    ...(anyOperator || value === undefined ? [] : [`${orEmpty('t.value')} == ${text(value)}`]),
  ]);
}

/** Exactly that toleration; how long it is tolerated does not matter. */
function equals(toleration: JsonObject): string {
  const field = (name: string): string => asString(toleration[name]) ?? '';
  return every([
    ...['key', 'value', 'effect'].map((name) => `${orEmpty(`t.${name}`)} == ${text(field(name))}`),
    operatorIs(field('operator') || 'Equal'),
  ]);
}

/** Unsaid, the operator is Equal. */
function operatorIs(operator: string): string {
  return operator === 'Equal' ? `${orEmpty('t.operator')} in ['', 'Equal']` : `${orEmpty('t.operator')} == ${text(operator)}`;
}
