import type { Action } from '../../core/controlplane/lifecycle/action.ts';
import { KUBECONFIG_SECRET } from '../../core/controlplane/names.ts';
import { TENANT_ACCESS, TENANT_IDENTITIES } from '../../core/controlplane/tenant-access.ts';
import { digest } from '../../core/identity/digest.ts';
import { objectAt } from '../../core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { failed, type Result } from '../../kube/failure.ts';
import { applyObject } from '../../kube/objects/apply.ts';
import { grantAccess } from '../pki/grant-access.ts';
import { mintClient } from '../pki/mint-client.ts';
import { authorityCertificate, publicDigest } from '../pki/read-authorities.ts';
import { tenantKubeconfig } from '../pki/tenant-kubeconfig.ts';
import { type Execution, PROVISION } from './execution.ts';
import { SECRET } from './resources.ts';
import { ISSUE } from './secrets.ts';
import { withTenant } from './tenant-api.ts';

/**
 * Grants people their rights in the tenant, once for each change of these rights: whoever takes the binding away inside the tenant has revoked
 * them, and they are not given back. Then writes a kubeconfig with a certificate of its own life.
 */
export async function publishKubeconfig(
  action: Action & { readonly do: 'publish-kubeconfig' },
  execution: Execution,
): Promise<Result<unknown>> {
  const { observed, call, holds, clock, metadata, onTenantRequest: onRequest } = execution;
  const { tenantCluster, secrets } = observed.observation;
  const { authorities } = observed.secrets;
  if (authorities === undefined || observed.bootstrap === undefined)
    return failed({ kind: 'malformed', message: 'The tenant cannot be called.' });
  const access = digest([JSON.stringify(TENANT_ACCESS)]);
  if (secrets.kubeconfig.issued?.access !== access) {
    const { signal } = call;
    const result = await withTenant(observed.bootstrap, { clock, onRequest }, (transport) => grantAccess({ transport, signal }));
    if ('failure' in result) return result;
  }
  const now = clock.wall();
  const client = await mintClient(authorities, TENANT_IDENTITIES.admin, { from: now, hours: action.hours });
  const kubeconfig = tenantKubeconfig({
    server: action.server,
    serverName: action.serverName,
    authority: authorityCertificate(authorities, 'server-ca'),
    certificate: client.certificate,
    key: client.key,
    cluster: `${namespaceOf(tenantCluster) ?? ''}-${nameOf(tenantCluster)}`,
  });
  const issue = {
    [ISSUE.authorities]: publicDigest(authorities),
    [ISSUE.server]: action.server,
    [ISSUE.access]: access,
    [ISSUE.issuedAt]: new Date(client.notBefore).toISOString(),
    [ISSUE.expiresAt]: new Date(client.notAfter).toISOString(),
  };
  const own = metadata(KUBECONFIG_SECRET);
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...own, annotations: { ...objectAt(own, 'annotations'), ...issue } },
    type: 'Opaque',
    data: { value: Buffer.from(kubeconfig, 'utf8').toString('base64') },
  };
  // rights in the tenant may have taken seconds to give
  if (!holds()) return failed({ kind: 'malformed', message: 'It is no longer this process’s to work on.' });
  return applyObject(SECRET, secret, { ...call, fieldManager: PROVISION, force: secrets.kubeconfig.state === 'present' });
}
