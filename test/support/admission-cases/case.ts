import type { ReasonName } from '../../../src/core/decision/reasons.ts';
import { KEY } from '../../../src/core/identity/metadata.ts';
import { type JsonObject, objectAt } from '../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';

/** Who refuses at the host before or beside the policies: Pod Security, the API's own validation and admission, RBAC, a quota. */
export type Other = 'Pod Security' | 'the API itself' | 'RBAC' | 'ResourceQuota' | 'LimitRange';

/** One attempt at the host, and the same as a tenant's input. */
export interface AdmissionCase {
  readonly name: string;
  /** rows of the threat list, MTB checks, CVEs */
  readonly threats: string;
  readonly profile?: ProfileName;
  readonly object: KubeObject;
  /** CREATE where not said */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** what stands there before; for UPDATE and CONNECT */
  readonly before?: KubeObject;
  /** `before` was there before there were policies, which would refuse it */
  readonly stood?: true;
  readonly subresource?: string;
  readonly by?: Requester;
  /** the tenant's workload namespace where not said */
  readonly where?: 'workload' | 'control-plane' | 'elsewhere';
  /** rules that refuse it, each alone; none for what the policies admit */
  readonly rules: readonly string[];
  /** rules that refuse what the API server fills into it, beside them */
  readonly also?: readonly string[];
  /** who else refuses it in a namespace as we render it, first of all */
  readonly first?: Other;
  /** what becomes of it as tenant input: refused for this reason, rendered as something harmless (with this note), or not to be said in a tenant's files */
  readonly tenant?: ReasonName | { readonly rendered: ReasonName | 'silently' };
  /** the tenant's object where it is another one: the Deployment of a pod */
  readonly tenantObject?: KubeObject;
  /** first minor version of Kubernetes whose API has the field */
  readonly since?: number;
}

/** Identities of the cases. */
export type Requester =
  | 'intruder'
  | 'namespace-editor'
  | 'argocd'
  | 'replicaset'
  | 'daemonset'
  | 'statefulset'
  | 'deployment'
  | 'job'
  | 'cronjob'
  | 'endpointslice'
  | 'volume-binder'
  | 'autoscaler'
  | 'single-manager'
  | 'scheduler'
  | 'kubelet'
  | 'operator'
  | 'administrator';

interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
}

/** With the groups that the API server gives them. */
export const REQUESTERS: Readonly<Record<Requester, Identity>> = {
  /** may write the usual kinds in the host's namespace, and nothing else */
  intruder: { user: 'intruder', groups: ['system:authenticated'] },
  /** may edit namespaces, as owners in multi-tenancy by namespaces may */
  'namespace-editor': { user: 'namespace-editor', groups: ['system:authenticated'] },
  argocd: account('argocd', 'argocd-application-controller'),
  replicaset: account('kube-system', 'replicaset-controller'),
  daemonset: account('kube-system', 'daemon-set-controller'),
  statefulset: account('kube-system', 'statefulset-controller'),
  deployment: account('kube-system', 'deployment-controller'),
  job: account('kube-system', 'job-controller'),
  cronjob: account('kube-system', 'cronjob-controller'),
  endpointslice: account('kube-system', 'endpointslice-controller'),
  'volume-binder': account('kube-system', 'persistent-volume-binder'),
  autoscaler: account('kube-system', 'horizontal-pod-autoscaler'),
  'single-manager': { user: 'system:kube-controller-manager', groups: ['system:authenticated'] },
  scheduler: { user: 'system:kube-scheduler', groups: ['system:authenticated'] },
  kubelet: { user: 'system:node:node-1', groups: ['system:nodes', 'system:authenticated'] },
  operator: account('operators', 'operator'),
  administrator: { user: 'root', groups: ['system:masters', 'system:authenticated'] },
};

