/** Configs of the KRM functions. The same fields stand in a ConfigMap as dotted keys (`output.shards: "4"`). */
export const RENDER_TENANT = {
  kind: 'RenderTenant',
  description: 'Config of render-tenant: renders a package of tenants into host manifests, isolation and decisions included.',
  spec: {
    type: 'object',
    description: 'All fields are optional.',
    default: {},
    properties: {
      tenant: {
        type: 'object',
        description: 'The tenant that owns all items, where the input has no folders. With folders, the folder decides.',
        required: ['name', 'namespace'],
        properties: {
          name: { type: 'string', description: 'Name of the TenantCluster.', format: 'dns-subdomain' },
          namespace: { type: 'string', description: 'Namespace of the TenantCluster.', format: 'dns-label' },
        },
      },
      output: {
        type: 'object',
        description: 'What the rendered tree looks like.',
        default: {},
        properties: {
          config: {
            type: 'string',
            description: 'include or exclude host/config/: profiles, policies and TenantClusters for the reconciler.',
            enum: ['include', 'exclude'],
            default: 'include',
          },
          shards: {
            type: 'integer',
            description:
              'Stable subfolders that each tenant’s tree is spread over; 1 is none. Namespaces and isolation then stand in isolation/.',
            minimum: 1,
            maximum: 1000,
            default: 1,
          },
          sources: {
            type: 'string',
            description: 'keep: sources pass untouched. mark: they get the annotation that tells kpt and Argo CD not to apply them.',
            enum: ['keep', 'mark'],
            default: 'keep',
          },
        },
      },
      host: {
        type: 'object',
        description: 'Facts about the host cluster. What is unknown is evaluated strictly, and said.',
        default: {},
        properties: {
          version: { type: 'string', description: 'Kubernetes version of the host.', format: 'kubernetes-version' },
          clusterDomain: { type: 'string', description: 'Cluster domain of the host.', format: 'dns-subdomain', default: 'cluster.local' },
          serviceCIDRs: {
            type: 'array',
            description: 'Service ranges of the host.',
            maxItems: 16,
            items: { type: 'string', description: 'A range.', format: 'cidr' },
          },
          trustedWriters: {
            type: 'array',
            description:
              'Users of the host that may write what tenantplane renders: the accounts of whatever applies the tree. They replace the default, which is the application controller of Argo CD in argocd and the kustomize-controller of Flux in flux-system; the reconciler is always one.',
            maxItems: 32,
            items: {
              type: 'string',
              description: 'A user name as the API server sees it, such as system:serviceaccount:argocd:argocd-application-controller.',
              minLength: 1,
              maxLength: 512,
            },
          },
          trustedGroups: {
            type: 'array',
            description:
              'Groups whose members may do so too: administrators of the host. They replace the default, system:masters and kubeadm:cluster-admins.',
            maxItems: 32,
            items: { type: 'string', description: 'A group as the API server sees it.', minLength: 1, maxLength: 512 },
          },
        },
      },
      failOn: {
        type: 'string',
        description:
          'What makes the function fail: rejected (a tenant that is frozen), never, refused (also an object that is not projected) or warning (also anything to look at).',
        enum: ['rejected', 'never', 'refused', 'warning'],
        default: 'rejected',
      },
      allowEmpty: { type: 'boolean', description: 'Accept a render that gives nothing.', default: false },
      maxDeletions: {
        type: 'integer',
        description: 'Host objects that one render may remove. Default: half of the tree, at least 10.',
        minimum: 0,
      },
      package: {
        type: 'string',
        description: 'Path of a package folder to read; for kustomize generators, which get no input.',
        minLength: 1,
        maxLength: 4096,
      },
    },
  },
} as const;

export const RENDER_SYNC: { readonly kind: 'RenderSync'; readonly description: string; readonly spec: typeof RENDER_TENANT.spec } = {
  kind: 'RenderSync',
  description: 'Config of render-sync: renders projected objects only, without namespaces, isolation and DNS.',
  spec: RENDER_TENANT.spec,
};

export const RENDER_ISOLATION: {
  readonly kind: 'RenderIsolation';
  readonly description: string;
  readonly spec: typeof RENDER_TENANT.spec;
} = {
  kind: 'RenderIsolation',
  description:
    'Config of render-isolation: renders what stands around the projected objects: namespaces, isolation, admission policies, flow control, DNS and configuration.',
  spec: RENDER_TENANT.spec,
};

type RenderFields = typeof RENDER_TENANT.spec.properties;
type ValidateFields = Omit<RenderFields, 'output' | 'failOn'> & {
  readonly failOn: Omit<RenderFields['failOn'], 'default'> & { readonly default: 'refused' };
};
const { output: _, failOn, ...shared } = RENDER_TENANT.spec.properties;

/** As RenderTenant without `output`, since nothing is written; stricter by default. */
export const VALIDATE_TENANT: {
  readonly kind: 'ValidateTenant';
  readonly description: string;
  readonly spec: Omit<typeof RENDER_TENANT.spec, 'properties'> & { readonly properties: ValidateFields };
} = {
  kind: 'ValidateTenant',
  description: 'Config of validate-tenant: reports what a render would refuse, and changes nothing.',
  spec: { ...RENDER_TENANT.spec, properties: { ...shared, failOn: { ...failOn, default: 'refused' } } },
};
