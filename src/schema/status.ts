/** Status of the configuration kinds: written by the reconciler, never read from a package. */
export const TENANT_CLUSTER_STATUS = {
  type: 'object',
  description: 'What the reconciler found.',
  properties: {
    observedGeneration: { type: 'integer', description: 'Generation of the spec that this status is about.' },
    phase: {
      type: 'string',
      description: 'Summary of the conditions.',
      enum: ['Pending', 'Provisioning', 'Ready', 'Degraded'],
    },
    endpoint: { type: 'string', description: 'Address of the tenant’s API inside the host cluster.' },
    externalEndpoint: { type: 'string', description: 'Address of the load balancer, once it has one.' },
    kubernetesVersion: { type: 'string', description: 'Version of Kubernetes that the control plane runs, such as 1.34.2.' },
    lastHandledReconcileAt: {
      type: 'string',
      description: 'The annotation tenantplane.io/reconcile-requested-at as it was when it was last acted on.',
    },
    leader: {
      type: 'object',
      description: 'Which process of the reconciler works on it. It alone does, for as long as it holds the Lease.',
      required: ['lease', 'holderIdentity'],
      properties: {
        lease: { type: 'string', description: 'Namespace and name of the Lease, such as tenantplane-system/tenantplane-reconciler.' },
        holderIdentity: { type: 'string', description: 'The process, as the Lease names it.' },
      },
    },
    certificates: {
      type: 'array',
      description: 'Certificates of the control plane and when they end.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        description: 'One certificate.',
        required: ['name', 'notAfter'],
        properties: {
          name: { type: 'string', description: 'What it is for, such as serving or kubeconfig.' },
          notAfter: { type: 'string', description: 'When it ends.', format: 'date-time' },
        },
      },
    },
    conditions: {
      type: 'array',
      description: 'Conditions, readable by kstatus.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        description: 'One condition.',
        required: ['type', 'status'],
        properties: {
          type: { type: 'string', description: 'Name of the condition, such as Ready.' },
          status: { type: 'string', description: 'True, False or Unknown.', enum: ['True', 'False', 'Unknown'] },
          reason: { type: 'string', description: 'A reason of the registry.' },
          message: { type: 'string', description: 'A sentence.' },
          observedGeneration: { type: 'integer', description: 'Generation that the condition is about.' },
          lastTransitionTime: { type: 'string', description: 'When the status last changed.', format: 'date-time' },
        },
      },
    },
  },
} as const;

/** of IsolationProfile and SyncPolicy */
export const PLATFORM_STATUS = {
  type: 'object',
  description: 'What the reconciler found.',
  properties: {
    observedGeneration: { type: 'integer', description: 'Generation of the spec that this status is about.' },
    conditions: {
      type: 'array',
      description: 'Conditions, readable by kstatus.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        description: 'One condition.',
        required: ['type', 'status'],
        properties: {
          type: { type: 'string', description: 'Name of the condition.' },
          status: { type: 'string', description: 'True, False or Unknown.', enum: ['True', 'False', 'Unknown'] },
          reason: { type: 'string', description: 'A reason of the registry.' },
          message: { type: 'string', description: 'A sentence.' },
          observedGeneration: { type: 'integer', description: 'Generation that the condition is about.' },
          lastTransitionTime: { type: 'string', description: 'When the status last changed.', format: 'date-time' },
        },
      },
    },
  },
} as const;
