import { KEY, labelValue } from '../identity/metadata.ts';
import type { JsonObject } from '../kube/json.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { Note } from '../translate/edit.ts';
import { nodePoolAnnotations } from './admission/node-pool.ts';
import { type CompiledObject, ownMetadata, profileCause, type Role, tenantCause } from './compiled-object.ts';

/** The account that every projected pod runs as; it has no rights and mounts no token. */
export const WORKLOAD_ACCOUNT = 'tenantplane-workload' as const;

/** The tenant's two namespaces and the account of its pods. */
export function compileNamespaces(ctx: TenantContext): CompiledObject[] {
  return [
    namespace(ctx, ctx.tenant.namespace, 'workload'),
    namespace(ctx, ctx.tenant.controlPlaneNamespace, 'control-plane'),
    {
      object: {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: ownMetadata(ctx, WORKLOAD_ACCOUNT, ctx.tenant.namespace, 'isolation'),
        automountServiceAccountToken: false,
      },
      control: 'serviceAccount',
      cause: tenantCause(ctx, 'mode'),
      tree: 'tenant',
      notes: [],
    },
  ];
}

function namespace(ctx: TenantContext, name: string, role: Role): CompiledObject {
  const { labels, annotations, ...metadata } = ownMetadata(ctx, name, undefined, role);
  const pool = role === 'workload' ? nodePoolAnnotations(ctx.tenant) : {};
  return {
    object: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        ...metadata,
        labels: { ...namespaceLabels(labels, ctx), ...podSecurity(ctx) },
        annotations: { ...(annotations as JsonObject), ...pool },
      },
    },
    control: 'podSecurity',
    cause: profileCause(ctx, 'podSecurity'),
    tree: 'tenant',
    notes: ctx.host.minor === undefined ? [VERSION_UNKNOWN] : [],
  };
}

/** Policies, quotas and admission select namespaces by these, never pods: a pod's labels are the tenant's to copy. */
function namespaceLabels(own: JsonObject[string], ctx: TenantContext): JsonObject {
  return {
    ...(own as JsonObject),
    [KEY.tenantNamespace]: ctx.tenant.namespace,
    [KEY.isolationProfile]: labelValue(ctx.profile.name),
    [KEY.isolationLevel]: ctx.profile.level,
  };
}

/**
 * Pod Security is enforced at the version of the host, so that an upgrade of the host is a reviewed diff; audit looks ahead to
 * the strictest and newest, warnings to the newest of the same level: an applier that warned of what is allowed at every sync
 * would soon be read by nobody. The control plane is a k3s server without agent, which needs no root, so its
 * namespace is held to the same level.
 */
function podSecurity(ctx: TenantContext): JsonObject {
  return {
    'pod-security.kubernetes.io/enforce': ctx.profile.podSecurity,
    'pod-security.kubernetes.io/enforce-version': ctx.host.minor === undefined ? 'latest' : `v1.${ctx.host.minor}`,
    'pod-security.kubernetes.io/audit': 'restricted',
    'pod-security.kubernetes.io/audit-version': 'latest',
    'pod-security.kubernetes.io/warn': ctx.profile.podSecurity,
    'pod-security.kubernetes.io/warn-version': 'latest',
  };
}

const VERSION_UNKNOWN: Note = {
  reason: 'HostFieldUnknown',
  params: { what: 'The version of Pod Security that is enforced', fact: 'the version of the host' },
};
