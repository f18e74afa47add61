import { compileAdmission } from '../../../src/core/isolation/admission/compile.ts';
import { nodePoolAnnotations } from '../../../src/core/isolation/admission/node-pool.ts';
import type { PolicyObject } from '../../../src/core/isolation/admission/policy-object.ts';
import { type JsonObject, objectAt } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf } from '../../../src/core/kube/object.ts';
import {
  claim,
  claimSpec,
  networkPolicy,
  OURS,
  pod,
  REQUESTERS,
  service,
  TENANT,
  template,
  workload,
} from '../../support/admission-cases/case.ts';
import { DEFAULT_ADMISSION } from '../../support/admission-cases/default-options.ts';
import { profileSettings, targetOf } from '../../support/admission-cases/evaluate.ts';
import type { AdmissionRequest } from '../../support/admission-policy.ts';

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
/** As many entries as our schema takes, each of a good length. */
const LISTED = 64;
const listed = (index: number): string => `${'a'.repeat(60)}.${'b'.repeat(60)}.${String(index).padStart(2, '0')}.example.com`;
const LAST = listed(LISTED - 1);
const names = many(LISTED, listed);
const toleration = (index: number): JsonObject => ({
  key: `${listed(index)}/pool`,
  operator: 'Equal',
  value: 'a'.repeat(63),
  effect: 'NoExecute',
  tolerationSeconds: 300,
});

/** As many labels of a pool's nodes. */
const NODE_SELECTOR: Readonly<Record<string, string>> = Object.fromEntries(names.map((name) => [`${name}/pool`, 'a'.repeat(63)]));

/** A profile that lists all that can be listed. */
export function largestPolicies(): readonly PolicyObject[] {
  const settings = profileSettings('edge');
  const tolerations = many(LISTED, (index) => ({
    key: listed(index),
    operator: 'Equal' as const,
    value: 'a',
    effect: 'NoSchedule' as const,
  }));
  const allow = { ...settings.allow, storageClasses: names, priorityClasses: names, csiDrivers: names, externalNames: names, tolerations };
  return compileAdmission({ ...settings, name: 'largest', allow }, DEFAULT_ADMISSION);
}

/** A tenant of it with a node pool of as many tolerations. */
export const LARGEST_NAMESPACE: KubeObject = namespace();

function namespace(): KubeObject {
  const labels = { 'tenantplane.io/tenant': TENANT, 'tenantplane.io/isolation-profile': 'largest', 'tenantplane.io/role': 'workload' };
  const pool = nodePoolAnnotations({ mode: 'dedicated', nodePool: { nodeSelector: NODE_SELECTOR, tolerations: many(LISTED, toleration) } });
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-largest', labels, annotations: { ...pool } } };
}

export function requestFor(object: KubeObject): AdmissionRequest {
  const { group, plural } = targetOf(object);
  return { operation: 'CREATE', group, resource: plural, object, ...REQUESTERS.intruder, namespace: LARGEST_NAMESPACE };
}

/** Who makes it, who gives it one label more, and, of a pod, a kubelet that reports. */
export function requestsFor(object: KubeObject): Readonly<Record<'made' | 'changed', readonly AdmissionRequest[]>> {
  const made = requestFor(object);
  const metadata = objectAt(object, 'metadata');
  const labelled = { ...object, metadata: { ...metadata, labels: { ...objectAt(metadata, 'labels'), 'example.com/one-more': 'a' } } };
  const changed: AdmissionRequest = { ...made, operation: 'UPDATE', object: labelled, oldObject: object };
  const reported: AdmissionRequest = { ...changed, ...REQUESTERS.kubelet, resource: 'pods/status', object };
  return { made: [made], changed: [changed, ...(kindOf(object) === 'Pod' ? [reported] : [])] };
}

const entries = (count: number): JsonObject => Object.fromEntries(many(count, (index) => [`example.com/key-${index}`, 'a']));

/** A pod of that tenant. */
const pooled = (fields: JsonObject, metadata?: JsonObject): KubeObject => pod({ nodeSelector: { ...NODE_SELECTOR }, ...fields }, metadata);
const templated = (metadata: JsonObject): KubeObject => ({ ...workload('Deployment'), spec: { template: { ...template(), metadata } } });

/** Objects that are as large as one likes, and ask for what stands last in a list. */
export const GROWING: Readonly<Record<string, (count: number) => KubeObject>> = {
  'tolerations of a pod': (count) => pooled({ tolerations: many(count, () => toleration(LISTED - 1)) }),
  'CSI volumes of a pod': (count) => pooled({ volumes: many(count, (index) => ({ name: `v${index}`, csi: { driver: LAST } })) }),
  'claim templates of a StatefulSet': (count) => {
    const made = workload('StatefulSet');
    const templates = many(count, (index) => ({ metadata: { name: `c${index}` }, spec: claimSpec({ storageClassName: LAST }) }));
    return { ...made, spec: { ...(made['spec'] as JsonObject), volumeClaimTemplates: templates } };
  },
  'peers of a NetworkPolicy': (count) =>
    networkPolicy({ ingress: [{ from: many(count, (index) => ({ podSelector: { matchLabels: { app: `a${index}` } } })) }] }),
  'annotations of any object': (count) => pooled({}, { annotations: entries(count) }),
  'labels of any object': (count) => pooled({}, { labels: { ...OURS, ...entries(count) } }),
  'annotations of a template': (count) => templated({ annotations: entries(count) }),
  'labels of a template': (count) => templated({ labels: entries(count) }),
};

/** Each of a size that nobody has. */
export const LARGEST: readonly KubeObject[] = [
  ...Object.values(GROWING).map((make) => make(300)),
  claim({ storageClassName: LAST }),
  pooled({ priorityClassName: LAST }),
  service({ type: 'ExternalName', externalName: `x.${LAST}` }),
];
