/** Names in a tenant's control-plane namespace. It holds one control plane, so they need not name the tenant. */
export const CONTROL_PLANE = 'control-plane' as const;
/** the container of a pod that is the server */
export const SERVER_CONTAINER = 'k3s' as const;
export const EXTERNAL_SERVICE = 'control-plane-external' as const;
/** authorities and the keys that sign in their names; made once and never written again */
export const AUTHORITIES_SECRET = 'control-plane-authorities' as const;
/** what servers show each other to join, and what their shared data is encrypted with */
export const TOKEN_SECRET = 'control-plane-token' as const;
export const TOKEN_KEY = 'token' as const;
/** the kubeconfig for people */
export const KUBECONFIG_SECRET = 'kubeconfig' as const;
export const CONFIG_MAP = 'control-plane-config' as const;
/** its key that says, to etcd members whose volume is empty, that there is a cluster */
export const BEGUN_FILE = 'etcd-was-begun' as const;
/** the claim template; the claims are `data-control-plane-0`, … */
export const DATA = 'data' as const;

/** What the StatefulSet, and its pods' template, say of themselves. */
export const ANNOTATION = {
  mode: 'tenantplane.io/mode',
  kubernetesVersion: 'tenantplane.io/kubernetes-version',
  datastore: 'tenantplane.io/datastore',
  /** on the template: a change of it is a change of the pods */
  authorities: 'tenantplane.io/authorities',
  config: 'tenantplane.io/config',
  restartedAt: 'tenantplane.io/restarted-at',
} as const;
