/**
 * What the planner and the translators read of a package's configuration: TenantCluster, IsolationProfile, SyncPolicy and
 * function config, with every default resolved once. Nothing behind this file looks at a raw `spec`.
 */
import type { JsonObject } from '../kube/json.ts';

export type Level = 'baseline' | 'restricted' | 'sandboxed';
export type EgressPolicy = 'deny-by-default' | 'allow-same-tenant' | 'unrestricted';
export type Direction = 'toHost' | 'fromHost' | 'bidirectional';

/** Facts about the host cluster; undefined means unknown, and unknown is said. */
export interface HostFacts {
  /** minor version of Kubernetes 1.x on the host, 28 to 37 */
  readonly minor?: number;
  /** the host's cluster domain, `cluster.local` by default */
  readonly clusterDomain: string;
  /** service CIDRs of the host, where known */
  readonly serviceCIDRs: readonly string[];
  /** users that may write what is rendered, beside the reconciler */
  readonly trustedWriters: readonly string[];
  /** groups whose members may do so: the administrators of the host */
  readonly trustedGroups: readonly string[];
  /** groups and versions that the host serves */
  readonly apiVersions?: ReadonlySet<string>;
  readonly runtimeClasses?: ReadonlySet<string>;
  /** tolerations that the host's RuntimeClasses give to their pods, by class */
  readonly runtimeTolerations: ReadonlyMap<string, readonly JsonObject[]>;
  readonly storageClasses?: ReadonlySet<string>;
  /** empty where the host has no default */
  readonly defaultStorageClass?: string;
  readonly ingressClasses?: ReadonlySet<string>;
  readonly priorityClasses?: ReadonlySet<string>;
  /** empty where the host has no default */
  readonly defaultPriorityClass?: string;
  /** whether the network plugin enforces NetworkPolicies */
  readonly networkPolicies?: 'enforced' | 'ignored';
}

export interface OutputSettings {
  readonly config: 'include' | 'exclude';
  /** subfolders that a tenant's tree is spread over; 1 is none */
  readonly shards: number;
}

export interface TenantSettings {
  /** name of the TenantCluster */
  readonly name: string;
  /** its namespace: the workload namespace on the host */
  readonly namespace: string;
  readonly controlPlaneNamespace: string;
  readonly mode: 'shared' | 'dedicated' | 'private';
  readonly profile: string;
  readonly policy: string;
  readonly egressPolicy: EgressPolicy;
  readonly dns: 'aliases' | 'server';
  readonly dnsServiceIP?: string;
  /** networking.mainNamespace as written; the planner works it out where it is not */
  readonly mainNamespace?: string;
  /** the tenant's own cluster domain for DNS, always `cluster.local` for k3s */
  readonly clusterDomain: string;
  /** DNS suffixes under which the tenant may claim Ingress hosts, `{tenant}` already filled in */
  readonly ingressHostSuffixes: readonly string[];
  readonly nodePool?: { readonly nodeSelector: Readonly<Record<string, string>>; readonly tolerations: readonly JsonObject[] };
  readonly renderSecrets: 'plain' | 'none';
  readonly pruneVolumes: boolean;
  readonly replaceImmutable: boolean;
  /** names that are made elsewhere: no warning for a reference to them. Kind as in KindRow keys. */
  readonly expects: readonly { readonly kind: string; readonly namespace: string; readonly name: string }[];
  readonly resources: { readonly cpu?: string; readonly memory?: string };
  /** as written; a version that our table of releases has, or one that the platform's own may have */
  readonly kubernetesVersion?: string;
  readonly controlPlane: ControlPlaneNeeds;
  /** as written; nothing enforces them in shared mode, which is reported */
  readonly podCIDR?: string;
  readonly serviceCIDR?: string;
  readonly delivery: 'git' | 'controller';
  /** the old tenant name whose rename was confirmed to lose data */
  readonly confirmedRenameFrom?: string;
}

/** What the policies, quota and rights of the control plane's namespace depend on. */
export interface ControlPlaneNeeds {
  readonly replicas: number;
  readonly loadBalancer: boolean;
  readonly datastore: 'sqlite' | 'etcd' | 'postgres';
  /** of a database: the Secret with its URL, and where it is */
  readonly datastoreSecret?: string;
  readonly egress?: { readonly cidrs: readonly string[]; readonly port: number };
}

