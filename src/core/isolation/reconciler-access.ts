import { controlPlaneService } from '../controlplane/endpoint.ts';
import { memberNames } from '../controlplane/endpoint-names.ts';
import { AUTHORITIES_SECRET, CONFIG_MAP, CONTROL_PLANE, EXTERNAL_SERVICE, KUBECONFIG_SECRET, TOKEN_SECRET } from '../controlplane/names.ts';
import type { JsonObject } from '../kube/json.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import { type CompiledObject, ownMetadata, tenantCause } from './compiled-object.ts';
import { RECONCILER, RECONCILER_ACCESS } from './reconciler.ts';

/**
 * What the reconciler may do in the namespace of a tenant's control plane, and in no other: Secrets above all it has nowhere else. RBAC cannot
 * name what is yet to be created; all else is by name. It stands in Git, since who could grant it to himself would need none.
 */
export function compileReconcilerAccess(ctx: TenantContext): CompiledObject[] {
  const name = RECONCILER_ACCESS;
  const group = 'rbac.authorization.k8s.io';
  const metadata = (): JsonObject => ownMetadata(ctx, name, ctx.tenant.controlPlaneNamespace, 'isolation');
  const role: JsonObject = { apiVersion: `${group}/v1`, kind: 'Role', metadata: metadata(), rules: rules(ctx) };
  const binding: JsonObject = {
    apiVersion: `${group}/v1`,
    kind: 'RoleBinding',
    metadata: metadata(),
    roleRef: { apiGroup: group, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', ...RECONCILER }],
  };
  return [role, binding].map((object) => ({
    object,
    control: 'reconcilerAccess',
    cause: tenantCause(ctx, 'controlPlane'),
    tree: 'tenant' as const,
    notes: [],
  }));
}

function rules({ tenant }: TenantContext): JsonObject[] {
  const { datastore, datastoreSecret, replicas } = tenant.controlPlane;
  const made = [AUTHORITIES_SECRET, KUBECONFIG_SECRET, TOKEN_SECRET];
  const services = [controlPlaneService(tenant.name), EXTERNAL_SERVICE, ...(datastore === 'etcd' ? memberNames({ replicas }) : [])];
  return [
    rule('', ['configmaps', 'secrets', 'services'], ['create']),
    rule('apps', ['statefulsets'], ['create']),
    // the database's is somebody else's: it is read, to say that it is missing
    rule('', ['secrets'], ['get'], [...made, ...(datastoreSecret === undefined ? [] : [datastoreSecret])]),
    // authorities and token are never written again
    rule('', ['secrets'], ['patch'], [KUBECONFIG_SECRET]),
    rule('', ['secrets'], ['delete'], made),
    rule('', ['configmaps'], ['get', 'patch', 'delete'], [CONFIG_MAP]),
    rule('', ['services'], ['patch', 'delete'], services),
    rule('apps', ['statefulsets'], ['patch', 'delete'], [CONTROL_PLANE]),
    // those of servers that there are no more have names of any number
    rule('', ['persistentvolumeclaims'], ['delete']),
  ];
}

function rule(apiGroup: string, resources: readonly string[], verbs: readonly string[], names?: readonly string[]): JsonObject {
  const resourceNames = names === undefined ? {} : { resourceNames: [...new Set(names)].sort() };
  return { apiGroups: [apiGroup], resources: [...resources], ...resourceNames, verbs: [...verbs] };
}
