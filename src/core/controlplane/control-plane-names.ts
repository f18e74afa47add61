/** Names in a tenant's control-plane namespace. It is one tenant's alone, so they are the same for all. */
export const STATEFUL_SET = 'control-plane' as const;
/** the Service of type LoadBalancer, where one is asked for */
export const EXTERNAL_SERVICE = 'control-plane-external' as const;
export const SECRETS = {
  authorities: 'control-plane-authorities',
  token: 'control-plane-token',
  kubeconfig: 'kubeconfig',
} as const;
