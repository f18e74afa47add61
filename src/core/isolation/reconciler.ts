/** The account that the reconciler runs as. Policies, flows and roles on the host name it. */
export const RECONCILER: { readonly namespace: 'tenantplane-system'; readonly name: 'tenantplane-reconciler' } = {
  namespace: 'tenantplane-system',
  name: 'tenantplane-reconciler',
};

/** The Role, and its binding, that let it work in the namespace of a control plane. */
export const RECONCILER_ACCESS = 'tenantplane-reconciler' as const;
