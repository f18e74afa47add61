import { finding } from '../decision/finding.ts';
import { KEY } from '../identity/metadata.ts';
import { annotationsOf, kindOf } from '../kube/object.ts';
import { type Assignment, objectsFolder } from './assign.ts';
import type { Finding, PreviousObject, TenantPlan } from './plan-types.ts';
import { compare } from './subjects.ts';

/** Old trees whose tenant is not there under that name, and must stay all the same. */
export interface MissingTenants {
  /** their host namespaces */
  readonly namespaces: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/**
 * A tenant is gone when its folder is. Where its objects still lie there without a TenantCluster, or with one that cannot be
 * rendered, somebody made a mistake: its tree stays, since what is removed from a tree is removed from the host.
 */
export function missingTenants(assignment: Assignment, planned: readonly TenantPlan[], previous: Iterable<PreviousObject>): MissingTenants {
  const namespaces = new Set<string>();
  const findings = new Map<string, Finding>();
  const frozen = new Set(planned.filter((tenant) => tenant.frozen !== undefined).map((tenant) => `${tenant.namespace}/${tenant.name}`));
  const broken = new Set([...assignment.folders].filter(([, key]) => frozen.has(key)).map(([folder]) => folder));
  // the last of them by path stands for all, whatever the order of the files
  const sources = assignment.orphans.map(({ source }) => source).sort((a, b) => compare(a.path, b.path) || a.document - b.document);
  const orphans = new Map(sources.map((source) => [objectsFolder(source.path) ?? '', source]));
  if (broken.size === 0 && orphans.size === 0) return { namespaces, findings: [] };

  const known = new Set(planned.map(({ namespace }) => namespace));
  for (const entry of previous) {
    const namespace = entry.source.path.slice(0, Math.max(0, entry.source.path.indexOf('/')));
    if (known.has(namespace) || namespaces.has(namespace)) continue;
    const home = homeOf(entry);
    const orphan = home === undefined ? undefined : orphans.get(home.folder);
    if (home === undefined || (orphan === undefined && !broken.has(home.folder))) continue;
    namespaces.add(home.tenant.split('/')[0] ?? '');
    if (orphan !== undefined) {
      const params = { tenant: home.tenant, folder: home.folder === '' ? 'objects' : `${home.folder}/objects` };
      findings.set(home.tenant, finding('TenantClusterLost', params, orphan));
    }
  }
  return { namespaces, findings: [...findings].sort(([a], [b]) => compare(a, b)).map(([, found]) => found) };
}

/** The folder that a rendered object's tenant had, where the object says it. */
function homeOf({ object }: PreviousObject): { readonly folder: string; readonly tenant: string } | undefined {
  const annotations = annotationsOf(object);
  const path = annotations.get(KEY.sourcePath);
  const tenant = annotations.get(KEY.tenantCluster);
  if (path === undefined || tenant === undefined || kindOf(object) === '') return undefined;
  const folder = objectsFolder(path);
  return folder === undefined ? undefined : { folder, tenant };
}
