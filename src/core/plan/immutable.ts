import { asArray, at, equal, isObject, type Json, type JsonObject, objectAt, objectsOf, type Path, stringAt } from '../kube/json.ts';
import { apiVersionOf, kindKey, kindOf } from '../kube/object.ts';
import { parseQuantity } from '../kube/quantity.ts';

/** A field that the API server refuses to change, or silently keeps, on an object that exists. */
interface ImmutableRow {
  readonly path: Path;
  /** by default: any difference */
  readonly changed?: (before: Json | undefined, after: Json | undefined, beforeObject: JsonObject, afterObject: JsonObject) => boolean;
  readonly fix?: string;
}

const REPLACE = 'Set spec.migration.replaceImmutable: true on the TenantCluster, or delete the host object so that it is made anew.';
const KEEP_DATA = 'Make a new object under another name and move the data; a replace would lose it.';

/** Immutable fields by kind (API validation of the kinds; tried on a real API server, projection rules section 4). */
const ROWS: Readonly<Record<string, readonly ImmutableRow[]>> = {
  'Deployment.apps': [{ path: ['spec', 'selector'] }],
  'ReplicaSet.apps': [{ path: ['spec', 'selector'] }],
  'DaemonSet.apps': [{ path: ['spec', 'selector'] }],
  'StatefulSet.apps': [
    { path: ['spec', 'selector'], fix: KEEP_DATA },
    { path: ['spec', 'serviceName'], fix: KEEP_DATA },
    { path: ['spec', 'podManagementPolicy'], fix: KEEP_DATA },
    { path: ['spec', 'volumeClaimTemplates'], changed: claimTemplatesChanged, fix: KEEP_DATA },
  ],
  'Job.batch': [
    { path: ['spec', 'template'] },
    { path: ['spec', 'selector'] },
    { path: ['spec', 'completionMode'] },
    { path: ['spec', 'completions'], changed: completionsChanged },
    { path: ['spec', 'podFailurePolicy'] },
    { path: ['spec', 'backoffLimitPerIndex'] },
    { path: ['spec', 'successPolicy'] },
    { path: ['spec', 'managedBy'] },
  ],
  'EndpointSlice.discovery.k8s.io': [{ path: ['addressType'] }],
  Secret: [{ path: ['type'] }],
  PersistentVolumeClaim: [
    { path: ['spec', 'accessModes'], fix: KEEP_DATA },
    { path: ['spec', 'volumeMode'], fix: KEEP_DATA },
    { path: ['spec', 'storageClassName'], fix: KEEP_DATA },
    { path: ['spec', 'dataSource'], fix: KEEP_DATA },
    { path: ['spec', 'dataSourceRef'], fix: KEEP_DATA },
    { path: ['spec', 'selector'], fix: KEEP_DATA },
    { path: ['spec', 'resources', 'requests', 'storage'], changed: shrinks, fix: 'Claims only grow; make a new claim and move the data.' },
  ],
  Service: [{ path: ['spec', 'clusterIP'], changed: headlessChanged }],
};

export interface ImmutableChange {
  readonly path: Path;
  readonly before: string;
  readonly after: string;
  readonly fix: string;
  /** whether a replace may be asked for: never where data hangs on the object */
  readonly replaceable: boolean;
}

/** Fields that the tenant changed and the host cannot take in place. */
export function immutableChanges(before: JsonObject, after: JsonObject): ImmutableChange[] {
  const key = kindKey(apiVersionOf(after), kindOf(after));
  const changes: ImmutableChange[] = [];
  for (const row of [...(ROWS[key] ?? []), ...immutableContent(key, before), ...podRows(key, before, after)]) {
    const [was, is] = [at(before, ...row.path), at(after, ...row.path)];
    const changed = row.changed === undefined ? !equal(was, is) : row.changed(was, is, before, after);
    if (!changed) continue;
    changes.push({
      path: row.path,
      before: text(was),
      after: text(is),
      fix: row.fix ?? REPLACE,
      replaceable: row.fix === undefined,
    });
  }
  return changes;
}

