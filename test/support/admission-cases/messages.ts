import { type AdmissionCase, configMap, pod, service } from './case.ts';
import { is, NOT_SENT } from './variation.ts';

/** A refused request, and all that the refused person reads. */
export interface MessageCase extends AdmissionCase {
  readonly says: string;
}

const RC = 'Set controls.runtimeClassName of the profile, and runtimeClassName of the pod to the same.';
const LBL = 'a pod carries its namespace’s tenant label, and no other label of ours';
const LBL_REMEDY = 'Set tenantplane.io/tenant as on the namespace; remove other tenantplane.io/ labels.';
const TOOL = 'a label or annotation tells a tool of the host what to do, or does no longer (reservedMetadata of the platform)';
const TOOL_REMEDY = 'Leave such keys as they are: delivery, replication and cloud identities are the platform’s.';
const LONGEST = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.argoproj.io/${'d'.repeat(63)}`;

const says = (
  name: string,
  object: AdmissionCase['object'],
  rules: readonly string[],
  text: string,
  fields: Partial<AdmissionCase> = {},
) => ({
  ...is(`message: ${name}`, object, rules, fields),
  says: text,
});

export const MESSAGE_CASES: readonly MessageCase[] = [
  says(
    'the runtime class that the profile wants',
    pod({ runtimeClassName: 'plain' }),
    ['rc'],
    `rc: the runtime class is not that of the profile (runtimeClassName of IsolationProfile sandboxed); found plain; wanted kata-qemu. ${RC}`,
    { profile: 'sandboxed' },
  ),
  says(
    'that the profile wants no runtime class',
    pod({ runtimeClassName: 'plain' }),
    ['rc'],
    `rc: the runtime class is not that of the profile (runtimeClassName of IsolationProfile restricted); found plain; wanted none. ${RC}`,
  ),
  says(
    'the tenant’s label on pods',
    pod({}, { labels: { app: 'web' } }),
    ['lbl'],
    `lbl: ${LBL} (reservedMetadata of IsolationProfile restricted); wanted tenantplane.io/tenant: dev. ${LBL_REMEDY}`,
  ),
  says(
    'the labels of the tenant’s own nodes',
    pod({ nodeSelector: { pool: 'dev' } }),
    ['pool'],
    'pool: the pod does not choose the tenant’s own nodes, and may run on those of others (nodePool of IsolationProfile pooled); wanted example.com/kept=,pool=qa. Add all of these labels to nodeSelector; they are spec.nodePool.nodeSelector of the TenantCluster.',
    { profile: 'pooled' },
  ),
  says(
    'the tenant’s label in selectors',
    service({ selector: { app: 'web' } }),
    ['svc-selector'],
    'svc-selector: the selector does not name the tenant (selectorlessServices of IsolationProfile restricted); wanted tenantplane.io/tenant: dev. Add tenantplane.io/tenant as on the namespace to the selector; a Service without one needs allow.selectorlessServices.',
  ),
  says(
    'the first key that is ours',
    configMap({ annotations: { 'example.com/a': 'b', 'tenantplane.io/source-path': 'a', 'tenantplane.io/origin': 'git' } }),
    ['rsv'],
    'rsv: labels and annotations that begin with tenantplane.io/ are the platform’s (reservedMetadata of the platform); found tenantplane.io/origin. Leave them as they are; on a pod, the tenant label of its namespace is yours to set. Whoever applies the rendered tree has to be named in host.trustedWriters or trustedGroups of the render.',
  ),
  says(
    'the key that tells a tool, the longest that there is',
    configMap({ labels: { [LONGEST]: 'b' } }),
    ['tool'],
    `tool: ${TOOL}; found ${LONGEST}. ${TOOL_REMEDY}`,
  ),
  // Behind a subresource the API need not have looked at metadata.
  ...[`helm.sh/hook\u001b[2J`, `helm.sh/hook\nok`, `helm.sh/hook${'a'.repeat(10_000)}`].map((key, index) =>
    says(
      `no key that is none (${index + 1})`,
      configMap({ annotations: { [key]: 'b' } }),
      ['tool'],
      `tool: ${TOOL}; found what is no name. ${TOOL_REMEDY}`,
      {
        since: NOT_SENT,
      },
    ),
  ),
  says(
    'every rule of the policy that refuses',
    pod({ nodeName: 'node-1', schedulerName: 'mine', tolerations: [{ operator: 'Exists' }] }),
    ['node', 'sched', 'tol'],
    'node: nodeName goes past the scheduler, its taints and quotas (scheduling of IsolationProfile restricted); found node-1. Use a node selector or affinity. Refused by: node, sched, tol.',
  ),
];
