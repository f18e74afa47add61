import { KEY, labelValue, MANAGED_BY } from '../identity/metadata.ts';
import { equal, objectAt, objectsOf } from '../kube/json.ts';
import { annotationsOf, apiVersionOf, type KubeObject, kindKey, kindOf, labelsOf, nameOf, namespaceOf } from '../kube/object.ts';
import { claimedHosts } from '../translate/kinds/ingress-hosts.ts';
import type { PreviousObject } from './plan-types.ts';

/** The rendered tree as it stands. Objects are parsed only where somebody asks, so a tree that is known to be the same costs nothing. */
export interface OldTree {
  readonly size: number;
  entries(): Iterable<PreviousObject>;
  at(path: string): PreviousObject | undefined;
  /** what stands in a folder of the tree, by its first step */
  folder(name: string): readonly PreviousObject[];
  readonly folders: readonly string[];
  /** the namespace in which a tenant of that name holds claims or sets with claims, among folders that no present tenant has */
  homeOfData(tenant: string): string | undefined;
  /** the tenant that holds an Ingress host, by `namespace/name` */
  incumbentOf(host: string): string | undefined;
}

/** @param present namespaces of the tenants that the package holds now */
export function createOldTree(previous: readonly PreviousObject[], present: ReadonlySet<string>): OldTree {
  const byPath = new Map<string, PreviousObject>();
  const folders = new Map<string, PreviousObject[]>();
  for (const entry of previous) {
    if (byPath.has(entry.source.path)) continue;
    byPath.set(entry.source.path, entry);
    const folder = folderOf(entry.source.path);
    const list = folders.get(folder);
    if (list === undefined) folders.set(folder, [entry]);
    else list.push(entry);
  }
  let incumbents: ReadonlyMap<string, string> | undefined;
  let homes: ReadonlyMap<string, string> | undefined;
  return {
    size: previous.length,
    entries: () => byPath.values(),
    at: (path) => byPath.get(path),
    folder: (name) => folders.get(name) ?? [],
    // iterated more than once
    folders: [...folders.keys()],
    homeOfData(tenant) {
      homes ??= homesOfData([...folders].filter(([folder]) => !present.has(folder)).flatMap(([, entries]) => entries));
      return homes.get(tenant);
    },
    incumbentOf(host) {
      incumbents ??= incumbentsOf(byPath.values());
      return incumbents.get(host);
    },
  };
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.indexOf('/')));
}

function homesOfData(entries: readonly PreviousObject[]): ReadonlyMap<string, string> {
  const homes = new Map<string, string>();
  for (const { source, object } of entries) {
    if (!/\/(persistentvolumeclaim|statefulset\.apps)_/.test(source.path) || !holdsData(object)) continue;
    const [namespace, name] = (annotationsOf(object).get(KEY.tenantCluster) ?? '').split('/');
    if (namespace !== undefined && name !== undefined) homes.set(name, namespace);
  }
  return homes;
}

function incumbentsOf(entries: Iterable<PreviousObject>): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const claimants = [...entries].filter(({ source }) => mayClaimHosts(source.path));
  // where an older tree holds a claim of each sort, that of an Ingress counts: it is set last
  const [byRule, byAnnotation] = [claimants.filter(ofIngress), claimants.filter((entry) => !ofIngress(entry))];
  for (const entry of [...byAnnotation, ...byRule]) {
    const tenant = annotationsOf(entry.object).get(KEY.tenantCluster);
    if (tenant !== undefined) for (const host of claimedHosts(entry.object)) owners.set(host, tenant);
  }
  return owners;
}

/** Kinds that name no host, and would be parsed in vain; any other may, by an annotation. */
const NO_HOSTS =
  /\/(configmap|secret|limitrange|namespace|persistentvolumeclaim|resourcequota|serviceaccount|networkpolicy\.networking\.k8s\.io|role(binding)?\.rbac\.authorization\.k8s\.io|poddisruptionbudget\.policy)_/;

/** Whether a file of the tree, by its path, may hold an object that claims a host. */
export function mayClaimHosts(path: string): boolean {
  return path.includes('/') && !NO_HOSTS.test(path);
}

function ofIngress({ source }: PreviousObject): boolean {
  return source.path.includes('/ingress.networking.k8s.io_');
}

/** Whether a file holds this very object, however it is written: a comment or another order of keys is no difference. */
export function holds(before: PreviousObject, object: KubeObject, printed?: string): boolean {
  return before.matches?.(object, printed) === true || equal(before.object, object);
}

/** What is ours to replace or remove: our label and our identity, and nothing that a controller made (projection rules, section 1). */
export function isOurs(object: KubeObject): boolean {
  const annotations = annotationsOf(object);
  const labels = labelsOf(object);
  return (
    labels.get(KEY.managedBy) === MANAGED_BY &&
    annotations.get(KEY.origin) === 'git' &&
    sameTenant(annotations.get(KEY.tenantCluster), labels.get(KEY.tenant)) &&
    !Array.isArray(objectAt(object, 'metadata')?.['ownerReferences'])
  );
}

/** Label and annotation name one tenant; copies of configuration carry neither. Anything else was written by someone else. */
function sameTenant(cluster: string | undefined, label: string | undefined): boolean {
  if (cluster === undefined) return label === undefined;
  const [namespace, name, ...more] = cluster.split('/');
  return namespace !== undefined && namespace !== '' && name !== undefined && more.length === 0 && label === labelValue(name);
}

export function identityOf(object: KubeObject): string {
  return `${kindKey(apiVersionOf(object), kindOf(object))}|${namespaceOf(object) ?? ''}|${nameOf(object)}`;
}

/** Claims, and sets that make them. */
export function holdsData(object: KubeObject): boolean {
  const kind = kindOf(object);
  return (
    kind === 'PersistentVolumeClaim' || (kind === 'StatefulSet' && objectsOf(objectAt(object, 'spec')?.['volumeClaimTemplates']).length > 0)
  );
}
