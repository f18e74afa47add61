import type { Resource } from '../transport/resource-path.ts';

/** A resource as the server tells of it. */
export interface DiscoveredResource extends Resource {
  /** `get`, `list`, `watch`, `create`, `patch` … */
  readonly verbs: ReadonlySet<string>;
  readonly shortNames: readonly string[];
  readonly singular: string;
  /** `status`, `scale` … */
  readonly subresources: ReadonlySet<string>;
}

/** All that a server serves, in its own order of preference: groups, then versions in a group. */
export interface Discovered {
  readonly resources: readonly DiscoveredResource[];
  /** every version of every group, as kubectl api-versions has them */
  readonly apiVersions: readonly string[];
  /** versions of which the server could not say what they hold: an extension API server that is down */
  readonly unknown: readonly string[];
}

/** What is looked for: any of a group where no version is named, then the one that the server prefers. */
export interface Sought {
  readonly group: string;
  readonly version?: string;
  readonly kind?: string;
  readonly plural?: string;
}

export function find({ resources }: Discovered, { group, version, kind, plural }: Sought): DiscoveredResource | undefined {
  return resources.find(
    (resource) =>
      resource.group === group &&
      (version === undefined || resource.version === version) &&
      (kind === undefined || resource.kind === kind) &&
      (plural === undefined || resource.plural === plural),
  );
}

/** Whether what is looked for may be there although it is not found: its group did not say. */
export function mayBeUnknown({ unknown }: Discovered, { group, version }: Sought): boolean {
  return unknown.some((apiVersion) => {
    const [name, of] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    return name === group && (version === undefined || of === version);
  });
}
