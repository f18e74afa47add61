import type { KubeObject } from '../kube/object.ts';

/** Whom a tenant's API server takes the bearer of a client certificate for. */
export interface TenantIdentity {
  readonly user: string;
  readonly groups: readonly string[];
}

/**
 * Who comes into a tenant's API with a certificate of ours. `bootstrap` alone is in the group that no RBAC can limit, for minutes, to apply
 * the objects below; people are not, so that taking a binding away takes their rights away, which for a certificate nothing else does.
 */
export const TENANT_IDENTITIES: Readonly<Record<'bootstrap' | 'reconciler' | 'admin', TenantIdentity>> = {
  bootstrap: { user: 'tenantplane:bootstrap', groups: ['system:masters'] },
  reconciler: { user: 'tenantplane:reconciler', groups: [] },
  admin: { user: 'tenantplane:admin', groups: ['tenantplane:admins'] },
};

const RBAC = 'rbac.authorization.k8s.io';
const RECONCILER = 'tenantplane:reconciler';
const ADMINS = 'tenantplane:admins';

/** What is applied in a tenant's API before anything else: the rights of the reconciler, and of the people who get the kubeconfig. */
export const TENANT_ACCESS: readonly KubeObject[] = [
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: RECONCILER },
    rules: [{ nonResourceURLs: ['/livez', '/livez/*', '/readyz', '/readyz/*', '/version'], verbs: ['get'] }],
  },
  binding(RECONCILER, RECONCILER, { kind: 'User', name: TENANT_IDENTITIES.reconciler.user }),
  binding(ADMINS, 'cluster-admin', { kind: 'Group', name: ADMINS }),
];

function binding(name: string, role: string, subject: { readonly kind: 'User' | 'Group'; readonly name: string }): KubeObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: RBAC, ...subject }],
  };
}
