import { at, equal, type Json, type JsonObject, objectsOf, type Path, stringAt } from '../kube/json.ts';
import { apiVersionOf, kindKey, kindOf } from '../kube/object.ts';
import { parseQuantity } from '../kube/quantity.ts';

/** A field that the API server refuses to change, or silently keeps, on an object that exists. */
interface ImmutableRow {
  readonly path: Path;
  /** by default: any difference */
  readonly changed?: (before: Json | undefined, after: Json | undefined) => boolean;
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
    { path: ['spec', 'completions'] },
  ],
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
  for (const row of [...(ROWS[key] ?? []), ...immutableContent(key, before)]) {
    const [was, is] = [at(before, ...row.path), at(after, ...row.path)];
    const changed = row.changed === undefined ? !equal(was, is) : row.changed(was, is);
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

function claimTemplatesChanged(before: Json | undefined, after: Json | undefined): boolean {
  const specs = (list: Json | undefined): Json[] =>
    objectsOf(list).map((template) => ({ name: stringAt(template, 'metadata', 'name') ?? '', spec: template['spec'] ?? null }));
  return !equal(specs(before), specs(after));
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
