import type { ObjectRef } from '../decision/decision.ts';
import type { Json } from '../kube/json.ts';

/**
 * What changes on the host between two plans of the same package, with the input change that caused each: the one model behind
 * `diff`, `what-if`, `pr-comment` and the report. Holds no Secret value.
 */
export interface Review {
  readonly before: ReviewSide;
  readonly after: ReviewSide;
  /** what was edited, in the input; each host change names one by `id` */
  readonly causes: readonly InputChange[];
  /** sorted: tenant, kind, namespace, name */
  readonly changes: readonly HostChange[];
  /** subjects that are refused or held now and were not, and the other way round */
  readonly refusals: readonly RefusalChange[];
  readonly isolation: readonly IsolationChange[];
  readonly unchanged: number;
  /** tenants whose tree stays as it last was, after the change */
  readonly frozen: readonly FrozenTenant[];
  /** why nothing would be written, after the change */
  readonly stopped?: string;
}

export interface FrozenTenant {
  readonly tenant: string;
  readonly why: string;
  /** it was not frozen before the change */
  readonly newly?: true;
}

export interface ReviewSide {
  /** as it was asked for: a git ref, a folder, `--set …` */
  readonly label: string;
  /** full commit, where it is one */
  readonly commit?: string;
  readonly objects: number;
  readonly tenants: number;
}

/** One object of the input that was added, edited or removed; a file that only moved is none. */
export interface InputChange {
  /** stable within a review: `IsolationProfile/restricted`, `team-a/dev:Deployment/default/web` */
  readonly id: string;
  readonly verb: 'added' | 'changed' | 'removed';
  /** what it is to the render */
  readonly role: 'object' | 'tenant' | 'profile' | 'policy' | 'facts' | 'config' | 'tool';
  readonly ref: ObjectRef;
  /** `namespace/name` of the tenant, where it is one tenant's */
  readonly tenant?: string;
  /** where it stands after the change, or stood before where it is gone */
  readonly file: string;
  /** which object of the file it is, as the reader counts */
  readonly document: number;
  /** 1-based: of the first changed field after the change where the shell looked it up, else of the object */
  readonly line?: number;
  /** empty where the object is added or removed as a whole */
  readonly fields: readonly FieldChange[];
}

export type Effect =
  | 'deleted'
  | 'data-deleted'
  | 'recreated'
  | 'restarted'
  | 'isolation-weaker'
  | 'isolation-stronger'
  | 'cluster-scoped'
  | 'quota';

export interface HostChange {
  /** `namespace/name` of the tenant; undefined for what all share */
  readonly tenant?: string;
  readonly host: ObjectRef & { readonly file: string };
  readonly source?: ObjectRef & { readonly file: string; readonly line?: number };
  readonly verb: 'added' | 'changed' | 'removed';
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  /** ids of input changes, the decisive one first; never empty */
  readonly causes: readonly string[];
  readonly effects: readonly Effect[];
  /** empty where the object is added or removed as a whole */
  readonly fields: readonly FieldChange[];
}

export interface FieldChange {
  /** JSON Pointer (RFC 6901) in the object after the change; named list items as `containers[name=app]` are for `path` */
  readonly pointer: string;
  /** for people: `spec.containers[app].image` */
  readonly path: string;
  readonly op: 'Add' | 'Remove' | 'Replace';
  /** absent where it is a Secret's */
  readonly before?: Json;
  readonly after?: Json;
  /** true where values are left out because they are a Secret's */
  readonly hidden?: true;
  /** rule of the translation that wrote it, where one did */
  readonly rule?: string;
}

export interface RefusalChange {
  readonly tenant?: string;
  readonly verb: 'added' | 'removed';
  readonly subject: ObjectRef;
  readonly file?: string;
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly remedy: string;
  readonly causes: readonly string[];
}

/** A declared control of a tenant that changed, and which way by the lattice of that control. */
export interface IsolationChange {
  readonly tenant: string;
  readonly control: string;
  readonly before: string;
  readonly after: string;
  readonly direction: 'stronger' | 'weaker' | 'different';
  readonly causes: readonly string[];
}
