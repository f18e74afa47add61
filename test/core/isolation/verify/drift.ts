import type { BoundaryInput } from '../../../../src/core/isolation/verify/boundary-input.ts';
import type { Verdict, Way } from '../../../../src/core/isolation/verify/boundary-report.ts';
import { asArray, at, type Json, type JsonObject, type Path } from '../../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../../src/core/kube/object.ts';
import { added, changed, put, WORK } from './tenants.ts';

type Change = (input: BoundaryInput) => BoundaryInput;

/** Set, or taken out. */
export function set(kind: string, name: string, path: Path, value: Json | undefined): Change {
  return (input) => changed(input, kind, name, (object) => put(object, path, value));
}

/** Put to the end of a list. */
export function push(kind: string, name: string, path: Path, value: Json): Change {
  return (input) => changed(input, kind, name, (object) => put(object, path, [...(asArray(at(object, ...path)) ?? []), value]));
}

export function gone(kind: string, name: string): Change {
  return (input) => changed(input, kind, name, () => undefined);
}

export function more(object: KubeObject): Change {
  return (input) => added(input, object);
}

export const POLICY = (namespace: string, name: string, spec: JsonObject, metadata: JsonObject = {}): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { ...metadata, name, namespace },
  spec,
});
export const OPEN: JsonObject = { podSelector: {}, policyTypes: ['Ingress', 'Egress'], ingress: [{}], egress: [{}] };
export const BINDING = (namespace: string, role: string, ...subjects: JsonObject[]): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'more', namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects,
});
export const HOST_BINDING = (role: string, ...subjects: JsonObject[]): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'more' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects,
});
export const USER = (name: string): JsonObject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name });
export const GROUP = (name: string): JsonObject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name });
export const ACCOUNT = (namespace: string, name: string): JsonObject => ({ kind: 'ServiceAccount', namespace, name });
export const FLOW = (name: string, precedence: number, group: string): KubeObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name },
  spec: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: precedence,
    rules: [{ subjects: [{ kind: 'Group', group: { name: group } }], resourceRules: [] }],
  },
});
/** As its own labels and annotations have it, a projection of the tenant's. */
export const PROJECTED: JsonObject = {
  labels: {
    'app.kubernetes.io/managed-by': 'tenantplane',
    'tenantplane.io/tenant': 'rest-allo-own',
    'tenantplane.io/virtual-namespace': 'default',
    'tenantplane.io/kind': 'networkpolicy',
  },
  annotations: {
    'tenantplane.io/tenant-cluster': `${WORK}/rest-allo-own`,
    'tenantplane.io/virtual-namespace': 'default',
    'tenantplane.io/virtual-name': 'fake',
  },
};
export const FAKE_NAME = 'fake-x-default-x-rest-allo-own';
export const PODS: JsonObject = {
  podSelector: { matchLabels: { 'tenantplane.io/tenant': 'rest-allo-own', 'tenantplane.io/virtual-namespace': 'default' } },
};

export type Drift = readonly [
  what: string,
  drift: Change,
  control: string,
  verdict: Verdict,
  way: Way | undefined,
  fields: readonly string[],
];

export const PS = '/metadata/labels/pod-security.kubernetes.io~1';
export const VAP = 'ValidatingAdmissionPolicy.';
export const VAPB = 'ValidatingAdmissionPolicyBinding.';
export const PODS_POLICY = 'restricted-pods';
