/** TenantCluster: one virtual tenant. Fields of the public API keep their names; new ones stand beside their neighbours. */
export const TENANT_CLUSTER = {
  kind: 'TenantCluster',
  plural: 'tenantclusters',
  singular: 'tenantcluster',
  shortNames: ['tc'],
  scope: 'Namespaced',
  description:
    'One virtual tenant: how its control plane runs, and which IsolationProfile and SyncPolicy it uses. Its namespace is where the tenant’s workloads run on the host.',
  printerColumns: [
    { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
    { name: 'Profile', type: 'string', jsonPath: '.spec.isolationProfileRef.name' },
    { name: 'Policy', type: 'string', jsonPath: '.spec.syncPolicyRef.name' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status' },
    { name: 'Endpoint', type: 'string', jsonPath: '.status.endpoint', priority: 1 },
    { name: 'Version', type: 'string', jsonPath: '.status.kubernetesVersion', priority: 1 },
    { name: 'Lease', type: 'string', jsonPath: '.status.leader.lease', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  spec: {
    type: 'object',
    description: 'What the platform team wants for this tenant.',
    required: ['isolationProfileRef', 'syncPolicyRef'],
    properties: {
      mode: {
        type: 'string',
        description:
          'Where workloads run: shared (nodes shared with other tenants), dedicated (nodes of the tenant’s own, see nodePool) or private (a cluster of its own; held until it is implemented).',
        enum: ['shared', 'dedicated', 'private'],
        default: 'shared',
      },
      kubernetesVersion: {
        type: 'string',
        description:
          'Version of the tenant’s API server. It selects a k3s image from a maintained table; left out, the newest tested one runs.',
        format: 'kubernetes-version',
        emptyIsUnset: true,
      },
      isolationProfileRef: {
        type: 'object',
        description: 'The security boundary of this tenant.',
        required: ['name'],
        properties: { name: { type: 'string', description: 'Name of an IsolationProfile.', format: 'dns-subdomain' } },
      },
      syncPolicyRef: {
        type: 'object',
        description: 'Which kinds cross the boundary, and in which direction.',
        required: ['name'],
        properties: { name: { type: 'string', description: 'Name of a SyncPolicy.', format: 'dns-subdomain' } },
      },
      controlPlane: {
        type: 'object',
        description: 'How the tenant’s k3s server runs on the host.',
        default: {},
        properties: {
          replicas: {
            type: 'integer',
            description: 'Servers of the control plane. More than one needs a datastore that they can share.',
            minimum: 1,
            default: 1,
          },
          datastore: {
            type: 'object',
            description: 'Where the tenant’s API server keeps its objects.',
            default: {},
            properties: {
              type: {
                type: 'string',
                description: 'sqlite is a file on the control plane’s volume; etcd is embedded; postgres is outside.',
                enum: ['sqlite', 'etcd', 'postgres'],
                default: 'sqlite',
              },
              secretRef: {
                type: 'object',
                description:
                  'The Secret in the control plane’s namespace that holds the URL of the database, for type: postgres, such as postgres://user:password@host:5432/name.',
                required: ['name'],
                properties: {
                  name: { type: 'string', description: 'Name of the Secret.', format: 'dns-subdomain' },
                  key: { type: 'string', description: 'Key of the URL in it.', format: 'secret-key', default: 'endpoint' },
                },
              },
              egress: {
                type: 'object',
                description:
                  'Where the database is, for type: postgres. Without it the control plane reaches nothing but DNS and its own members.',
                required: ['cidrs'],
                properties: {
                  cidrs: {
                    type: 'array',
                    description:
                      'Addresses of the database. Where it runs in the host cluster, those of its pods: policies see traffic behind a Service.',
                    maxItems: 16,
                    items: { type: 'string', description: 'A range such as 10.20.0.5/32.', format: 'cidr' },
                  },
                  port: { type: 'integer', description: 'Port of the database.', minimum: 1, maximum: 65535, default: 5432 },
                },
              },
            },
          },
          storage: {
            type: 'object',
            description: 'The volume of the control plane.',
            default: {},
            properties: {
              className: {
                type: 'string',
                description: 'StorageClass of the volume; left out or empty, the cluster’s default.',
                format: 'dns-subdomain',
                emptyIsUnset: true,
              },
              size: { type: 'string', description: 'Size of the volume.', format: 'quantity', emptyIsUnset: true, default: '1Gi' },
              onDelete: {
                type: 'string',
                description:
                  'What becomes of the volume when the TenantCluster is deleted: Delete, or Retain for a control plane of the same name to come.',
                enum: ['Delete', 'Retain'],
                default: 'Delete',
              },
            },
          },
          expose: {
            type: 'object',
            description: 'How the tenant’s API is reached from outside the host cluster.',
            default: {},
            properties: {
              loadBalancer: {
                type: 'boolean',
                description: 'Publish the tenant’s API through a Service of type LoadBalancer.',
                default: false,
              },
              annotations: {
                type: 'object',
                description: 'Annotations of that Service, such as a cloud’s own settings.',
                keyFormat: 'qualified-name',
                additionalProperties: { type: 'string', description: 'Value of the annotation.' },
              },
            },
          },
          extraTLSSANs: {
            type: 'array',
            description: 'Further names and addresses that the certificate of the tenant’s API covers.',
            maxItems: 64,
            items: { type: 'string', description: 'A DNS name or an IP address.', format: 'tls-san' },
          },
          kubeconfig: {
            type: 'object',
            description: 'The kubeconfig for people, in the Secret kubeconfig of the control plane’s namespace.',
            default: {},
            properties: {
              // Kubernetes revokes no certificate: its life is how long a leak lasts. Whatever reads the Secret never sees it end.
              hours: {
                type: 'integer',
                description:
                  'Life of its client certificate, which cannot be revoked. It is renewed in the Secret when two thirds have passed.',
                minimum: 1,
                maximum: 8760,
                default: 168,
              },
            },
          },
          resources: {
            type: 'object',
            description: 'Requests and limits of the control plane’s own container. The tenant’s quota is spec.resources.',
            default: {},
            properties: {
              requests: {
                type: 'object',
                description: 'What the control plane is sure to get.',
                default: {},
                properties: {
                  cpu: { type: 'string', description: 'CPU request.', format: 'quantity', default: '100m' },
                  memory: { type: 'string', description: 'Memory request.', format: 'quantity', default: '512Mi' },
                },
              },
              limits: {
                type: 'object',
                description: 'What the control plane may use at most.',
                default: {},
                properties: {
                  cpu: { type: 'string', description: 'CPU limit.', format: 'quantity', default: '1' },
                  memory: { type: 'string', description: 'Memory limit.', format: 'quantity', default: '2Gi' },
                },
              },
            },
          },
        },
      },
      networking: {
        type: 'object',
        description: 'Addresses, egress and names of the tenant.',
        default: {},
        properties: {
          podCIDR: {
            type: 'string',
            description: 'Pod range that the tenant’s API server is told. Pods get addresses of the host.',
            format: 'cidr',
            emptyIsUnset: true,
          },
          serviceCIDR: {
            type: 'string',
            description: 'Service range of the tenant’s API server. Projected Services get addresses of the host.',
            format: 'cidr',
            emptyIsUnset: true,
          },
          egressPolicy: {
            type: 'string',
            description:
              'What pods may reach: deny-by-default (DNS and the tenant’s API), allow-same-tenant (the tenant’s own pods too) or unrestricted.',
            enum: ['deny-by-default', 'allow-same-tenant', 'unrestricted'],
            default: 'deny-by-default',
          },
          dns: {
            type: 'string',
            description:
              'How short Service names resolve: aliases (a Service under its short name for each one of the main namespace) or server (a DNS server for the tenant). Default: server where dnsServiceIP is set, else aliases.',
            enum: ['aliases', 'server'],
          },
          dnsServiceIP: {
            type: 'string',
            description: 'Address of the tenant’s DNS Service, free and inside the host’s service range. Needed by dns: server.',
            format: 'ip',
            emptyIsUnset: true,
          },
          mainNamespace: {
            type: 'string',
            description:
              'The virtual namespace whose Services have short names under dns: aliases. Default: the only one with pods, else default.',
            format: 'dns-label',
          },
          ingressHostSuffixes: {
            type: 'array',
            description: 'DNS suffixes under which the tenant may claim Ingress hosts. A suffix matches at a label boundary.',
            maxItems: 64,
            items: {
              type: 'string',
              description: 'A suffix such as dev.apps.example.com; {tenant} may stand in it.',
              format: 'dns-suffix',
            },
          },
        },
      },
      migration: {
        type: 'object',
        description: 'Consent to changes that move or lose something.',
        default: {},
        properties: {
          allowModeChange: { type: 'boolean', description: 'Allow a change of spec.mode.', default: false },
          replaceImmutable: {
            type: 'boolean',
            description:
              'Where the tenant changes an immutable field, emit the options that let an applier delete and create the object anew. Never for claims or StatefulSets with claims.',
            default: false,
          },
          confirmRenameFrom: {
            type: 'string',
            description: 'The tenant’s former name. Confirms that a rename loses the volumes under the old names.',
            format: 'dns-subdomain',
          },
        },
      },
      resources: {
        type: 'object',
        description: 'The tenant’s quota on the host, where the profile requires requests.',
        default: {},
        properties: {
          cpu: {
            type: 'string',
            description: 'CPU that all pods of the tenant may request together.',
            format: 'quantity',
            emptyIsUnset: true,
          },
          memory: {
            type: 'string',
            description: 'Memory that all pods of the tenant may request together.',
            format: 'quantity',
            emptyIsUnset: true,
          },
        },
      },
      expects: {
        type: 'array',
        description:
          'Objects that something else makes in the tenant, such as a Secret of an operator: a reference to them gives no warning.',
        maxItems: 1000,
        items: {
          type: 'object',
          description: 'One object that is made elsewhere.',
          required: ['kind', 'name'],
          properties: {
            apiVersion: { type: 'string', description: 'API version of the object.', format: 'api-version', default: 'v1' },
            kind: { type: 'string', description: 'Kind of the object.', format: 'kind' },
            namespace: { type: 'string', description: 'Virtual namespace of the object.', format: 'dns-label', default: 'default' },
            name: { type: 'string', description: 'Name of the object.', format: 'dns-subdomain' },
          },
        },
      },
      delivery: {
        type: 'string',
        description:
          'Who applies the isolation of the tenant’s namespace: git (Argo CD, Flux, kubectl) or controller (the reconciler). Shared admission objects are always applied from Git.',
        enum: ['git', 'controller'],
        default: 'git',
      },
      nodePool: {
        type: 'object',
        description: 'The nodes of mode: dedicated.',
        properties: {
          nodeSelector: {
            type: 'object',
            description: 'Labels of those nodes, stamped on each pod.',
            keyFormat: 'qualified-name',
            additionalProperties: { type: 'string', description: 'Value of the label.', format: 'label-value' },
          },
          tolerations: {
            type: 'array',
            description: 'Tolerations for the taints of those nodes, stamped on each pod.',
            maxItems: 64,
            items: {
              type: 'object',
              description: 'A toleration as a pod has it.',
              properties: {
                key: { type: 'string', description: 'Key of the taint; left out with operator Exists, any.', format: 'qualified-name' },
                operator: { type: 'string', description: 'Equal (the default) or Exists.', enum: ['Equal', 'Exists'] },
                value: { type: 'string', description: 'Value of the taint, for Equal.', format: 'label-value' },
                effect: {
                  type: 'string',
                  description: 'Effect of the taint; left out, any.',
                  enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
                },
                tolerationSeconds: { type: 'integer', description: 'How long a NoExecute taint is tolerated, in seconds.' },
              },
            },
          },
        },
      },
      secrets: {
        type: 'object',
        description: 'What happens to plain Secrets in Git.',
        default: {},
        properties: {
          render: {
            type: 'string',
            description:
              'none: a plain Secret in objects/ is not rendered (SealedSecret and ExternalSecret are); plain: it is rendered as it stands.',
            enum: ['none', 'plain'],
            default: 'none',
          },
        },
      },
      volumes: {
        type: 'object',
        description: 'What happens to volumes that Git no longer holds.',
        default: {},
        properties: {
          prune: {
            type: 'boolean',
            description: 'Let claims be deleted with their object. By default they are kept on prune, and so is the data.',
            default: false,
          },
        },
      },
    },
  },
} as const;
