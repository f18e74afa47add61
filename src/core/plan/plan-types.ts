import type { Decision } from '../decision/decision.ts';
import type { ReasonName, Severity } from '../decision/reasons.ts';
import type { ControlRow } from '../isolation/controls.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import type { OutputSettings } from './settings.ts';
import type { Source } from './tenant-context.ts';

/** One object as the shell read it: the file or ResourceList item it came from. */
export interface InputObject {
  readonly object: KubeObject;
  readonly source: Source;
}

/** Something in the input that is no object of a tenant: a file that does not parse, configuration that is not legal. */
export interface Finding {
  readonly reason: ReasonName;
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly remedy: string;
  readonly source: Source;
  /** JSON Pointer inside the document, where there is one */
  readonly pointer?: string;
  /** the tenant whose tree it freezes; undefined where it is the platform's */
  readonly tenant?: string;
}

/** Everything a plan is made from. Gathered by the shell; the planner itself reads nothing. */
export interface Observation {
  /** every object outside `host/`, in any order */
  readonly inputs: readonly InputObject[];
  /** files that could not be read as objects; they freeze the tenant whose folder holds them, or everything */
  readonly unreadable: readonly Finding[];
  /** objects of the rendered tree as it stands, paths relative to `host/`; undefined where there is none to compare with */
  readonly previous?: readonly PreviousObject[];
  readonly config: RenderConfig;
  /** which inputs are another package's: profiles and policies that are read, and rendered in that package's own tree */
  foreign?(source: Source): boolean;
  /**
   * How files are written. Where given, a planned file holds its text and its object is parsed from it on demand: no more than
   * one tenant's host objects exist at a time, and a big fleet fits in memory.
   */
  readonly printer?: Printer;
  /** told when the planner needs an input's object no more, so that a big fleet can let go of it */
  release?(input: InputObject): void;
  /**
   * The tenants, as `namespace/name`, whose plan is asked for; all where undefined. The others are read only as far as these
   * depend on them, so their objects need not be among the inputs, and what is shared or removed is not theirs to tell.
   */
  readonly only?: ReadonlySet<string>;
  /** false leaves the list of changed fields out of decisions, which is most of their size; true by default */
  readonly keepFields?: boolean;
}

export interface Printer {
  print(object: JsonObject): string;
  /** only ever called on what `print` gave */
  parse(text: string): JsonObject;
}

/**
 * One object of the rendered tree as it stands. `object` may be a getter that parses on demand: the planner asks for it only
 * where the new object is not known to be the same.
 */
export interface PreviousObject extends InputObject {
  /** whether the file holds exactly what `desired` would be written as; `printed` is that, where a printer made it */
  matches?(desired: JsonObject, printed: string | undefined): boolean;
  /** whether the file holds no object at all, or half of a merge: at a place of ours it is nobody's, and is written anew */
  readonly broken?: boolean;
}

/** The function's config (or the CLI's flags) with defaults resolved. */
export interface RenderConfig {
  /** names the tenant of all items where the input has no folders */
  readonly tenant?: { readonly name: string; readonly namespace: string };
  readonly output: OutputSettings;
  readonly host: {
    readonly version?: string;
    readonly clusterDomain?: string;
    readonly serviceCIDRs?: readonly string[];
    readonly trustedWriters?: readonly string[];
    readonly trustedGroups?: readonly string[];
  };
  readonly allowEmpty: boolean;
  /** host objects that one render may remove; undefined is the default: half of the tree, and at least 10 */
  readonly maxDeletions?: number;
  /** everything (`render-tenant`), projected objects only (`render-sync`), or all that stands around them (`render-isolation`) */
  readonly scope: 'everything' | 'sync' | 'isolation';
}

/** One file of the tree under `host/`. */
export interface HostFile {
  /** relative to `host/`, with `/` */
  readonly path: string;
  /** may be a getter that parses `text` */
  readonly object: JsonObject;
  /** the object as the observation's printer writes it */
  readonly text?: string;
  readonly decision: Decision;
}

/** A field of the input, or a whole document of it. */
export type Place = Pick<Finding, 'source' | 'pointer'>;

export interface TenantPlan {
  readonly name: string;
  readonly namespace: string;
  readonly policy: string;
  readonly profile: string;
  readonly level: string;
  /** why the tree stays as it last was, where it does */
  readonly frozen?: string;
  /** where that is to be mended, where it is in a file */
  readonly frozenAt?: Place;
  /** of a frozen tenant its boundary, where that is written all the same (`writesBoundary`) */
  readonly files: readonly HostFile[];
  readonly decisions: readonly Decision[];
  /** what is declared for the tenant, and what enforces it */
  readonly controls: readonly ControlRow[];
}

/** Whether a frozen tenant's own objects alone stay as they last were, since its own input is what is at fault. */
export function writesBoundary({ frozen, files }: TenantPlan): boolean {
  return frozen !== undefined && files.length > 0;
}

export interface Plan {
  readonly tenants: readonly TenantPlan[];
  /** shared files: platform/ and config/ */
  readonly shared: readonly HostFile[];
  /** decisions that belong to no tenant */
  readonly decisions: readonly Decision[];
  readonly findings: readonly Finding[];
  /** files of the old tree to take out, relative to `host/` */
  readonly removed: readonly string[];
  /** files of ours, relative to `host/`, that stay though nothing is planned for them: what is frozen, missing or broken runs under them */
  readonly stays?: ReadonlySet<string>;
  /** true where platform input contradicts itself: nothing may be written */
  readonly stopped: boolean;
}
