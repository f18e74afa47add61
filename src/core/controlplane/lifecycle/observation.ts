import { stringAt } from '../../kube/json.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ControlPlaneSettings } from '../control-plane-settings.ts';
import type { KubernetesRelease } from '../kubernetes-versions.ts';

/**
 * Everything that one pass over a TenantCluster knows, gathered by the shell. No value of a Secret is among it: of secret material it says
 * that it is there, what its public half digests to, and how long it lasts.
 */
export interface LifecycleObservation {
  /** milliseconds since 1970 */
  readonly now: number;
  readonly tenantCluster: KubeObject;
  /** names of other TenantClusters of its namespace that were there first */
  readonly elders: readonly string[];
  readonly config: ConfigState;
  readonly namespaces: { readonly workload: NamespaceState; readonly controlPlane: NamespaceState };
  readonly boundary: BoundaryState;
  readonly secrets: SecretStates;
  readonly access: AccessState;
  readonly live: LiveObjects;
  /** undefined where they could not be read */
  readonly storageClasses?: { readonly names: ReadonlySet<string>; readonly hasDefault: boolean };
  readonly api: ApiState;
  /** what can be run, of which `release` is the one that the spec asks for */
  readonly releases: readonly KubernetesRelease[];
  readonly release: KubernetesRelease | undefined;
}

/** A pass whose configuration can be used. */
export interface Settled extends LifecycleObservation {
  readonly config: ConfigState & { readonly ready: true };
}

/** Whether the tenant's API has ever answered: what went wrong after that is a degradation. */
export function wasReady({ tenantCluster }: LifecycleObservation): boolean {
  return stringAt(tenantCluster, 'status', 'kubernetesVersion') !== undefined;
}

/** The TenantCluster with its profile and policy, as far as they can be used. */
export type ConfigState =
  | {
      readonly ready: true;
      readonly settings: ControlPlaneSettings;
      readonly delivery: 'git' | 'controller';
      readonly kubeconfigHours: number;
    }
  | {
      readonly ready: false;
      readonly reason: 'ProfileMissing' | 'PolicyMissing' | 'Invalid' | 'ModeNotImplemented';
      readonly message: string;
    };

export type NamespaceState = 'missing' | 'foreign' | 'terminating' | 'ours';

export type BoundaryState =
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'verified';
      /** nothing is open that the plan closes */
      readonly enforced: boolean;
      /** planned objects that are not there at all, of those that close something and of those that admit something */
      readonly missing: number;
      /** what is not as planned, the worst first, each a sentence */
      readonly problems: readonly string[];
      /** what the reconciler does about it itself, where the TenantCluster asks for that (`delivery: controller`) */
      readonly delivery?: BoundaryWork;
    };

export interface BoundaryWork {
  /** in order; `standing`: one of this tenant's is there, and is brought to the plan */
  readonly apply: readonly { readonly object: KubeObject; readonly standing: boolean }[];
  readonly remove: readonly KubeObject[];
  /** what stands of the boundary, in the order in which it goes when the tenant goes */
  readonly teardown: readonly KubeObject[];
}

/** `unknown`: it could not be read, which is not the same as absent. */
export type Presence = 'present' | 'absent' | 'unknown';

export interface Lifetime {
  readonly name: string;
  /** milliseconds since 1970 */
  readonly notBefore: number;
  readonly notAfter: number;
}

export interface SecretStates {
  readonly authorities:
    | { readonly state: 'present'; readonly ours: boolean; readonly digest: string; readonly lifetimes: readonly Lifetime[] }
    | Broken
    | { readonly state: 'absent' | 'unknown' };
  readonly token: { readonly state: Presence; readonly ours: boolean } | Broken;
  readonly kubeconfig: {
    readonly state: Presence;
    readonly ours: boolean;
    readonly issued?: KubeconfigIssue;
    /** why Kubernetes would take no other content for it */
    readonly fixed?: string;
  };
  /** of a PostgreSQL datastore: whether the Secret has the key */
  readonly datastore: Presence;
}

/** It is there, and of no use. */
export interface Broken {
  readonly state: 'broken';
  readonly ours: boolean;
  /** each names a file of it, and never what that holds */
  readonly problems: readonly string[];
}

export function stands(state: Presence | 'broken'): boolean {
  return state === 'present' || state === 'broken';
}

/** Whether one of them could not be read, so that nobody knows whether it is there. */
export function unread({ authorities, token, kubeconfig }: SecretStates): boolean {
  return [authorities, token, kubeconfig].some(({ state }) => state === 'unknown');
}

/** What lets the reconciler read and write in the control plane’s namespace. */
export interface AccessState {
  /** of its Role and its RoleBinding there, those that are not, as `Kind name` */
  readonly missing: readonly string[];
  /** what the host said where it refused a Secret */
  readonly refused?: string;
}

/** What the kubeconfig Secret says of itself in its annotations. */
export interface KubeconfigIssue extends Lifetime {
  readonly authorities: string;
  readonly server: string;
  /** digest of what was granted in the tenant for it */
  readonly access: string;
}

/** Objects in the control plane's namespace under the names that we use; ours or not. */
export interface LiveObjects {
  readonly statefulSet?: KubeObject;
  readonly services: readonly KubeObject[];
  readonly configMaps: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
  readonly claims: readonly KubeObject[];
  /** pods of the tenant’s workloads, in its own namespace */
  readonly workloads: number;
}

/** What the tenant's API said when it was asked, with a certificate of the reconciler's own. */
export type ApiState =
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'answers'; readonly version: string; readonly serving: Lifetime | undefined };
