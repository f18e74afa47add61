import { KEY } from '../../identity/metadata.ts';
import { OWN_PREFIX } from '../compiled-object.ts';
import { every, orUnchanged, some, text } from './cel.ts';
import { managedByUs, OURS_BY_KEY, TOLD, truth } from './reserved-keys.ts';
import type { SharedRule } from './rule.ts';
import { TEMPLATE_RULES } from './template-rules.ts';

/** For whoever does apply what was rendered, under a name that the render does not know. */
const WRITERS = 'Whoever applies the rendered tree has to be named in host.trustedWriters or trustedGroups of the render.';
const UPDATE = `request.operation == 'UPDATE'`;
/**
 * Operators copy the labels of what they own. Anybody may name an owner, so that excuses only labels by which nothing is recognised
 * as ours: for that it takes annotations, which no owner excuses. Pods are looked at all the same.
 */
const COPIED = [
  `request.resource.resource != 'pods'`,
  `(k == ${text(KEY.kind)} || k == ${text(KEY.managedBy)})`,
  `has(object.metadata.ownerReferences)`,
  `object.metadata.ownerReferences.exists(o, has(o.controller) && o.controller)`,
] as const;

/** As applied by kubectl or Argo CD it holds the whole object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const VALUE_LIMIT = 16_384;

const POD_SECURITY = 'pod-security.kubernetes.io/';

export const SHARED_RULES: readonly SharedRule[] = [
  {
    id: 'conn',
    group: 'connections',
    matches: 'exec, attach, port-forward and proxy into control-plane namespaces',
    controls: ['controlPlane'],
    expression: () => 'false',
    message: ['a tenant’s control plane is entered by trusted writers only', `Use the tenant’s own API. ${WRITERS}`],
    doc: 'is for trusted writers',
  },
  {
    id: 'cp',
    group: 'controlplanes',
    matches: 'Pods, ephemeral containers and workloads in control-plane namespaces',
    controls: ['controlPlane'],
    expression: () => 'false',
    message: ['pods beside a control plane could read its keys', `Run it in another namespace. ${WRITERS}`],
    doc: 'are made by trusted writers and Kubernetes',
  },
  {
    id: 'rsv',
    group: 'metadata',
    matches: 'every namespaced kind and subresource in tenantplane namespaces',
    controls: ['reservedMetadata'],
    expression: () => {
      const labels = 'object.metadata.labels';
      const before = 'oldObject.metadata.labels';
      return every([
        own('labels', `!${OURS_BY_KEY} && !(${managedByUs(labels)})`, [truth(labels), `k == '${KEY.virtualNamespace}'`, every(COPIED)]),
        kept('labels', OURS_BY_KEY),
        kept('labels', managedByUs(before), [`${labels}[k] == ${before}[k]`]),
        own('annotations', `!${OURS_BY_KEY}`),
        kept('annotations', OURS_BY_KEY),
      ]);
    },
    message: [
      'labels and annotations that begin with tenantplane.io/ are the platform’s',
      `Leave them as they are; on a pod, the tenant label of its namespace is yours to set. ${WRITERS}`,
    ],
    doc: 'has labels and annotations of ours from trusted writers only; what says the truth (the namespace’s own tenant) may be said by anyone, and what an operator makes may have its owner’s kind and manager among its labels',
  },
  {
    id: 'tool',
    group: 'metadata',
    matches: 'every namespaced kind and subresource in tenantplane namespaces',
    controls: ['reservedMetadata'],
    expression: () =>
      every([own('labels', `!(${TOLD})`), kept('labels', TOLD), own('annotations', `!(${TOLD})`), kept('annotations', TOLD)]),
    message: [
      'a label or annotation tells a tool of the host what to do, or does no longer',
      'Leave such keys as they are: delivery, replication and cloud identities are the platform’s.',
    ],
    doc: 'tells no delivery tool, replicator or cloud of the host what to do, and what tells them stays',
  },
  ...TEMPLATE_RULES,
  {
    id: 'size',
    group: 'metadata',
    matches: 'every namespaced kind and subresource in tenantplane namespaces',
    controls: ['objectSize'],
    expression: () =>
      some([
        '!has(object.metadata)',
        '!has(object.metadata.annotations)',
        `object.metadata.annotations.all(k, ${some([`k == '${LAST_APPLIED}'`, `size(object.metadata.annotations[k]) <= ${VALUE_LIMIT}`])})`,
      ]),
    message: [`an annotation is longer than ${VALUE_LIMIT} characters`, 'Keep large values in a ConfigMap.'],
    doc: `has no annotation longer than ${VALUE_LIMIT} characters`,
  },
  {
    id: 'drain',
    group: 'disruptions',
    matches: 'PodDisruptionBudgets in tenantplane namespaces, also when changed',
    controls: ['disruptionBudgets'],
    // A number of pods is for the render, which sees how many there are.
    expression: () =>
      orUnchanged(
        'object.spec == oldObject.spec',
        every([
          `!has(object.spec.maxUnavailable) || !string(object.spec.maxUnavailable).matches('^0+%?$')`,
          `!has(object.spec.minAvailable) || !string(object.spec.minAvailable).matches('^0*100%$')`,
        ]),
      ),
    message: ['the budget lets no pod go, so that no node under it can be drained', 'Let at least one pod be unavailable.'],
    doc: 'let at least one pod go, as far as a share or a zero says so, unless a trusted writer asks',
  },
  {
    id: 'own',
    group: 'objects',
    matches: `objects called \`${OWN_PREFIX}…\` or \`tenantplane\` in tenantplane namespaces, also when changed, scaled, evicted or deleted`,
    controls: ['ownObjects'],
    // The bare name too: what Kubernetes makes of it is called like ours.
    expression: () => `!((request.operation == 'DELETE' ? oldObject : object).metadata.name + '-').startsWith('${OWN_PREFIX}')`,
    message: [
      `objects called ${OWN_PREFIX}… are the tenant’s boundary`,
      `Change the IsolationProfile or TenantCluster in Git instead. ${WRITERS}`,
    ],
    doc: 'are changed and deleted by trusted writers only (Kubernetes’ controllers and kubelets do their part)',
  },
  {
    id: 'nsu',
    group: 'namespaces',
    matches: 'Namespaces with labels of ours, before or after',
    controls: ['namespaceLabels'],
    expression: () => {
      const labels = OURS_BY_KEY;
      // A namespace that gains or loses the role is refused for that.
      const ours = `${UPDATE} && has(oldObject.metadata.labels) && '${KEY.role}' in oldObject.metadata.labels`;
      const both = `${labels} || (k.startsWith('${POD_SECURITY}') && (${ours}))`;
      return every([own('labels', `!(${both})`), kept('labels', both), own('annotations', `!${labels}`), kept('annotations', labels)]);
    },
    message: [
      'labels of tenantplane and of Pod Security on a tenant’s namespace are its boundary',
      `Change the TenantCluster or IsolationProfile in Git instead. ${WRITERS}`,
    ],
    doc: 'keep our labels and annotations, and those of Pod Security, unless a trusted writer changes them',
  },
  {
    id: 'ns-delete',
    group: 'removals',
    matches: 'Namespaces of tenants, when deleted',
    controls: ['namespaceLabels'],
    expression: () => `!(has(oldObject.metadata.labels) && '${KEY.role}' in oldObject.metadata.labels)`,
    message: [
      'with a tenant’s namespace go its claims, and its policies before its pods',
      `Remove the tenant in Git; what is kept on prune is then deleted by an administrator. ${WRITERS}`,
    ],
    doc: 'of a tenant are deleted by trusted writers only',
  },
];

/** No such entry that was not there before: `free` says which keys anyone may write. */
function own(map: 'labels' | 'annotations', free: string, also: readonly string[] = []): string {
  const now = `object.metadata.${map}`;
  const before = `oldObject.metadata.${map}`;
  const unchanged = every([UPDATE, `has(${before})`, `k in ${before}`, `${before}[k] == ${now}[k]`]);
  return some(['!has(object.metadata)', `!has(${now})`, `${now}.all(k, ${some([free, ...also, unchanged])})`]);
}

/** Every such entry that was there before still is. */
function kept(map: 'labels' | 'annotations', reserved: string, as: readonly string[] = []): string {
  const now = `object.metadata.${map}`;
  const before = `oldObject.metadata.${map}`;
  const still = every([`has(${now})`, `k in ${now}`, ...as]);
  return some([`!(${UPDATE})`, '!has(oldObject.metadata)', `!has(${before})`, `${before}.all(k, ${some([`!(${reserved})`, still])})`]);
}
