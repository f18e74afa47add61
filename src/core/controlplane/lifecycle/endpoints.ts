import type { ControlPlaneSettings } from '../control-plane-settings.ts';
import { TENANT_API_PORT } from '../endpoint.ts';
import { serviceAddress } from '../endpoint-names.ts';

/** Inside the host cluster. */
export function endpointOf(settings: ControlPlaneSettings): string {
  return urlOf(serviceAddress(settings));
}

/** Where people reach it: by the load balancer, where it has an address. */
export function kubeconfigServer(settings: ControlPlaneSettings, external: string | undefined): string {
  return external === undefined ? endpointOf(settings) : urlOf(external);
}

/** An IPv6 address stands in brackets. */
export function urlOf(host: string): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${TENANT_API_PORT}`;
}
