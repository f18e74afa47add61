import { digest } from '../identity/digest.ts';
import type { TenantContext } from '../plan/tenant-context.ts';

/** The port on which a tenant's API server listens. Its Service is headless, so this is the port to call. */
export const TENANT_API_PORT = 6443;

/** The headless Service of a tenant's control plane, a DNS label that begins with a letter (RFC 1035) whatever the tenant is called. */
export function controlPlaneService(tenant: string): string {
  const plain = `${tenant}-control-plane`;
  return plain.length <= 63 && /^[a-z][-a-z0-9]*$/.test(plain) ? plain : `tenant-${digest([tenant])}-control-plane`;
}

/** The full name of the tenant's API in the host's DNS. */
export function controlPlaneAddress(ctx: Pick<TenantContext, 'tenant' | 'host'>): string {
  return `${controlPlaneService(ctx.tenant.name)}.${ctx.tenant.controlPlaneNamespace}.svc.${ctx.host.clusterDomain}`;
}

/**
 * The name by which a pod of the tenant calls its API. With a DNS of its own that is the name every cluster has; with the host's
 * DNS that name would be the host's API, so it is the Service's full name.
 */
export function tenantApiHost(ctx: Pick<TenantContext, 'tenant' | 'host'>): string {
  return ctx.tenant.dns === 'server' ? `kubernetes.default.svc.${ctx.tenant.clusterDomain}` : controlPlaneAddress(ctx);
}
