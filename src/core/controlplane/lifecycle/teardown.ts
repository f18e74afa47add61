import { controlPlaneNamespace } from '../../isolation/control-plane-namespace.ts';
import { at, stringAt } from '../../kube/json.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../kube/object.ts';
import { AUTHORITIES_SECRET, KUBECONFIG_SECRET, TOKEN_SECRET } from '../names.ts';
import { accessWords } from './access.ts';
import type { Action } from './action.ts';
import { type Found, found } from './condition-reasons.ts';
import { type LifecycleObservation, stands, unread } from './observation.ts';
import { isOwn, isOwnClaim } from './stamp.ts';

export interface Teardown {
  readonly actions: readonly Action[];
  readonly found: Found;
  /** what stays behind, for whoever looks after the host */
  readonly leftovers: readonly string[];
}

/**
 * Takes a control plane down: servers, then what leads to them, then their volumes, and the material last, since a volume is of no use without it.
 * A boundary goes only where the reconciler itself applied it, and only when no workload is left; namespaces stay: whoever applied the others removes them.
 */
export function teardown(o: LifecycleObservation): Teardown {
  const key = `${namespaceOf(o.tenantCluster) ?? ''}/${nameOf(o.tenantCluster)}`;
  const own = (objects: readonly KubeObject[]): readonly KubeObject[] => objects.filter((object) => isOwn(object, key));
  const { statefulSet, pods, services, configMaps, claims, workloads } = o.live;
  const retain = at(o.tenantCluster, 'spec', 'controlPlane', 'storage', 'onDelete') === 'Retain';
  const volumes = claims.filter(isOwnClaim);
  const secrets = ownSecrets(o);
  const leftovers = [
    ...(retain ? volumes.map((claim) => `PersistentVolumeClaim ${namespaceOf(claim) ?? ''}/${nameOf(claim)}`) : []),
    ...(retain && volumes.length > 0 ? material(secrets).map((name) => `Secret ${name}${brokenWords(o, name)}`) : []),
    ...(workloads > 0
      ? [`${workloads} ${workloads === 1 ? 'pod' : 'pods'} of its workloads in ${namespaceOf(o.tenantCluster) ?? ''}`]
      : []),
    ...(workloads > 0 && controlled(o) ? ['the boundary around them'] : []),
    ...(controlled(o) && o.boundary.kind === 'unknown' ? ['its boundary, which is not known without its profile and policy'] : []),
    ...(controlled(o) ? [`Namespace ${controlPlaneNamespace(nameOf(o.tenantCluster), namespaceOf(o.tenantCluster) ?? '')}`] : []),
  ];
  const step = (message: string, actions: readonly Action[]): Teardown => ({
    actions,
    found: found('Reconciling', 'Deleting', message),
    leftovers,
  });

  // a namespace that never was there, or never its own, has nothing of it, and no Role by which it could be read
  const elsewhere = o.namespaces.controlPlane === 'missing' || o.namespaces.controlPlane === 'foreign';
  const { teardown: standing = [], apply = [] } = o.boundary.kind === 'verified' ? (o.boundary.delivery ?? {}) : {};
  // its own rights go last, when there is nothing more to be read
  const bounds = standing.filter((object) => !isAccess(object));
  const done = controlled(o) && o.boundary.kind === 'verified' && bounds.length === 0;
  // what may not be read may not be deleted either
  if (unread(o.secrets) && !elsewhere && !done) {
    const access = apply.filter(({ object }) => isAccess(object));
    if (controlled(o) && access.length > 0)
      return step(
        accessWords(o),
        access.map(({ object, standing: force }): Action => ({ do: 'apply', object, force })),
      );
    if (o.namespaces.controlPlane === 'terminating') return step('The namespace of its control plane is being deleted.', []);
    const again = 'Apply them again, or delete that namespace if nothing in it is to be kept: the deletion goes on then.';
    return { actions: [], found: found('Stalled', 'AccessMissing', `${accessWords(o)} ${again}`), leftovers };
  }

  const servers = own(statefulSet === undefined ? [] : [statefulSet]);
  if (servers.length > 0) return step('Its servers are being stopped.', deletions(servers));
  if (pods.length > 0) return step(`${pods.length} of its servers still run.`, []);
  const ways = own([...services, ...configMaps]);
  if (ways.length > 0 || secrets.includes(KUBECONFIG_SECRET)) {
    const kubeconfig: Action[] = secrets.includes(KUBECONFIG_SECRET) ? [{ do: 'delete-secret', name: KUBECONFIG_SECRET }] : [];
    return step('What leads to it is being removed.', [...deletions(ways), ...kubeconfig]);
  }
  if (!retain && volumes.length > 0) return step('Its volumes are being removed.', deletions(volumes));
  const rest = retain && volumes.length > 0 ? [] : material(secrets);
  if (rest.length > 0)
    return step(
      'Its authorities are being removed.',
      rest.map((name): Action => ({ do: 'delete-secret', name })),
    );
  const next = bounds.length > 0 ? bounds : standing;
  if (next.length > 0 && workloads === 0) return step('Its boundary is being removed.', deletions(next));
  return step('Everything is removed.', [{ do: 'remove-finalizer' }]);
}

function isAccess(object: KubeObject): boolean {
  return kindOf(object) === 'Role' || kindOf(object) === 'RoleBinding';
}

function controlled({ tenantCluster }: LifecycleObservation): boolean {
  return stringAt(tenantCluster, 'spec', 'delivery') === 'controller';
}

/** What is on its way out already is not asked again. */
function deletions(objects: readonly KubeObject[]): readonly Action[] {
  return objects
    .filter((object) => at(object, 'metadata', 'deletionTimestamp') === undefined)
    .map((object): Action => ({ do: 'delete', object }));
}

function ownSecrets({ secrets }: LifecycleObservation): readonly string[] {
  const states = { [KUBECONFIG_SECRET]: secrets.kubeconfig, [AUTHORITIES_SECRET]: secrets.authorities, [TOKEN_SECRET]: secrets.token };
  return Object.entries(states).flatMap(([name, secret]) => ('ours' in secret && stands(secret.state) && secret.ours ? [name] : []));
}

/** What is wrong with one that stays: a volume is of no use with it. */
function brokenWords({ secrets: { authorities, token } }: LifecycleObservation, name: string): string {
  const secret = name === AUTHORITIES_SECRET ? authorities : token;
  return secret.state === 'broken' ? ` (${secret.problems.join(', ')})` : '';
}

function material(secrets: readonly string[]): readonly string[] {
  return secrets.filter((name) => name !== KUBECONFIG_SECRET);
}
