import { RECONCILER } from '../../src/core/isolation/reconciler.ts';

/** One row of what the reconciler's account may do. The roles, the page of the docs and the test that tries each are made from these. */
export interface AccessRow {
  /** cluster: everywhere; own: in the reconciler's namespace; controller: everywhere, and only where `delivery: controller` is used */
  readonly where: 'cluster' | 'own' | 'controller';
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** no others; verbs that cannot be told by name (create, list) stand in a row without */
  readonly names?: readonly string[];
  readonly why: string;
}

/** What it gives itself in a control plane's namespace. What it pulls of a tenant's objects, the tenant's input says: that Role is Git's. */
const OWN_ROLE: readonly string[] = [RECONCILER.name];

/** By its copies of the host alone: it asks for none of these by name. */
const READ = ['list', 'watch'] as const;
const WRITE = ['create', 'patch', 'delete'] as const;

/**
 * What is not here is in no role of the reconciler outside of a tenant's own namespaces: Secrets, pods/exec, admission writes, roles,
 * tokens of other accounts. What it needs in a control plane's namespace stands in a Role there, which Git brings with the tenant.
 */
export const ACCESS_ROWS: readonly AccessRow[] = [
  {
    where: 'cluster',
    group: 'tenantplane.io',
    resources: ['tenantclusters', 'isolationprofiles', 'syncpolicies'],
    verbs: READ,
    why: 'what is wanted for each tenant',
  },
  {
    where: 'cluster',
    group: 'tenantplane.io',
    resources: ['tenantclusters'],
    verbs: ['patch'],
    why: 'to set and take off its finalizer, so that a tenant is taken down in order',
  },
  {
    where: 'cluster',
    group: 'tenantplane.io',
    resources: ['tenantclusters/status'],
    verbs: ['patch'],
    why: 'to say what it found',
  },
  {
    where: 'cluster',
    group: '',
    resources: ['namespaces', 'resourcequotas', 'limitranges', 'serviceaccounts'],
    verbs: READ,
    why: 'is the tenant’s boundary there, and what was rendered; whose is a namespace',
  },
  {
    where: 'cluster',
    group: 'networking.k8s.io',
    resources: ['networkpolicies', 'ingresses'],
    verbs: READ,
    why: 'is the boundary there; what gateways are let in to',
  },
  {
    where: 'cluster',
    group: 'policy',
    resources: ['poddisruptionbudgets'],
    verbs: READ,
    why: 'is the boundary there',
  },
  {
    where: 'cluster',
    group: 'rbac.authorization.k8s.io',
    resources: ['roles', 'rolebindings', 'clusterrolebindings'],
    verbs: READ,
    why: 'are its own rights in a tenant’s namespaces there, and no wider than rendered; has nobody given a tenant’s pods any',
  },
  {
    where: 'cluster',
    group: 'admissionregistration.k8s.io',
    resources: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
    verbs: READ,
    why: 'are the admission policies there before anything starts; they are written from Git alone',
  },
  {
    where: 'cluster',
    group: 'flowcontrol.apiserver.k8s.io',
    resources: ['flowschemas', 'prioritylevelconfigurations'],
    verbs: READ,
    why: 'is the tenant’s fair share of the API there',
  },
  {
    where: 'cluster',
    group: 'apps',
    resources: ['statefulsets'],
    verbs: READ,
    why: 'how control planes stand; to write them is a Role’s in each namespace',
  },
  {
    where: 'cluster',
    group: '',
    resources: ['services', 'pods', 'persistentvolumeclaims'],
    verbs: READ,
    why: 'how control planes stand: addresses, why a pod does not start, the volume',
  },
  {
    where: 'cluster',
    group: 'storage.k8s.io',
    resources: ['storageclasses'],
    verbs: READ,
    why: 'is there the storage class that a tenant asks for, or a default',
  },
  {
    where: 'cluster',
    group: 'events.k8s.io',
    resources: ['events'],
    verbs: ['create', 'patch'],
    why: 'to tell people; a repeated Event is counted by a patch',
  },
  {
    where: 'own',
    group: 'coordination.k8s.io',
    resources: ['leases'],
    verbs: ['get', 'create', 'update'],
    why: 'to lead, and to see who does: a Lease for each shard; whether another shard’s leader still is one',
  },
  {
    where: 'controller',
    group: '',
    resources: ['namespaces'],
    verbs: ['create', 'patch'],
    why: 'to make a tenant’s two namespaces and to hold their Pod Security labels; not to delete: volumes would go with them',
  },
  {
    where: 'controller',
    group: '',
    resources: ['serviceaccounts'],
    verbs: WRITE,
    why: 'to make the account without rights that a tenant’s pods run as, and to take it away with the tenant',
  },
  {
    where: 'controller',
    group: '',
    resources: ['resourcequotas', 'limitranges'],
    verbs: WRITE,
    why: 'to apply a tenant’s limits, and to take out what its profile asks for no more',
  },
  {
    where: 'controller',
    group: 'networking.k8s.io',
    resources: ['networkpolicies'],
    verbs: WRITE,
    why: 'to apply a tenant’s network policies, and to take out an allowance that its profile gives no more',
  },
  {
    where: 'controller',
    group: 'policy',
    resources: ['poddisruptionbudgets'],
    verbs: WRITE,
    why: 'to apply the disruption budget of a control plane with several members',
  },
  {
    where: 'controller',
    group: 'rbac.authorization.k8s.io',
    resources: ['roles'],
    names: OWN_ROLE,
    verbs: [...WRITE, 'escalate', 'bind'],
    why: 'to give itself what Git gives else, in a control plane’s namespace: rights that it does not hold, so escalate and bind, of the role of this name alone',
  },
  {
    where: 'controller',
    group: 'rbac.authorization.k8s.io',
    resources: ['rolebindings'],
    names: OWN_ROLE,
    verbs: WRITE,
    why: 'to bind that role to itself',
  },
];
