import { type HostName, hostName } from '../identity/host-name.ts';

/** Namespaces are DNS labels. */
const LIMITS = { nameLimit: 63, dots: false } as const;

/**
 * The namespace of a tenant's control plane: `cp-x-<tenant>-x-<its namespace>`, by the same rule as every host name, so that it
 * is predictable, at most 63 characters long and never another tenant's.
 */
export function controlPlaneNamespace(name: string, namespace: string): HostName {
  return hostName('cp', name, namespace, LIMITS).name;
}
