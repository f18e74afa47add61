import { nearest } from '../../schema/nearest.ts';
import { finding } from '../decision/finding.ts';
import { KEY } from '../identity/metadata.ts';
import { annotationsOf, apiVersionOf, groupOf, kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import type { Finding, InputObject, RenderConfig } from './plan-types.ts';

/** `team-dev/dev`: a TenantCluster by namespace and name. */
export type TenantKey = string;

/** The inputs of a package sorted by whose they are (projection rules, section 1). */
export interface Assignment {
  readonly tenantClusters: readonly InputObject[];
  readonly profiles: readonly InputObject[];
  readonly policies: readonly InputObject[];
  /** the objects of each tenant */
  readonly owned: ReadonlyMap<TenantKey, readonly InputObject[]>;
  /** below an objects/ folder that no TenantCluster stands beside */
  readonly orphans: readonly InputObject[];
  /** everything else: platform input that is none of the render's business */
  readonly platform: readonly InputObject[];
  /** tenants by the folder their TenantCluster lies in, for files that hold no object */
  readonly folders: ReadonlyMap<string, TenantKey>;
  readonly findings: readonly Finding[];
}

const CONFIG_GROUP = 'tenantplane.io';
const OBJECTS = 'objects';

export function tenantKeyOf(object: InputObject['object']): TenantKey {
  return `${namespaceOf(object) ?? ''}/${nameOf(object)}`;
}

export function isConfig(object: InputObject['object']): boolean {
  const group = groupOf(apiVersionOf(object));
  return group === CONFIG_GROUP || (group === 'apiextensions.k8s.io' && kindOf(object) === 'CustomResourceDefinition');
}

/** Configuration of the functions themselves: never an input, never an output. */
export function isFunctionConfig(object: InputObject['object']): boolean {
  return groupOf(apiVersionOf(object)) === 'fn.tenantplane.io';
}

/** What is known of the host: read by a render, and never an output. */
export function isHostFacts(object: InputObject['object']): boolean {
  return isFunctionConfig(object) && kindOf(object) === 'HostFacts';
}

/**
 * Decides by folder whose an object is. What lies below an `objects/` folder is a tenant's and hostile, whatever it says of
 * itself; only what lies outside can be configuration.
 */
export function assign(inputs: readonly InputObject[], config: RenderConfig): Assignment {
  const findings: Finding[] = [];
  const byKind: Record<string, InputObject[]> = { TenantCluster: [], IsolationProfile: [], SyncPolicy: [] };
  const inside: InputObject[] = [];
  const outside: InputObject[] = [];

  for (const input of inputs) {
    if (objectsFolder(input.source.path) !== undefined) inside.push(input);
    else if (isFunctionConfig(input.object) && !isHostFacts(input.object)) continue;
    else if (isRendered(input.object)) outside.push(input);
    else if (groupOf(apiVersionOf(input.object)) === CONFIG_GROUP && Object.hasOwn(byKind, kindOf(input.object))) {
      byKind[kindOf(input.object)]?.push(input);
    } else outside.push(input);
  }

  const tenantClusters = byKind['TenantCluster'] ?? [];
  const folders = new Map<string, TenantKey>();
  for (const cluster of tenantClusters) {
    const folder = folderOf(cluster.source.path);
    const other = folders.get(folder);
    if (other !== undefined && inside.some((input) => objectsFolder(input.source.path) === folder)) {
      const what = `TenantClusters ${other} and ${tenantKeyOf(cluster.object)} lie in one folder (${folder === '' ? '.' : folder}), so objects/ beside them has two owners.`;
      findings.push(finding('PlatformContradiction', { what, fix: 'Give each TenantCluster a folder of its own.' }, cluster.source));
    }
    folders.set(folder, tenantKeyOf(cluster.object));
  }

  const owned = new Map<TenantKey, InputObject[]>(tenantClusters.map((cluster) => [tenantKeyOf(cluster.object), []]));
  const orphans: InputObject[] = [];
  for (const input of inside) {
    const key = folders.get(objectsFolder(input.source.path) ?? '');
    const list = key === undefined ? undefined : owned.get(key);
    if (list === undefined) orphans.push(input);
    else list.push(input);
  }

  // Without folders the config names the tenant; where there are folders they decide, and an annotation alone never does.
  const named = config.tenant === undefined ? undefined : `${config.tenant.namespace}/${config.tenant.name}`;
  if (named !== undefined && !owned.has(named))
    findings.push(
      unknownTenant(
        named,
        tenantClusters.map(({ object }) => tenantKeyOf(object)),
      ),
    );
  const unfoldered = named !== undefined && (owned.get(named)?.length ?? 0) === 0;
  const platform: InputObject[] = [];
  for (const input of outside) {
    const list = !unfoldered || isPlatforms(input.object) ? undefined : owned.get(named);
    if (list === undefined) platform.push(input);
    else list.push(input);
  }
  return {
    tenantClusters,
    profiles: byKind['IsolationProfile'] ?? [],
    policies: byKind['SyncPolicy'] ?? [],
    owned,
    orphans,
    platform,
    folders,
    findings,
  };
}

/** The config names a tenant that is not there: rendered all the same, its objects would be nobody's, and leave the tree. */
function unknownTenant(named: TenantKey, known: readonly TenantKey[]): Finding {
  const near = nearest(named, known);
  const fix = near === undefined ? 'Add its TenantCluster, or take the field out.' : `Did you mean ${near}?`;
  const problem = `The config's field tenant names ${named}, and there is no such TenantCluster.`;
  return finding('InputInvalid', { problem, fix }, { path: '', document: 0 });
}

/** Output of a render that lies outside `host/`: of another package below this one, or of this one in another folder. No input. */
export function isRendered(object: InputObject['object']): boolean {
  return annotationsOf(object).get(KEY.origin) === 'git';
}

/** What no tenant owns, wherever it lies. */
export function isPlatforms(object: InputObject['object']): boolean {
  return isConfig(object) || isHostFacts(object) || isLocal(object) || isRendered(object);
}

/** Kept in the package only, like a function's own config. */
function isLocal(object: InputObject['object']): boolean {
  return annotationsOf(object).get('config.kubernetes.io/local-config') === 'true';
}

/** The folder that holds `objects/`, or undefined for a path outside any. The outermost one counts: what is below is the tenant's. */
export function objectsFolder(path: string): string | undefined {
  const at = `/${path}`.indexOf(`/${OBJECTS}/`);
  return at < 0 ? undefined : path.slice(0, Math.max(0, at - 1));
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** The tenant that the annotation names, where there is one. */
export function annotatedTenant(object: InputObject['object']): TenantKey | undefined {
  return annotationsOf(object).get(KEY.tenantCluster);
}
