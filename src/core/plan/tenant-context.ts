import type { HostName, NamedHost } from '../identity/host-name.ts';
import type { KindRow } from '../kube/kinds.ts';
import type { KubeObject } from '../kube/object.ts';
import type { HostFacts, PolicySettings, ProfileSettings, TenantSettings } from './settings.ts';

/** One tenant object with everything the planner knows about where it came from. */
export interface Subject {
  readonly object: KubeObject;
  readonly row: KindRow;
  /** `Deployment.apps` */
  readonly key: string;
  readonly name: string;
  readonly virtualNamespace: string;
  readonly source: Source;
}

/** Where an input object stands. Paths are relative to the package, with `/`. */
export interface Source {
  readonly path: string;
  /** index of the document in the file; items of a List count on */
  readonly document: number;
  /** first line of the document, from 1; undefined where the reader cannot know (a ResourceList) */
  readonly line?: number;
}

/** Everything about one tenant that a check or a translation may read. Immutable; built once for each tenant. */
export interface TenantContext {
  readonly tenant: TenantSettings;
  readonly profile: ProfileSettings;
  readonly policy: PolicySettings;
  readonly host: HostFacts;
  /** bounded label value of the tenant's name */
  readonly tenantLabel: string;
  /** the virtual namespace whose Services have short names on the host (projection rules, section 5) */
  readonly mainNamespace: string;
  /** labels of each virtual namespace; one that no Namespace object declares has `kubernetes.io/metadata.name` alone */
  readonly namespaces: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** host name of any object of the tenant, whether or not it exists. `kind` is a key of the kinds table or of a policy entry. */
  hostName(kind: string, virtualNamespace: string, name: string): NamedHost;
  /** host name of a claim: the one a StatefulSet on the host looks for, where one of the tenant's sets would make it */
  claimName(virtualNamespace: string, name: string): HostName;
  /** the tenant's own object of that kind and name, or undefined. It may still be refused. */
  find(kind: string, virtualNamespace: string, name: string): Subject | undefined;
  /** all objects of that kind in the tenant, in a fixed order */
  all(kind: string): readonly Subject[];
  /** whether scope and policy let the object through, and nothing decided so far refuses it; autoscalers are decided first */
  covered(subject: Subject): boolean;
}
