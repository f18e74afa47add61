import type { ControlPlaneSettings } from '../control-plane-settings.ts';
import { controlPlaneService, TENANT_API_PORT } from '../endpoint.ts';

/** The name that the certificates of a tenant's servers hold, whatever address they are called at. */
export function serverNameOf({ tenant, namespace, clusterDomain }: ControlPlaneSettings): string {
  return `${controlPlaneService(tenant.name)}.${namespace}.svc.${clusterDomain}`;
}

/** Inside the host cluster. */
export function endpointOf(settings: ControlPlaneSettings): string {
  return urlOf(serverNameOf(settings));
}

/** Where people reach it: by the load balancer, where it has an address. */
export function kubeconfigServer(settings: ControlPlaneSettings, external: string | undefined): string {
  return external === undefined ? endpointOf(settings) : urlOf(external);
}

/** An IPv6 address stands in brackets. */
export function urlOf(host: string): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${TENANT_API_PORT}`;
}
