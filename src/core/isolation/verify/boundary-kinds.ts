/** A kind of which objects on the host say whether a boundary stands. None of them holds a secret. */
export interface BoundaryKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** `NetworkPolicy.networking.k8s.io` */
  readonly key: string;
  /** whose they are: of both namespaces of a tenant, of its workload namespace alone, or the host's own */
  readonly place: 'both' | 'workload' | 'host';
  readonly why: string;
}

function kind(group: string, version: string, name: string, plural: string, place: BoundaryKind['place'], why: string): BoundaryKind {
  return { group, version, kind: name, plural, key: group === '' ? name : `${name}.${group}`, place, why };
}

const ADMISSION = 'admissionregistration.k8s.io';
const RBAC = 'rbac.authorization.k8s.io';
const FLOW = 'flowcontrol.apiserver.k8s.io';

/** Everything that a verification reads, and all of it. */
export const BOUNDARY_KINDS: readonly BoundaryKind[] = [
  // they are of no namespace, and each tenant has two
  kind('', 'v1', 'Namespace', 'namespaces', 'both', 'labels: Pod Security, and what selectors of ours name'),
  kind(
    'networking.k8s.io',
    'v1',
    'NetworkPolicy',
    'networkpolicies',
    'both',
    'ours close, the tenant’s decide whom ours admit, any other opens',
  ),
  kind('', 'v1', 'ResourceQuota', 'resourcequotas', 'both', 'what the tenant may use up'),
  kind('', 'v1', 'LimitRange', 'limitranges', 'both', 'what a container may use up'),
  kind('', 'v1', 'ServiceAccount', 'serviceaccounts', 'both', 'what its pods run as'),
  kind('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets', 'both', 'members of a control plane at a time'),
  kind(RBAC, 'v1', 'Role', 'roles', 'both', 'what may be done by name'),
  kind(RBAC, 'v1', 'RoleBinding', 'rolebindings', 'both', 'who may'),
  kind(RBAC, 'v1', 'ClusterRoleBinding', 'clusterrolebindings', 'host', 'whether what the tenant’s pods run as may anything on the host'),
  kind('', 'v1', 'Service', 'services', 'workload', 'which pods are behind an Ingress'),
  kind('networking.k8s.io', 'v1', 'Ingress', 'ingresses', 'workload', 'what gateways may call'),
  kind(ADMISSION, 'v1', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', 'host', 'what the API server refuses'),
  kind(ADMISSION, 'v1', 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', 'host', 'where it does'),
  kind(FLOW, 'v1', 'FlowSchema', 'flowschemas', 'host', 'which requests are the tenant’s'),
  kind(FLOW, 'v1', 'PriorityLevelConfiguration', 'prioritylevelconfigurations', 'host', 'their share of the API server'),
];
