import { KEY } from '../../identity/metadata.ts';
import type { JsonObject } from '../../kube/json.ts';
import { KUBERNETES, NODES } from './requester.ts';

/** What a group of rules looks at: one ValidatingAdmissionPolicy. */
export interface Group {
  readonly resourceRules: readonly JsonObject[];
  /** namespaces by label, of groups that are no profile's; undefined for cluster-scoped resources */
  readonly namespaces?: JsonObject;
  /** requesters that the whole group leaves alone, beside those that the options trust */
  readonly exempt?: readonly string[];
  /** whether trusted writers are left alone as well */
  readonly exemptTrusted?: true;
}

/** Names of groups, without hyphens (`policy-name.ts`). None of the fleet is called like one of a profile. */
export type ProfileGroup =
  | 'pods'
  | 'workloads'
  | 'statefulsets'
  | 'daemonsets'
  | 'services'
  | 'endpoints'
  | 'claims'
  | 'secrets'
  | 'networks';
export type SharedGroup =
  | 'connections'
  | 'controlplanes'
  | 'metadata'
  | 'templates'
  | 'disruptions'
  | 'objects'
  | 'namespaces'
  | 'removals';
export type GroupName = ProfileGroup | SharedGroup;

type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

function on(
  operations: readonly Operation[],
  apiGroup: string,
  resources: readonly string[],
  scope?: 'Namespaced' | 'Cluster',
): JsonObject {
  return {
    apiGroups: [apiGroup],
    apiVersions: [apiGroup === '*' ? '*' : 'v1'],
    operations: [...operations],
    resources: [...resources],
    ...(scope !== undefined && { scope }),
  };
}

const WORKLOADS: readonly JsonObject[] = [
  on(['CREATE', 'UPDATE'], 'apps', ['deployments', 'statefulsets', 'daemonsets', 'replicasets']),
  on(['CREATE', 'UPDATE'], 'batch', ['jobs']),
  on(['CREATE', 'UPDATE'], '', ['replicationcontrollers']),
];
const CONTROL_PLANES: JsonObject = { matchLabels: { [KEY.role]: 'control-plane' } };
const OURS: JsonObject = { matchExpressions: [{ key: KEY.role, operator: 'In', values: ['workload', 'control-plane'] }] };

export const PROFILE_GROUPS: Readonly<Record<ProfileGroup, Group>> = {
  // One policy for all of a pod: each policy costs the API server a conversion of the whole object.
  pods: { resourceRules: [on(['CREATE', 'UPDATE'], '', ['pods']), on(['UPDATE'], '', ['pods/ephemeralcontainers'])] },
  workloads: { resourceRules: WORKLOADS },
  statefulsets: { resourceRules: [on(['CREATE', 'UPDATE'], 'apps', ['statefulsets'])] },
  daemonsets: { resourceRules: [on(['CREATE'], 'apps', ['daemonsets'])] },
  services: { resourceRules: [on(['CREATE', 'UPDATE'], '', ['services'])] },
  endpoints: {
    resourceRules: [on(['CREATE', 'UPDATE'], '', ['endpoints']), on(['CREATE', 'UPDATE'], 'discovery.k8s.io', ['endpointslices'])],
    exempt: [KUBERNETES],
  },
  claims: { resourceRules: [on(['CREATE', 'UPDATE'], '', ['persistentvolumeclaims'])] },
  secrets: { resourceRules: [on(['CREATE'], '', ['secrets'])] },
  networks: { resourceRules: [on(['CREATE', 'UPDATE'], 'networking.k8s.io', ['networkpolicies'])], exemptTrusted: true },
};

/** What we name like ours, or what Kubernetes makes something of that is then called so. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  '': [
    'configmaps',
    'endpoints',
    'limitranges',
    'persistentvolumeclaims',
    'pods',
    'replicationcontrollers',
    'replicationcontrollers/scale',
    'resourcequotas',
    'secrets',
    'serviceaccounts',
    'services',
  ],
  apps: ['daemonsets', 'deployments', 'deployments/scale', 'replicasets', 'replicasets/scale', 'statefulsets', 'statefulsets/scale'],
  autoscaling: ['horizontalpodautoscalers'],
  batch: ['cronjobs', 'jobs'],
  'discovery.k8s.io': ['endpointslices'],
  'networking.k8s.io': ['ingresses', 'networkpolicies'],
  policy: ['poddisruptionbudgets'],
  'rbac.authorization.k8s.io': ['roles', 'rolebindings'],
};

export const SHARED_GROUPS: Readonly<Record<SharedGroup, Group>> = {
  connections: {
    resourceRules: [on(['CONNECT'], '', ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy', 'services/proxy'])],
    namespaces: CONTROL_PLANES,
    exemptTrusted: true,
  },
  controlplanes: {
    resourceRules: [
      on(['CREATE'], '', ['pods']),
      on(['UPDATE'], '', ['pods/ephemeralcontainers']),
      ...WORKLOADS,
      on(['CREATE', 'UPDATE'], 'batch', ['cronjobs']),
    ],
    namespaces: CONTROL_PLANES,
    exempt: [KUBERNETES],
    exemptTrusted: true,
  },
  metadata: {
    resourceRules: [on(['CREATE', 'UPDATE'], '*', ['*/*'], 'Namespaced')],
    namespaces: OURS,
    exempt: [KUBERNETES],
    exemptTrusted: true,
  },
  templates: {
    resourceRules: [...WORKLOADS, on(['CREATE', 'UPDATE'], 'batch', ['cronjobs']), on(['CREATE'], '', ['pods'])],
    namespaces: OURS,
    exempt: [KUBERNETES],
    exemptTrusted: true,
  },
  disruptions: {
    resourceRules: [on(['CREATE', 'UPDATE'], 'policy', ['poddisruptionbudgets'])],
    namespaces: OURS,
    exempt: [KUBERNETES],
    exemptTrusted: true,
  },
  objects: {
    resourceRules: [
      ...Object.entries(NAMED).map(([apiGroup, resources]) => on(['CREATE', 'UPDATE', 'DELETE'], apiGroup, resources)),
      on(['CREATE'], '', ['pods/eviction']),
      on(['UPDATE'], '', ['pods/ephemeralcontainers']),
    ],
    namespaces: OURS,
    exempt: [KUBERNETES, NODES],
    exemptTrusted: true,
  },
  namespaces: {
    resourceRules: [on(['CREATE', 'UPDATE'], '', ['namespaces', 'namespaces/status', 'namespaces/finalize'], 'Cluster')],
    exemptTrusted: true,
  },
  removals: {
    resourceRules: [on(['DELETE'], '', ['namespaces'], 'Cluster')],
    exemptTrusted: true,
  },
};
