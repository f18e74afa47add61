/** HostFacts: what a render knows of the host cluster. `tenantplane facts` writes it; what is left out is unknown, and said. */
export const HOST_FACTS = {
  kind: 'HostFacts',
  description:
    'Facts about the host cluster, read by a render and never applied. A list that is left out is unknown; an empty one means that there is none.',
  spec: {
    type: 'object',
    description: 'What is known.',
    default: {},
    properties: {
      version: { type: 'string', description: 'Kubernetes version of the host.', format: 'kubernetes-version' },
      clusterDomain: { type: 'string', description: 'Cluster domain of the host.', format: 'dns-subdomain' },
      serviceCIDRs: {
        type: 'array',
        description: 'Service ranges of the host.',
        maxItems: 16,
        items: { type: 'string', description: 'A range.', format: 'cidr' },
      },
      apiVersions: {
        type: 'array',
        description: 'Groups and versions that the host serves, such as external-secrets.io/v1.',
        maxItems: 1000,
        items: { type: 'string', description: 'A version, or group/version.', format: 'api-version' },
      },
      runtimeClasses: {
        type: 'array',
        description: 'RuntimeClasses of the host.',
        maxItems: 1000,
        items: { type: 'string', description: 'Name of a RuntimeClass.', format: 'dns-subdomain' },
      },
      runtimeTolerations: {
        type: 'array',
        description: 'Tolerations that RuntimeClasses of the host give to their pods (scheduling.tolerations).',
        maxItems: 1000,
        items: {
          type: 'object',
          description: 'A toleration, and the class that gives it.',
          required: ['runtimeClass'],
          properties: {
            runtimeClass: { type: 'string', description: 'Name of the RuntimeClass.', format: 'dns-subdomain' },
            key: { type: 'string', description: 'Key of the taint; left out with operator Exists, any.', format: 'qualified-name' },
            operator: { type: 'string', description: 'Equal (the default) or Exists.', enum: ['Equal', 'Exists'] },
            value: { type: 'string', description: 'Value of the taint, for Equal.', format: 'label-value' },
            effect: {
              type: 'string',
              description: 'Effect of the taint; left out, any.',
              enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
            },
          },
        },
      },
      storageClasses: {
        type: 'array',
        description: 'StorageClasses of the host.',
        maxItems: 1000,
        items: { type: 'string', description: 'Name of a StorageClass.', format: 'dns-subdomain' },
      },
      defaultStorageClass: {
        type: 'string',
        description: 'The StorageClass of claims that name none; empty where the host has no default.',
        maxLength: 253,
      },
      ingressClasses: {
        type: 'array',
        description: 'IngressClasses of the host.',
        maxItems: 1000,
        items: { type: 'string', description: 'Name of an IngressClass.', format: 'dns-subdomain' },
      },
      priorityClasses: {
        type: 'array',
        description: 'PriorityClasses of the host.',
        maxItems: 1000,
        items: { type: 'string', description: 'Name of a PriorityClass.', format: 'dns-subdomain' },
      },
      defaultPriorityClass: {
        type: 'string',
        description: 'The PriorityClass of pods that name none; empty where the host has no default.',
        maxLength: 253,
      },
      networkPolicies: {
        type: 'string',
        description:
          'Whether the network plugin of the host enforces NetworkPolicies. No API says so; write it down once it has been tried on the host.',
        enum: ['enforced', 'ignored'],
      },
    },
  },
} as const;
