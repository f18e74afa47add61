import { KEY } from '../../identity/metadata.ts';
import { OWN_PREFIX } from '../compiled-object.ts';
import { every, orUnchanged, some, UPDATED } from './cel.ts';
import { first, none } from './offending-keys.ts';
import type { SharedRule } from './rule.ts';
import { TEMPLATE_RULES } from './template-rules.ts';

/** For whoever does apply what was rendered, under a name that the render does not know. */
const WRITERS = 'Whoever applies the rendered tree has to be named in host.trustedWriters or trustedGroups of the render.';

/** As applied by kubectl or Argo CD it holds the whole object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const VALUE_LIMIT = 16_384;

/** As it is now: a kubelet reports on pods that have it from their template. */
const WAS_THERE = `${UPDATED} && object.metadata.?annotations[?k] == oldObject.?metadata.?annotations[?k]`;

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
    expression: () => none('reservedkeys'),
    found: first('reservedkeys'),
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
    expression: () => none('toolkeys'),
    found: first('toolkeys'),
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
        `object.metadata.annotations.all(k, ${some([`k == '${LAST_APPLIED}'`, `size(object.metadata.annotations[k]) <= ${VALUE_LIMIT}`, WAS_THERE])})`,
      ]),
    message: [`an annotation is longer than ${VALUE_LIMIT} characters`, 'Keep large values in a ConfigMap.'],
    doc: `is given no annotation longer than ${VALUE_LIMIT} characters`,
  },
  {
    id: 'drain',
    group: 'disruptions',
    matches: 'PodDisruptionBudgets in tenantplane namespaces, also when changed',
    controls: ['disruptionBudgets'],
    // A number of pods is for the render, which sees how many there are.
    expression: () =>
      orUnchanged(
        ['spec.maxUnavailable', 'spec.minAvailable', 'spec.selector'],
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
    expression: () => none('namespacekeys'),
    found: first('namespacekeys'),
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
