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
  /** objects that reach no host, and were not there before or reached it */
  readonly outOfScope: readonly OutOfScopeChange[];
  readonly isolation: readonly IsolationChange[];
  /** tenants that were frozen, and of which nothing tells what their tree was made from: their isolation is not compared */
  readonly notJudged?: readonly string[];
  readonly unchanged: number;
  /** tenants whose tree stays as it last was, after the change */
  readonly frozen: readonly FrozenTenant[];
  /** why nothing would be written, after the change */
  readonly stopped?: string;
  /** what freezes these tenants or stops everything, with its place */
  readonly stops: readonly StopFinding[];
  /** what waits with frozen tenants, and what may no longer suit their objects as they stand */
  readonly warnings: readonly StopFinding[];
  /** where a tree is committed beside the side after, and is not what its package renders */
  readonly committed?: CommittedTree;
}

/** Files of a committed tree, from the folder of the package. */
export interface CommittedTree {
  /** of a working tree, which need not be committed: whether only the package was edited there, so that its tree is `behind`, or the tree too */
  readonly working?: 'behind' | 'edited';
  /** no source gives them; what applies the tree applies them all the same */
  readonly foreign: readonly string[];
  /** they stand in the place of ours, and are not recognisably ours: edited, or never ours */
  readonly replaced: readonly string[];
  /** not as a render gives them; those that the side before has otherwise come first */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  /** a render takes them out */
  readonly extra: readonly string[];
}

export interface StopFinding extends RefusalReason {
  readonly tenant?: string;
  readonly file: string;
  readonly document: number;
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

/** One thing that is wrong with an object, and where in its file. */
export interface RefusalReason {
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly remedy: string;
  /** JSON Pointer in the object of the source */
  readonly pointer?: string;
  /** 1-based: of the pointer where the shell looked it up, else of the object */
  readonly line?: number;
}

export interface OutOfScopeChange extends RefusalReason {
  readonly tenant?: string;
  readonly subject: ObjectRef;
  readonly file?: string;
  /** which object of the file it is, as the reader counts */
  readonly document?: number;
  readonly causes: readonly string[];
}

export interface RefusalChange extends OutOfScopeChange {
  readonly verb: 'added' | 'removed';
  /** what else is wrong with it: one edit need not mend it */
  readonly also: readonly RefusalReason[];
}

/** What a profile alone is named by, where a tenant is. No namespace is spelled so. */
export const PROFILE = 'IsolationProfile/';

/** A declared control of a tenant that changed, and which way by the lattice of that control. */
export interface IsolationChange {
  /** `namespace/name`, or `IsolationProfile/name` of a profile that no tenant beside it uses */
  readonly tenant: string;
  readonly control: string;
  readonly before: string;
  readonly after: string;
  readonly direction: 'stronger' | 'weaker' | 'different';
  readonly causes: readonly string[];
}
