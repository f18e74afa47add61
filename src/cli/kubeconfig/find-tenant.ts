import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { type Failure, isReason } from '../../kube/failure.ts';
import { getObject } from '../../kube/objects/get.ts';
import { listAll } from '../../kube/reflector/list-pages.ts';
import type { Transport } from '../../kube/transport/transport.ts';
import { TENANT_CLUSTERS } from '../../reconciler/process/watched-kinds.ts';
import { masked } from '../../report/mask-credentials.ts';
import { nearest } from '../../schema/nearest.ts';
import { TenantplaneError } from '../errors.ts';
import { unanswered } from '../facts/open-host.ts';

export interface Wanted {
  readonly name: string;
  /** all are searched, if not said */
  readonly namespace?: string;
}

/** What is meant by `shop` or `team-shop/shop`. @throws TenantplaneError */
export function readTenantName(word: string, namespace: string | undefined): Wanted {
  const parts = word.split('/');
  const [name = '', own] = parts.toReversed();
  const names = [...parts, ...(namespace === undefined ? [] : [namespace])];
  if (parts.length > 2 || names.some((part) => !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(part))) {
    throw new TenantplaneError('usage', `${word} names no TenantCluster.`, { hint: 'Write NAME or NAMESPACE/NAME.' });
  }
  if (own !== undefined && namespace !== undefined && own !== namespace) {
    throw new TenantplaneError('usage', `The tenant is in ${own} by its name, and in ${namespace} by --namespace.`, {
      hint: 'Leave one of them out.',
    });
  }
  const place = own ?? namespace;
  return { name, ...(place !== undefined && { namespace: place }) };
}

/** @throws TenantplaneError where there is none, several, or nobody may say */
export async function findTenant(host: Transport, wanted: Wanted, signal: AbortSignal): Promise<KubeObject> {
  if (wanted.namespace !== undefined) {
    const found = await getObject(
      { resource: TENANT_CLUSTERS, namespace: wanted.namespace, name: wanted.name },
      { transport: host, signal },
    );
    if ('value' in found) return found.value;
    if (!isReason(found.failure, 'NotFound')) throw refusal(found.failure, wanted);
  }
  const listed = await listAll(
    host,
    { resource: TENANT_CLUSTERS, ...(wanted.namespace !== undefined && { namespace: wanted.namespace }) },
    signal,
  );
  if ('failure' in listed) {
    // what may be read, and not listed, was looked for already
    if (wanted.namespace !== undefined && isReason(listed.failure, 'Forbidden')) throw absent(wanted, []);
    throw refusal(listed.failure, wanted);
  }
  const all = listed.value.objects;
  const [found, ...more] = all.filter((object) => nameOf(object) === wanted.name);
  if (found === undefined) throw absent(wanted, all);
  if (more.length === 0) return found;
  throw new TenantplaneError('input', `Several tenants are called ${wanted.name}: ${[found, ...more].map(fullName).sort().join(', ')}.`, {
    hint: 'Say which, as NAMESPACE/NAME.',
  });
}

export function fullName(tenant: KubeObject): string {
  return `${namespaceOf(tenant) ?? ''}/${nameOf(tenant)}`;
}

function absent({ name, namespace }: Wanted, all: readonly KubeObject[]): TenantplaneError {
  const near = nearest(name, all.map(nameOf));
  const meant = all.filter((object) => nameOf(object) === near).map(fullName);
  const where = namespace === undefined ? 'on the host' : `in namespace ${namespace} of the host`;
  return new TenantplaneError('input', `There is no TenantCluster ${name} ${where}.`, {
    hint:
      meant.length > 0 ? `Did you mean ${meant.sort().join(' or ')}?` : 'kubectl get tenantclusters --all-namespaces lists what is there.',
  });
}

function refusal(failure: Failure, { namespace }: Wanted): TenantplaneError {
  switch (failure.kind === 'status' ? failure.reason : '') {
    case 'NotFound':
      return new TenantplaneError('input', 'The host serves no TenantCluster.', {
        hint: 'Name the host with --kubeconfig and --context; where it is the right one, install tenantplane’s CRDs.',
      });
    case 'Forbidden':
      return new TenantplaneError('system', `The host does not let you see the tenant: ${masked(failure.message)}.`, {
        hint:
          namespace === undefined
            ? 'Name it as NAMESPACE/NAME, where you may read it there.'
            : 'Ask for get of tenantclusters in that namespace.',
      });
    default:
      return unanswered(failure);
  }
}
