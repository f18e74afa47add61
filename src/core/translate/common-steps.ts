import { KEY, MANAGED_BY } from '../identity/metadata.ts';
import { type JsonObject, objectAt, type Path, put } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';
import { filterAnnotations } from './annotations.ts';
import type { Edit } from './edit.ts';
import { scopeLabels, translateLabels } from './labels.ts';
import type { Step } from './translation.ts';

/** What of a tenant's metadata means something on the host. Everything else is an API server's or a controller's. */
const KEPT_METADATA: ReadonlySet<string> = new Set(['name', 'namespace', 'labels', 'annotations']);

/** Steps of every projected object, before those of its kind. */
export const commonSteps: readonly Step[] = [dropServerFields, translateMetadata, translateTemplates];

function dropServerFields(edit: Edit): void {
  edit.remove(['status'], 'rw.strip-server-fields');
  for (const key of Object.keys(objectAt(edit.object, 'metadata') ?? {})) {
    if (!KEPT_METADATA.has(key)) edit.remove(['metadata', key], 'rw.strip-server-fields');
  }
}

function translateMetadata(edit: Edit, subject: Subject, ctx: TenantContext): void {
  translateLabels(edit, ['metadata', 'labels'], ctx, subject.virtualNamespace);
  filterAnnotations(edit, ['metadata', 'annotations'], ctx, subject.key === 'Pod' ? 'template' : 'object');
  edit.set(['metadata', 'name'], hostNameOf(subject, ctx), 'rw.identity');
  edit.set(['metadata', 'namespace'], ctx.tenant.namespace, 'rw.identity');
}

export function hostNameOf(subject: Subject, ctx: TenantContext): string {
  return subject.key === 'PersistentVolumeClaim'
    ? ctx.claimName(subject.virtualNamespace, subject.name)
    : ctx.hostName(subject.key, subject.virtualNamespace, subject.name).name;
}

/**
 * Pod templates carry the tenant's labels plus tenant and virtual namespace, and nothing else of ours, so that moving a file or
 * renaming a profile restarts nothing.
 */
function translateTemplates(edit: Edit, subject: Subject, ctx: TenantContext): void {
  const { podMeta } = subject.row;
  if (podMeta === undefined || podMeta.length === 1) return;
  translateTemplateMetadata(edit, podMeta, ctx, subject.virtualNamespace);
  for (const [key, value] of Object.entries(scopeLabels(ctx, subject.virtualNamespace))) {
    if (value !== undefined) edit.set([...podMeta, 'labels', key], value, 'rw.identity');
  }
  if (subject.key === 'CronJob.batch') translateTemplateMetadata(edit, ['spec', 'jobTemplate', 'metadata'], ctx, subject.virtualNamespace);
}

/** Labels and annotations of a template's metadata; whatever else stands there is ignored by Kubernetes and left out. */
export function translateTemplateMetadata(edit: Edit, path: Path, ctx: TenantContext, virtualNamespace: string): void {
  const metadata = objectAt(edit.object, ...path);
  if (metadata === undefined) {
    edit.remove(path, 'rw.strip-server-fields');
    return;
  }
  for (const key of Object.keys(metadata)) {
    if (key !== 'labels' && key !== 'annotations') edit.remove([...path, key], 'rw.strip-server-fields');
  }
  translateLabels(edit, [...path, 'labels'], ctx, virtualNamespace);
  filterAnnotations(edit, [...path, 'annotations'], ctx, 'template');
}

/** Identity of a host object that mirrors a tenant object (product rules, "Identity on host objects"). */
export function identityLabels(ctx: TenantContext, virtualNamespace: string, kind: string): JsonObject {
  return { [KEY.managedBy]: MANAGED_BY, ...scopeLabels(ctx, virtualNamespace), [KEY.kind]: kind.toLowerCase() };
}

export function identityAnnotations(ctx: TenantContext, virtualNamespace: string, name: string): JsonObject {
  return {
    [KEY.tenantCluster]: `${ctx.tenant.namespace}/${ctx.tenant.name}`,
    [KEY.virtualNamespace]: virtualNamespace,
    [KEY.virtualName]: name,
  };
}

/** Labels and annotations in a fixed order, after those of the tenant. */
export function stampMetadata(object: KubeObject, labels: JsonObject, annotations: JsonObject): void {
  const metadata = objectAt(object, 'metadata');
  if (metadata === undefined) return;
  const stamped: JsonObject = {
    name: metadata['name'],
    ...(metadata['namespace'] !== undefined && { namespace: metadata['namespace'] }),
    labels: sorted({ ...objectAt(metadata, 'labels'), ...labels }),
    annotations: sorted({ ...objectAt(metadata, 'annotations'), ...annotations }),
  };
  object['metadata'] = stamped;
}

function sorted(map: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(map).sort()) {
    const value = map[key];
    if (value !== undefined) put(result, key, value);
  }
  return result;
}
