import { tenantApiHost } from '../../controlplane/endpoint.ts';
import { asArray, at, objectsOf, stringAt } from '../../kube/json.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import type { Step } from '../translation.ts';
import { eachContainer, podView } from './pod-view.ts';

/**
 * The tenant's API is called by name, since its address is the host's to choose. A pod that asks neither cluster's DNS cannot
 * resolve it, nor any other name of the host's, so there is nothing better to stamp; it is said. After `environmentStep`.
 */
export const apiNameStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  // As the tenant wrote it: for a pod that asks the tenant's DNS the host object says None.
  const policy = stringAt(subject.object, ...view.base, 'dnsPolicy') ?? '';
  const servers = asArray(at(subject.object, ...view.base, 'dnsConfig', 'nameservers')) ?? [];
  if (!asksNoCluster(policy, servers, ctx)) return;
  const name = tenantApiHost(ctx);
  let stamped = false;
  eachContainer(view, (container) => {
    stamped ||= objectsOf(container['env']).some((row) => row['name'] === 'KUBERNETES_SERVICE_HOST' && row['value'] === name);
  });
  if (stamped) edit.note('ApiNameUnresolvable', { policy, name }, [...view.base, 'dnsPolicy']);
};

/** `None` may name the servers of a cluster. Which is the tenant's is known in DNS mode server, which is the host's never. */
function asksNoCluster(policy: string, servers: readonly unknown[], { tenant }: TenantContext): boolean {
  if (policy === 'Default') return true;
  return policy === 'None' && tenant.dns === 'server' && !servers.includes(tenant.dnsServiceIP);
}
