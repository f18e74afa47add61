import type { JsonObject } from '../../kube/json.ts';
import type { HostFacts } from '../../plan/settings.ts';

/** A ValidatingAdmissionPolicy or its binding, literal and without parameters. */
export interface PolicyObject {
  readonly object: JsonObject;
  /** the controls that it enforces, as `CompiledObject.control` spells them */
  readonly controls: readonly string[];
  /** ids of its rules */
  readonly rules: readonly string[];
}

/** What a profile does not say: who writes to the host, and what the host itself does to objects. */
export interface AdmissionOptions {
  /** user names that apply what was rendered */
  readonly trustedWriters: readonly string[];
  readonly trustedGroups: readonly string[];
  /** minor version of Kubernetes 1.x on the host; undefined is unknown, and taken for new enough */
  readonly hostMinor?: number;
  /** what the host's runtime classes ask their pods to tolerate, by class */
  readonly runtimeTolerations: HostFacts['runtimeTolerations'];
  /** the host's cluster domain */
  readonly clusterDomain: string;
  /** the classes that the host's admission fills in where an object names none; undefined where unknown */
  readonly defaultStorageClass?: string;
  readonly defaultPriorityClass?: string;
}