export interface ProfileSettings {
  readonly name: string;
  readonly level: Level;
  readonly podSecurity: 'baseline' | 'restricted';
  /** stamp every unset field that restricted Pod Security asks for, or seccomp only */
  readonly completePodSecurity: 'all' | 'seccomp';
  readonly defaultDeny: boolean;
  readonly requireResourceRequests: boolean;
  readonly runtimeClassName?: string;
  readonly blockHostPath: boolean;
  readonly blockPrivileged: boolean;
  /** a user namespace of its own for each pod */
  readonly userNamespaces: 'off' | 'preferred' | 'required';
  readonly allow: {
    readonly daemonSets: boolean;
    readonly selectorlessServices: boolean;
    /** Endpoints and EndpointSlices made by hand */
    readonly endpoints: boolean;
    readonly serviceTypes: readonly ('LoadBalancer' | 'NodePort')[];
    /** empty means the host's default load balancer only (no class named) */
    readonly loadBalancerClasses: readonly string[];
    /** first one is forced where the tenant names none; empty means no Ingress is projected */
    readonly ingressClasses: readonly string[];
    /** empty means the host's default class only (no class named) */
    readonly storageClasses: readonly string[];
    readonly csiDrivers: readonly string[];
    /** devices and huge pages, by resource name */
    readonly extendedResources: readonly string[];
    readonly imageVolumes: boolean;
    readonly tolerations: readonly {
      readonly key: string;
      readonly operator?: string;
      readonly value?: string;
      readonly effect?: string;
    }[];
    /** keys, or prefixes ending in `*`, allowed on every object; templates also have the built-in list */
    readonly annotations: readonly string[];
    readonly externalMetrics: boolean;
    /** namespaces of the host whose pods (ingress gateways) may call the tenant */
    readonly gatewayNamespaces: readonly string[];
    readonly priorityClasses: readonly string[];
    /** `Kind/name` of (Cluster)SecretStores that ExternalSecrets may use */
    readonly secretStores: readonly string[];
    readonly seccompProfiles: readonly string[];
    /** DNS suffixes that ExternalName Services may point at */
    readonly externalNames: readonly string[];
  };
  readonly limits: ContainerLimits;
  readonly apiFairness?: 'tenant' | 'tenant-strict';
  /** controls that the profile states itself; the others come from its level */
  readonly statedControls: readonly string[];
  /** hard values that replace computed ones in the ResourceQuotas, by resource name */
  readonly quota: Readonly<Record<string, string>>;
  readonly network: {
    /** ranges of the host (pods, Services, nodes) that internet egress never reaches */
    readonly hostCIDRs: readonly string[];
    /** the host's DNS servers; kube-dns in kube-system, port 53, where the profile names none */
    readonly dnsPeers: readonly DnsPeer[];
  };
}

/** Pods of the host that answer DNS. `port` is the pods' own, not the Service's (5353 on OpenShift). */
export interface DnsPeer {
  readonly namespace: string;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly port: number;
}

/** The LimitRange that the profile compiles to: quantities as Kubernetes writes them. */
export interface ContainerLimits {
  readonly defaultRequest: Readonly<Record<string, string>>;
  readonly default: Readonly<Record<string, string>>;
  readonly min: Readonly<Record<string, string>>;
  readonly max: Readonly<Record<string, string>>;
  readonly maxLimitRequestRatio: Readonly<Record<string, string>>;
}

export interface PolicyEntry {
  readonly apiVersion: string;
  readonly kind: string;
  readonly direction: Direction;
  /** `Service`, `Deployment.apps` */
  readonly key: string;
  /** labels that an object must carry to be covered */
  readonly labelSelector?: JsonObject;
  /** of a custom kind only */
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly references: readonly { readonly path: string; readonly kind: string; readonly apiVersion: string }[];
  readonly selectors: readonly { readonly path: string }[];
}

export interface PolicySettings {
  readonly name: string;
  readonly conflictPolicy: 'manual' | 'tenant-wins' | 'host-wins';
  readonly recordDecisions: boolean;
  readonly entries: readonly PolicyEntry[];
}
