/** IsolationProfile: the security boundary as a resource. */
export const ISOLATION_PROFILE = {
  kind: 'IsolationProfile',
  plural: 'isolationprofiles',
  singular: 'isolationprofile',
  shortNames: ['iprof'],
  scope: 'Cluster',
  description: 'The security boundary around tenants: a level, and explicit controls that tighten it or open one thing by name.',
  printerColumns: [
    { name: 'Level', type: 'string', jsonPath: '.spec.level' },
    // What is not stated comes from the level, and a column can show only what is stated: those of single controls would be empty.
    { name: 'Stated', type: 'string', jsonPath: '.spec.controls', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  spec: {
    type: 'object',
    description: 'The boundary.',
    required: ['level'],
    properties: {
      level: {
        type: 'string',
        description:
          'Where the controls start: baseline (pod security baseline, requests required), restricted (pod security restricted, default deny, hostPath and privileged blocked, API fairness) or sandboxed (restricted in a sandboxed runtime, stricter API fairness).',
        enum: ['baseline', 'restricted', 'sandboxed'],
      },
      controls: {
        type: 'object',
        description: 'Controls that differ from the level. One that is left out has the level’s value; one below its level is reported.',
        default: {},
        properties: {
          podSecurity: {
            type: 'string',
            description: 'Pod Security Standard of the tenant’s namespace. Default: baseline at level baseline, else restricted.',
            enum: ['baseline', 'restricted'],
          },
          defaultDenyNetworkPolicy: {
            type: 'boolean',
            description: 'Deny all traffic that nothing allows. Default: false at level baseline, else true.',
          },
          requireResourceRequests: {
            type: 'boolean',
            description:
              'Give the namespace a ResourceQuota and a LimitRange, so that every container has requests. Default: true at every level.',
          },
          runtimeClassName: {
            type: 'string',
            description: 'RuntimeClass of every pod. Default: kata-qemu at level sandboxed, else none.',
            format: 'dns-subdomain',
            emptyIsUnset: true,
          },
          blockHostPathVolumes: { type: 'boolean', description: 'Refuse hostPath volumes. Default: false at level baseline, else true.' },
          blockPrivilegedContainers: {
            type: 'boolean',
            description: 'Refuse privileged containers. Default: false at level baseline, else true.',
          },
          userNamespaces: {
            type: 'string',
            description:
              'A user namespace of its own for each pod (hostUsers: false): required, preferred (where the tenant does not say otherwise) or off. Needs Kubernetes 1.33 and nodes that can. Default: off.',
            enum: ['off', 'preferred', 'required'],
          },
          apiFairness: {
            type: 'string',
            description:
              'Share of the host API: tenant, or the smaller tenant-strict. Default: tenant at level restricted, tenant-strict at sandboxed, none at baseline.',
            enum: ['tenant', 'tenant-strict'],
          },
        },
      },
      podSecurity: {
        type: 'object',
        description: 'What is filled in where a pod leaves open what Pod Security asks for.',
        default: {},
        properties: {
          complete: {
            type: 'string',
            description:
              'seccomp: only the seccomp profile, from restricted up. all: also runAsNonRoot, allowPrivilegeEscalation: false and drop ALL, which some images do not run with. Set fields are never changed.',
            enum: ['seccomp', 'all'],
            default: 'seccomp',
          },
        },
      },
      allow: {
        type: 'object',
        description: 'Things that are refused unless they are allowed here by name.',
        default: {},
        properties: {
          daemonSets: { type: 'boolean', description: 'DaemonSets, which run on every node.', default: false },
          selectorlessServices: {
            type: 'boolean',
            description: 'Services without a selector, whose addresses are set by hand.',
            default: false,
          },
          endpoints: { type: 'boolean', description: 'Endpoints and EndpointSlices made by hand.', default: false },
          serviceTypes: {
            type: 'array',
            description: 'Service types that leave the cluster.',
            maxItems: 2,
            items: { type: 'string', description: 'A Service type.', enum: ['LoadBalancer', 'NodePort'] },
          },
          loadBalancerClasses: {
            type: 'array',
            description: 'Classes that Services of type LoadBalancer may name. With none here, only the host’s default load balancer.',
            maxItems: 64,
            items: {
              type: 'string',
              description: 'A loadBalancerClass of the host, such as service.k8s.aws/nlb.',
              format: 'qualified-name',
            },
          },
          ingressClasses: {
            type: 'array',
            description:
              'Ingress classes that may be used. The first is set where an Ingress names none; with none here, no Ingress is projected.',
            maxItems: 64,
            items: { type: 'string', description: 'Name of an IngressClass of the host.', format: 'dns-subdomain' },
          },
          ingressHostSuffixes: {
            type: 'array',
            description: 'DNS suffixes under which tenants of this profile may claim Ingress hosts.',
            maxItems: 64,
            items: { type: 'string', description: 'A suffix; {tenant} stands for the tenant’s name.', format: 'dns-suffix' },
          },
          storageClasses: {
            type: 'array',
            description: 'Storage classes that claims may name. With none here, only the host’s default class.',
            maxItems: 64,
            items: { type: 'string', description: 'Name of a StorageClass of the host.', format: 'dns-subdomain' },
          },
          csiDrivers: {
            type: 'array',
            description: 'CSI drivers that pods may use for inline volumes.',
            maxItems: 64,
            items: { type: 'string', description: 'Name of a CSI driver.', format: 'dns-subdomain' },
          },
          extendedResources: {
            type: 'array',
            description:
              'Devices and other extended resources, and huge pages, that containers may ask for. Give each a share: quota requests.NAME.',
            maxItems: 64,
            items: {
              type: 'string',
              description: 'Name of the resource, such as nvidia.com/gpu or hugepages-2Mi.',
              format: 'qualified-name',
            },
          },
          imageVolumes: { type: 'boolean', description: 'Volumes whose source is an image.', default: false },
          tolerations: {
            type: 'array',
            description: 'Tolerations that pods may have.',
            maxItems: 64,
            items: {
              type: 'object',
              description: 'A toleration. A field that is left out here allows any value of it.',
              required: ['key'],
              properties: {
                key: { type: 'string', description: 'Key of the taint.', format: 'qualified-name' },
                operator: { type: 'string', description: 'Operator that is allowed.', enum: ['Equal', 'Exists'] },
                value: { type: 'string', description: 'Value that is allowed.', format: 'label-value' },
                effect: {
                  type: 'string',
                  description: 'Effect that is allowed.',
                  enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
                },
              },
            },
          },
          annotations: {
            type: 'array',
            description:
              'Annotations of the tenant that reach the host, beside those that are always allowed in templates. No prefix lets raw configuration of a controller through (snippets, rules as JSON): name such a key whole.',
            maxItems: 256,
            items: { type: 'string', description: 'A key, or a prefix that ends in *.', format: 'annotation-rule' },
          },
          externalMetrics: {
            type: 'boolean',
            description: 'External and object metrics in HorizontalPodAutoscalers, which read metrics of the host.',
            default: false,
          },
          gatewayNamespaces: {
            type: 'array',
            description: 'Namespaces of the host whose pods, such as ingress controllers, may call the tenant’s pods.',
            maxItems: 64,
            items: { type: 'string', description: 'A namespace of the host.', format: 'dns-label' },
          },
          priorityClasses: {
            type: 'array',
            description: 'Priority classes that pods may name.',
            maxItems: 64,
            items: { type: 'string', description: 'Name of a PriorityClass of the host.', format: 'dns-subdomain' },
          },
          secretStores: {
            type: 'array',
            description: 'Secret stores that ExternalSecrets may read from.',
            maxItems: 64,
            items: { type: 'string', description: 'Kind/name, such as ClusterSecretStore/vault.', format: 'store-ref' },
          },
          seccompProfiles: {
            type: 'array',
            description: 'Localhost seccomp profiles that pods may name.',
            maxItems: 64,
            items: { type: 'string', description: 'Path of the profile under the kubelet’s seccomp folder.', minLength: 1, maxLength: 512 },
          },
          externalNames: {
            type: 'array',
            description: 'DNS suffixes that Services of type ExternalName may point at.',
            maxItems: 64,
            items: { type: 'string', description: 'A suffix such as example.com.', format: 'dns-suffix' },
          },
        },
      },
      limits: {
        type: 'object',
        description:
          'The LimitRange of the tenant’s namespace, for each container. Values left out are worked out from the level and the quota.',
        default: {},
        properties: {
          defaultRequest: {
            type: 'object',
            description: 'Request of a container that names none.',
            default: {},
            properties: {
              cpu: { type: 'string', description: 'CPU.', format: 'quantity' },
              memory: { type: 'string', description: 'Memory.', format: 'quantity' },
              'ephemeral-storage': { type: 'string', description: 'Local disk.', format: 'quantity' },
            },
          },
          default: {
            type: 'object',
            description: 'Limit of a container that names none.',
            default: {},
            properties: {
              cpu: { type: 'string', description: 'CPU.', format: 'quantity' },
              memory: { type: 'string', description: 'Memory.', format: 'quantity' },
              'ephemeral-storage': { type: 'string', description: 'Local disk.', format: 'quantity' },
            },
          },
          min: {
            type: 'object',
            description: 'Smallest request of a container.',
            default: {},
            properties: {
              cpu: { type: 'string', description: 'CPU.', format: 'quantity' },
              memory: { type: 'string', description: 'Memory.', format: 'quantity' },
              'ephemeral-storage': { type: 'string', description: 'Local disk.', format: 'quantity' },
            },
          },
          max: {
            type: 'object',
            description: 'Largest limit of a container.',
            default: {},
            properties: {
              cpu: { type: 'string', description: 'CPU.', format: 'quantity' },
              memory: { type: 'string', description: 'Memory.', format: 'quantity' },
              'ephemeral-storage': { type: 'string', description: 'Local disk.', format: 'quantity' },
            },
          },
          maxLimitRequestRatio: {
            type: 'object',
            description: 'How many times its request a container’s limit may be.',
            default: {},
            properties: {
              cpu: { type: 'string', description: 'CPU.', format: 'quantity' },
              memory: { type: 'string', description: 'Memory.', format: 'quantity' },
              'ephemeral-storage': { type: 'string', description: 'Local disk.', format: 'quantity' },
            },
          },
        },
      },
      quota: {
        type: 'object',
        description: 'Hard values of the ResourceQuota that replace computed ones, such as count/services or requests.storage.',
        keyFormat: 'qualified-name',
        additionalProperties: { type: 'string', description: 'A quantity.', format: 'quantity' },
      },
      network: {
        type: 'object',
        description: 'Facts about the host’s network.',
        default: {},
        properties: {
          hostCIDRs: {
            type: 'array',
            description: 'Ranges of the host (pods, services, nodes, control plane) that egress to the internet leaves out.',
            maxItems: 256,
            items: { type: 'string', description: 'A range.', format: 'cidr' },
          },
          dnsPeers: {
            type: 'array',
            description: 'The pods of the host that answer DNS. Default: kube-dns in kube-system.',
            maxItems: 16,
            items: {
              type: 'object',
              description: 'One set of pods.',
              required: ['namespace'],
              properties: {
                namespace: { type: 'string', description: 'Their namespace.', format: 'dns-label' },
                podLabels: {
                  type: 'object',
                  description: 'Their labels; left out, all pods of the namespace.',
                  keyFormat: 'qualified-name',
                  additionalProperties: { type: 'string', description: 'Value of the label.', format: 'label-value' },
                },
                port: { type: 'integer', description: 'Port of the pods, for UDP and TCP.', minimum: 1, maximum: 65535, default: 53 },
              },
            },
          },
        },
      },
    },
  },
} as const;
