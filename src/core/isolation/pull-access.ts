import { entryFor } from '../checks/scope-checks.ts';
import { KEY } from '../identity/metadata.ts';
import type { JsonObject } from '../kube/json.ts';
import { kindRow } from '../kube/kinds.ts';
import { annotationsOf, apiVersionOf, groupOf, type KubeObject, kindKey, kindOf, nameOf } from '../kube/object.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import { type CompiledObject, OWN_PREFIX, ownMetadata } from './compiled-object.ts';
import { RECONCILER } from './reconciler.ts';

/**
 * What the reconciler may read and write in the tenant's namespace: the objects that flow both ways or from the host, each by
 * name. RBAC cannot name what is yet to be created, so these stand in Git, which creates them (projection rules, section 2).
 */
export function compilePullAccess(ctx: TenantContext, hostObjects: readonly KubeObject[]): CompiledObject[] {
  const names = new Map<string, string[]>();
  for (const object of hostObjects) {
    const resource = pulledResource(ctx, object);
    if (resource !== undefined) names.set(resource, [...(names.get(resource) ?? []), nameOf(object)]);
  }
  if (names.size === 0) return [];
  const rules = [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([resource, resourceNames]) => rule(resource, resourceNames.sort()));
  const metadata = (): JsonObject => ownMetadata(ctx, `${OWN_PREFIX}pull`, ctx.tenant.namespace, 'isolation');
  const group = 'rbac.authorization.k8s.io';
  const role: JsonObject = { apiVersion: `${group}/v1`, kind: 'Role', metadata: metadata(), rules };
  const binding: JsonObject = {
    apiVersion: `${group}/v1`,
    kind: 'RoleBinding',
    metadata: metadata(),
    roleRef: { apiGroup: group, kind: 'Role', name: `${OWN_PREFIX}pull` },
    subjects: [{ kind: 'ServiceAccount', ...RECONCILER }],
  };
  return [role, binding].map((object) => ({
    object,
    control: 'pullAccess',
    cause: `SyncPolicy/${ctx.policy.name}`,
    tree: 'tenant' as const,
    notes: [],
  }));
}

/** `apps/deployments` of an object that the reconciler pulls; undefined for all others. */
function pulledResource(ctx: TenantContext, object: KubeObject): string | undefined {
  const key = kindKey(apiVersionOf(object), kindOf(object));
  const annotations = annotationsOf(object);
  const [namespace, name] = [annotations.get(KEY.virtualNamespace), annotations.get(KEY.virtualName)];
  const subject = namespace === undefined || name === undefined ? undefined : ctx.find(key, namespace, name);
  const entry = subject === undefined ? undefined : entryFor(ctx, subject);
  const row = kindRow(key);
  if (entry === undefined || entry.direction === 'toHost' || row === undefined) return undefined;
  return `${groupOf(apiVersionOf(object))}/${row.plural}`;
}

function rule(resource: string, resourceNames: readonly string[]): JsonObject {
  const [group = '', plural = ''] = resource.split('/');
  return { apiGroups: [group], resources: [plural], resourceNames: [...resourceNames], verbs: ['get', 'watch', 'update', 'patch'] };
}