/** ConfigMaps and Secrets that say `immutable: true`. */
function immutableContent(key: string, before: JsonObject): readonly ImmutableRow[] {
  if ((key !== 'ConfigMap' && key !== 'Secret') || before['immutable'] !== true) return [];
  return [{ path: ['data'] }, { path: ['binaryData'] }, { path: ['immutable'] }];
}

/** The whole template counts, labels and annotations too; an empty map is none. */
function claimTemplatesChanged(before: Json | undefined, after: Json | undefined): boolean {
  const templates = (list: Json | undefined): Json[] =>
    objectsOf(list).map((template) => ({
      name: stringAt(template, 'metadata', 'name') ?? '',
      labels: objectAt(template, 'metadata', 'labels') ?? {},
      annotations: objectAt(template, 'metadata', 'annotations') ?? {},
      spec: template['spec'] ?? null,
    }));
  return !equal(templates(before), templates(after));
}

/** An Indexed Job grows and shrinks with its parallelism, where both end up equal (KEP-3715). */
function completionsChanged(before: Json | undefined, after: Json | undefined, _: JsonObject, job: JsonObject): boolean {
  if (equal(before, after)) return false;
  const elastic = stringAt(job, 'spec', 'completionMode') === 'Indexed';
  return !(elastic && after !== undefined && equal(after, at(job, 'spec', 'parallelism') ?? 1));
}

/** Of a Pod nearly everything stands still, so the first difference says enough (ValidatePodUpdate). */
function podRows(key: string, before: JsonObject, after: JsonObject): readonly ImmutableRow[] {
  if (key !== 'Pod') return [];
  const path = difference(before['spec'], after['spec'], ['spec']);
  return path === undefined ? [] : [{ path }];
}

/** Paths in a Pod that the API server lets change, in part; `*` is any index. */
const POD_MUTABLE: Readonly<Record<string, (before: Json | undefined, after: Json | undefined) => boolean>> = {
  'spec.containers.*.image': (_, after) => after !== undefined,
  'spec.initContainers.*.image': (_, after) => after !== undefined,
  // May be set, or made shorter.
  'spec.activeDeadlineSeconds': (before, after) => after !== undefined && (before === undefined || Number(after) <= Number(before)),
  // A negative one is of old, and becomes 1.
  'spec.terminationGracePeriodSeconds': (before, after) => Number(before) < 0 && Number(after) === 1,
  'spec.tolerations': onlyAdded,
};

/** Tolerations may be added, and their seconds changed. */
function onlyAdded(before: Json | undefined, after: Json | undefined): boolean {
  const timeless = ({ tolerationSeconds: _, ...rest }: JsonObject): Json => rest;
  const now = objectsOf(after).map(timeless);
  return objectsOf(before).every((toleration) => now.some((other) => equal(timeless(toleration), other)));
}

/** Where two values first differ in a way that the API server refuses of a Pod. */
function difference(was: Json | undefined, is: Json | undefined, path: Path): Path | undefined {
  // A null is an absent field to the API server.
  const [before, after] = [was ?? undefined, is ?? undefined];
  if (equal(before, after)) return undefined;
  const pattern = path.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
  if (POD_MUTABLE[pattern]?.(before, after) === true) return undefined;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const found = difference(at(before, key), at(after, key), [...path, key]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const [items, others] = [asArray(before), asArray(after)];
  if (items === undefined || others === undefined || items.length !== others.length || pattern === 'spec.tolerations') return path;
  for (const [index, item] of items.entries()) {
    const found = difference(item, others[index], [...path, index]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function headlessChanged(before: Json | undefined, after: Json | undefined): boolean {
  return (before === 'None') !== (after === 'None');
}

function shrinks(before: Json | undefined, after: Json | undefined): boolean {
  const [was, is] = [parseQuantity(before), parseQuantity(after)];
  return was !== undefined && is !== undefined && is < was;
}

function text(value: Json | undefined): string {
  if (value === undefined) return 'unset';
  return typeof value === 'object' ? 'other content' : String(value);
}
