import { asString, isObject, type Json, type JsonObject, own, type Path } from '../../kube/json.ts';
import { dotted } from '../../kube/pointer.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import type { Step } from '../translation.ts';

/** A place in a pod spec that names another object of the same namespace. */
export interface ReferenceRow {
  /** below the pod spec; `[*]` is each item of a list */
  readonly path: string;
  /** key of the kinds table */
  readonly kind: string;
}

const IN_CONTAINERS: readonly ReferenceRow[] = [
  { path: 'env[*].valueFrom.configMapKeyRef.name', kind: 'ConfigMap' },
  { path: 'env[*].valueFrom.secretKeyRef.name', kind: 'Secret' },
  { path: 'envFrom[*].configMapRef.name', kind: 'ConfigMap' },
  { path: 'envFrom[*].secretRef.name', kind: 'Secret' },
];

/**
 * Every name-typed reference of a pod spec to an object of its namespace (facts of k8s.io/api, core/v1). Volume types and claims
 * that are refused anyway are here too, so that no raw name passes the day one of them is allowed. An `optional` beside the
 * name makes the reference optional. Service accounts and classes of the host have steps of their own.
 */
export const POD_REFERENCES: readonly ReferenceRow[] = [
  ...['initContainers', 'containers'].flatMap((list) => IN_CONTAINERS.map((row) => ({ ...row, path: `${list}[*].${row.path}` }))),
  { path: 'imagePullSecrets[*].name', kind: 'Secret' },
  { path: 'subdomain', kind: 'Service' },
  { path: 'volumes[*].configMap.name', kind: 'ConfigMap' },
  { path: 'volumes[*].secret.secretName', kind: 'Secret' },
  { path: 'volumes[*].persistentVolumeClaim.claimName', kind: 'PersistentVolumeClaim' },
  { path: 'volumes[*].projected.sources[*].configMap.name', kind: 'ConfigMap' },
  { path: 'volumes[*].projected.sources[*].secret.name', kind: 'Secret' },
  { path: 'volumes[*].ephemeral.volumeClaimTemplate.spec.dataSource.name', kind: 'PersistentVolumeClaim' },
  { path: 'volumes[*].ephemeral.volumeClaimTemplate.spec.dataSourceRef.name', kind: 'PersistentVolumeClaim' },
  { path: 'volumes[*].csi.nodePublishSecretRef.name', kind: 'Secret' },
  { path: 'volumes[*].iscsi.secretRef.name', kind: 'Secret' },
  { path: 'volumes[*].rbd.secretRef.name', kind: 'Secret' },
  { path: 'volumes[*].cephfs.secretRef.name', kind: 'Secret' },
  { path: 'volumes[*].cinder.secretRef.name', kind: 'Secret' },
  { path: 'volumes[*].flexVolume.secretRef.name', kind: 'Secret' },
  { path: 'volumes[*].scaleIO.secretRef.name', kind: 'Secret' },
  { path: 'volumes[*].storageos.secretRef.name', kind: 'Secret' },
  { path: 'volumes[*].azureFile.secretName', kind: 'Secret' },
  { path: 'volumes[*].glusterfs.endpoints', kind: 'Endpoints' },
  { path: 'resourceClaims[*].resourceClaimName', kind: 'ResourceClaim.resource.k8s.io' },
  { path: 'resourceClaims[*].resourceClaimTemplateName', kind: 'ResourceClaimTemplate.resource.k8s.io' },
];

/** The table as a tree, so that one walk over a pod spec finds all of them. */
interface Branch {
  readonly fields: Map<string, Branch>;
  each?: Branch;
  kind?: string;
}

export type ReferenceTree = Branch;

export function referenceTree(rows: readonly ReferenceRow[]): ReferenceTree {
  const root: Branch = { fields: new Map() };
  for (const row of rows) {
    let branch = root;
    for (const step of row.path.split('.')) {
      const list = step.endsWith('[*]');
      const field = list ? step.slice(0, -3) : step;
      const next: Branch = branch.fields.get(field) ?? { fields: new Map() };
      branch.fields.set(field, next);
      if (list) next.each ??= { fields: new Map() };
      branch = list && next.each !== undefined ? next.each : next;
    }
    branch.kind = row.kind;
  }
  return root;
}

type Visit = (holder: JsonObject, field: string, kind: string, path: Path) => void;

/** Calls `visit` for each reference that is there and not empty: the API takes an empty name for none. */
export function eachReference(tree: ReferenceTree, value: Json | undefined, base: Path, visit: Visit): void {
  walk(tree, value, [...base], visit);
}

function walk(branch: Branch, value: Json | undefined, path: (string | number)[], visit: Visit): void {
  if (!isObject(value)) return;
  for (const [field, next] of branch.fields) {
    const child = own(value, field);
    if (child === undefined || child === null) continue;
    path.push(field);
    if (next.kind !== undefined) {
      if (typeof child === 'string' && child !== '') visit(value, field, next.kind, [...path]);
    } else if (next.each === undefined) walk(next, child, path, visit);
    else if (Array.isArray(child))
      for (let index = 0; index < child.length; index += 1) {
        path.push(index);
        walk(next.each, child[index], path, visit);
        path.pop();
      }
    path.pop();
  }
}

const NAME = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

/** Points one name at the tenant's own object, whether or not that is there: a raw name never reaches the host. */
export function rewriteReference(
  edit: Edit,
  subject: Subject,
  ctx: TenantContext,
  reference: { readonly path: Path; readonly kind: string; readonly name: string; readonly optional: boolean },
): void {
  const { path, kind, name, optional } = reference;
  if (name.length > 253 || !NAME.test(name)) {
    const rule = 'lower-case letters, digits, "-" and "." only, at most 253';
    edit.refuse('InvalidName', { what: `Reference ${dotted(path)}`, value: name.slice(0, 80), rule }, path);
    return;
  }
  const { virtualNamespace } = subject;
  const host = kind === 'PersistentVolumeClaim' ? ctx.claimName(virtualNamespace, name) : ctx.hostName(kind, virtualNamespace, name).name;
  edit.set(path, host, 'rw.reference');
  edit.refer({ path, targetKind: kind, name, virtualNamespace, optional });
}

const TREE = referenceTree(POD_REFERENCES);

export const referencesStep: Step = (edit, subject, ctx) => {
  const base = subject.row.podSpec;
  if (base === undefined) return;
  let spec: Json | undefined = edit.object;
  for (const step of base) spec = isObject(spec) ? own(spec, String(step)) : undefined;
  eachReference(TREE, spec, base, (holder, field, kind, path) => {
    const name = asString(holder[field]);
    if (name !== undefined) rewriteReference(edit, subject, ctx, { path, kind, name, optional: own(holder, 'optional') === true });
  });
};
