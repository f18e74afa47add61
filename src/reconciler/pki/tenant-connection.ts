import { TENANT_API_PORT } from '../../core/controlplane/endpoint.ts';
import type { Connection } from '../../kube/connection/connection.ts';
import { authorityCertificate } from './read-authorities.ts';
import { type TenantCredentialOptions, tenantCredentials } from './tenant-credentials.ts';

export interface TenantConnectionOptions extends TenantCredentialOptions {
  /** `status.podIP` of a pod of the control plane */
  readonly podIP: string;
  /** the name that its certificate holds: `controlPlaneAddress` */
  readonly serverName: string;
  /** another than k3s listens on, in tests */
  readonly port?: number;
}

/** A tenant's API by its pod's address: no DNS of the cluster is needed, and no Service has to have found the pod. @throws AuthoritiesError */
export function tenantConnection({ podIP, serverName, port = TENANT_API_PORT, ...options }: TenantConnectionOptions): Connection {
  return {
    server: `https://${podIP.includes(':') ? `[${podIP}]` : podIP}:${port}`,
    serverName,
    authority: authorityCertificate(options.authorities, 'server-ca'),
    credentials: tenantCredentials(options),
  };
}
