import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { KEY, MANAGED_BY } from '../../core/identity/metadata.ts';
import { annotationsOf, type KubeObject } from '../../core/kube/object.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import { listAll } from '../../kube/reflector/list-pages.ts';
import { TenantplaneError } from '../errors.ts';
import { unanswered } from '../facts/open-host.ts';
import { findTenant, fullName, type Wanted } from '../kubeconfig/find-tenant.ts';

/** Tenants as they are named to `down`. */
export interface NamedTenants {
  readonly standing: readonly KubeObject[];
  /** `namespace/name` of each, also of one whose TenantCluster is gone while its namespaces are not */
  readonly names: ReadonlySet<string>;
}

const NAMESPACES = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false } as const;

/** @throws TenantplaneError where one is not there, and nothing is left of it */
export async function nameTenants(all: readonly Wanted[], call: Call, cwd: string): Promise<NamedTenants> {
  const [standing, names] = [new Map<string, KubeObject>(), new Set<string>()];
  for (const wanted of all) {
    try {
      const tenant = await findTenant(call.transport, wanted, call.signal);
      standing.set(fullName(tenant), tenant);
      names.add(fullName(tenant));
    } catch (error) {
      if (!(error instanceof TenantplaneError && error.code === 'input')) throw error;
      const [left, ...more] = await leftOf(wanted, call);
      if (left === undefined || more.length > 0) throw asFolder(wanted, cwd) ?? error;
      names.add(left);
    }
  }
  return { standing: [...standing.values()], names };
}

/** `up` takes a folder, so that one is soon given to `down` as well. */
function asFolder({ name, namespace }: Wanted, cwd: string): TenantplaneError | undefined {
  const word = namespace === undefined ? name : `${namespace}/${name}`;
  if (!existsSync(resolve(cwd, word))) return undefined;
  return new TenantplaneError('usage', `${word} is no tenant but a folder, and down reads none.`, {
    hint: 'Name tenants, as NAME or NAMESPACE/NAME, or give --all; kubectl get tenantclusters --all-namespaces lists what is there.',
  });
}

/** Whose namespaces stand yet, of those that could be meant. */
async function leftOf({ name, namespace }: Wanted, { transport, signal }: Call): Promise<readonly string[]> {
  const labelSelector = `${KEY.managedBy}=${MANAGED_BY}`;
  const listed = await listAll(transport, { resource: NAMESPACES, labelSelector, metadataOnly: true }, signal);
  if ('failure' in listed) throw unanswered(listed.failure);
  const tenants = new Set(listed.value.objects.map((each) => annotationsOf(each).get(KEY.tenantCluster) ?? ''));
  return [...tenants].filter((each) => (namespace === undefined ? each.split('/')[1] === name : each === `${namespace}/${name}`));
}