function account(namespace: string, name: string): Identity {
  return {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

/** Profiles of the cases: lines below `spec`. */
export const PROFILES = {
  baseline: 'level: baseline',
  restricted: 'level: restricted',
  sandboxed: 'level: sandboxed',
  edge: `level: restricted
allow:
  daemonSets: true
  selectorlessServices: true
  endpoints: true
  imageVolumes: true
  serviceTypes: [LoadBalancer]
  csiDrivers: [files.csi.example.com]
  extendedResources: [nvidia.com/gpu]
  loadBalancerClasses: [example.com/internal]
  storageClasses: [fast]
  priorityClasses: [batch]
  externalNames: [partner.example.com]
  tolerations:
  - {key: dedicated, operator: Equal, value: edge, effect: NoSchedule}
  - {key: spot, operator: Exists}`,
  /** a user namespace for each pod */
  apart: 'level: restricted\ncontrols: {userNamespaces: required}',
  /** nodes of its own (`POOLED`) */
  pooled: 'level: restricted',
} as const;
export type ProfileName = keyof typeof PROFILES;

/** The node pool of the tenant with profile `pooled`: two labels, one of them without a value, which labels may be. */
export const POOLED = {
  nodeSelector: { pool: 'qa', 'example.com/kept': '' },
  tolerations: [{ key: 'pool', operator: 'Equal', value: 'qa', effect: 'NoSchedule' }],
} as const;

/** The toleration of the node pools of the tenants with profile `edge` and of the one elsewhere, */
export const POOL = { key: 'tenantplane.io/pool', operator: 'Equal', value: 'edge', effect: 'NoSchedule' } as const;
/** and what the latter's asks for beside it. */
export const OTHER_POOL: readonly JsonObject[] = [
  { key: 'batch', value: 'yes', effect: 'NoExecute', tolerationSeconds: 30 },
  { key: 'gpu', operator: 'Exists' },
];

export const TENANT = 'dev' as const;
/** Labels that every pod of the tenant carries. */
export const OURS: Readonly<Record<string, string>> = { [KEY.tenant]: TENANT, [KEY.virtualNamespace]: 'default' };
export const ACCOUNT = { serviceAccountName: 'tenantplane-workload', automountServiceAccountToken: false } as const;
const SAFE = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsNonRoot: true } as const;

export function container(fields: JsonObject = {}): JsonObject {
  return { name: 'app', image: 'registry.example/app:1', securityContext: { ...SAFE, capabilities: { drop: ['ALL'] } }, ...fields };
}

export function podSpec(fields: JsonObject = {}): JsonObject {
  return { ...ACCOUNT, securityContext: { seccompProfile: { type: 'RuntimeDefault' } }, containers: [container()], ...fields };
}

/** A pod as the render writes it and restricted Pod Security takes it. */
export function pod(fields: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { app: 'web', ...OURS }, ...metadata }, spec: podSpec(fields) };
}

/** The same with one container of its own. */
export function podWith(
  fields: JsonObject,
  securityContext: JsonObject = {},
  name: 'containers' | 'initContainers' = 'containers',
): KubeObject {
  const one = container({ ...fields, securityContext: { ...SAFE, capabilities: { drop: ['ALL'] }, ...securityContext } });
  return name === 'containers' ? pod({ containers: [one] }) : pod({ initContainers: [{ ...one, name: 'init' }] });
}

export function template(fields: JsonObject = {}, labels: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app: 'web', ...OURS, ...labels } }, spec: podSpec(fields) };
}

const BATCH = new Set(['Job', 'CronJob']);

export function workload(kind: string, fields: JsonObject = {}, name = 'web', labels: JsonObject = {}): KubeObject {
  const apiVersion = BATCH.has(kind) ? 'batch/v1' : 'apps/v1';
  const metadata = { name, labels: { app: 'web' } };
  if (kind === 'Job') return { apiVersion, kind, metadata, spec: { template: template({ restartPolicy: 'Never', ...fields }, labels) } };
  if (kind === 'CronJob') {
    const spec = { template: template({ restartPolicy: 'Never', ...fields }, labels) };
    return { apiVersion, kind, metadata, spec: { schedule: '0 3 * * *', jobTemplate: { spec } } };
  }
  return { apiVersion, kind, metadata, spec: { selector: { matchLabels: { app: 'web' } }, template: template(fields, labels) } };
}

/** As a controller makes it of what it owns. */
export function owned(object: KubeObject, kind: string, name: string): KubeObject {
  const apiVersion = BATCH.has(kind)
    ? 'batch/v1'
    : kind === 'ExternalSecret'
      ? 'external-secrets.io/v1'
      : kind === 'Service'
        ? 'v1'
        : 'apps/v1';
  const owner = { apiVersion, kind, name, uid: '3f1c2f66-0000-4000-8000-000000000001', controller: true };
  return { ...object, metadata: { ...objectAt(object, 'metadata'), ownerReferences: [owner] } };
}

export function service(spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', ...metadata },
    spec: { selector: { app: 'web', ...OURS }, ports: [{ port: 80 }], ...spec },
  };
}

export function claim(spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', ...metadata }, spec: claimSpec(spec) };
}

export function claimSpec(spec: JsonObject = {}): JsonObject {
  return { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec };
}

export function secret(fields: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys', ...metadata }, ...fields };
}

export function configMap(metadata: JsonObject = {}, data: JsonObject = { a: 'b' }): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', ...metadata }, data };
}

export function networkPolicy(spec: JsonObject, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'web', ...metadata },
    spec: { podSelector: {}, ...spec },
  };
}
