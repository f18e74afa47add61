import { KEY, MANAGED_BY } from '../../core/identity/metadata.ts';
import { at, objectsOf, stringAt } from '../../core/kube/json.ts';
import { annotationsOf, type KubeObject, kindOf, labelsOf, nameOf } from '../../core/kube/object.ts';
import type { DiscoveredResource } from '../../kube/discovery/discovered.ts';
import type { Discovery } from '../../kube/discovery/discovery.ts';
import type { Failure } from '../../kube/failure.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import { listAll } from '../../kube/reflector/list-pages.ts';
import type { Selection } from '../../kube/reflector/selection.ts';
import { unanswered } from '../facts/open-host.ts';
import { fullName } from '../kubeconfig/find-tenant.ts';

/** An object on the host, its metadata alone. */
export interface Standing {
  readonly resource: DiscoveredResource;
  readonly object: KubeObject;
}

/** What of some tenants stands on a host, beside the TenantClusters themselves. */
export interface Survey {
  /** what runs and serves, in the tenants’ own namespaces */
  readonly objects: readonly Standing[];
  readonly namespaces: readonly Standing[];
  /** theirs, of the cluster */
  readonly cluster: readonly Standing[];
  readonly kept: readonly Kept[];
}

export interface Kept extends Standing {
  /** the rest of a sentence that begins with the Namespace */
  readonly why: string;
}

export interface SurveyOptions {
  /** whether objects of this tenant, `namespace/name`, are to go; it may be gone itself */
  readonly meant: (tenant: string) => boolean;
  /** go too */
  readonly volumes: boolean;
  /** those that stand yet: their control planes take their volumes with them */
  readonly standing: readonly KubeObject[];
}

/** @throws TenantplaneError where the host does not say what it holds */
export async function survey(discovery: Discovery, call: Call, { meant, volumes, standing }: SurveyOptions): Promise<Survey> {
  const kinds = await deletable(discovery, call.signal);
  const namespaced = kinds.filter((kind) => kind.namespaced);
  const tenantOf = (object: KubeObject): string | undefined => annotationsOf(object).get(KEY.tenantCluster);
  const own = (object: KubeObject): boolean => meant(tenantOf(object) ?? '');
  const cluster = (await listed(clusterKinds(kinds), OURS, call)).filter(({ object }) => own(object));
  const found: { objects: Standing[]; namespaces: Standing[]; kept: Kept[] } = { objects: [], namespaces: [], kept: [] };
  for (const namespace of cluster.filter(({ object }) => kindOf(object) === 'Namespace')) {
    const name = nameOf(namespace.object);
    const all = await listed(namespaced, { namespace: name }, call);
    const inside = all.filter(({ object }) => !followsAnother(object) && !(kindOf(object) === 'TenantCluster' && meant(fullName(object))));
    const ofControlPlane = labelsOf(namespace.object).get(KEY.role) === 'control-plane';
    const tenant = standing.find((each) => fullName(each) === tenantOf(namespace.object));
    const goes = ofControlPlane && tenant !== undefined && !retains(tenant);
    const claims = volumes || goes ? [] : inside.filter(({ object }) => kindOf(object) === 'PersistentVolumeClaim');
    const others = inside.filter(({ object }) => kindOf(object) !== 'PersistentVolumeClaim' && !own(object));
    const why = [
      ...(claims.length > 0 ? [`holds the volumes ${named(claims)} (--delete-volumes takes them too)`] : []),
      ...(others.length > 0 ? [`holds what is not tenantplane’s: ${named(others, true)}`] : []),
    ];
    if (why.length === 0) found.namespaces.push(namespace);
    else found.kept.push({ ...namespace, why: why.join(', and ') });
    // of a control plane that is kept, volumes are of no use without the Secrets beside them
    if (!ofControlPlane) found.objects.push(...inside.filter(({ object }) => own(object) && !WALLS.has(kindOf(object))));
  }
  return { ...found, cluster: cluster.filter(({ object }) => kindOf(object) !== 'Namespace') };
}

/** What all tenants share: policies of admission, priority levels, profiles and policies. */
export async function surveyShared(discovery: Discovery, call: Call): Promise<readonly Standing[]> {
  const all = await listed(clusterKinds(await deletable(discovery, call.signal)), OURS, call);
  const shared = all.filter(({ object }) => annotationsOf(object).get(KEY.tenantCluster) === undefined);
  const rank = ({ object }: Standing): number => SHARED_ORDER.indexOf(kindOf(object));
  return shared.sort((a, b) => rank(a) - rank(b));
}
/** A policy that is still bound holds up what it guards; a binding alone does nothing. All other kinds come before. */
const SHARED_ORDER = ['ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy', 'SyncPolicy', 'IsolationProfile'];

const OURS = { labelSelector: `${KEY.managedBy}=${MANAGED_BY}` };

/** What closes a namespace goes with it, as do the rights in it: what still runs there would stand open. And data is asked about. */
const WALLS: ReadonlySet<string> = new Set([
  'LimitRange',
  'NetworkPolicy',
  'PersistentVolumeClaim',
  'ResourceQuota',
  'Role',
  'RoleBinding',
  'ServiceAccount',
]);

/** Every kind once, in the version that the host prefers. */
async function deletable(discovery: Discovery, signal: AbortSignal): Promise<readonly DiscoveredResource[]> {
  const served = await discovery.all(signal);
  if ('failure' in served) throw unanswered(served.failure);
  const kinds = new Map<string, DiscoveredResource>();
  for (const resource of served.value.resources) {
    const key = `${resource.plural}.${resource.group}`;
    if (resource.verbs.has('list') && resource.verbs.has('delete') && !PASSING.has(resource.kind) && !kinds.has(key))
      kinds.set(key, resource);
  }
  return [...kinds.values()];
}
/** Made by Kubernetes for what is there, and of no matter without it. */
const PASSING: ReadonlySet<string> = new Set(['Event', 'Endpoints', 'EndpointSlice', 'PodMetrics']);

function clusterKinds(kinds: readonly DiscoveredResource[]): readonly DiscoveredResource[] {
  return kinds.filter((kind) => !kind.namespaced);
}

async function listed(
  kinds: readonly DiscoveredResource[],
  where: Pick<Selection, 'namespace' | 'labelSelector'>,
  { transport, signal }: Call,
): Promise<Standing[]> {
  const all = await Promise.all(
    kinds.map(async (resource) => {
      const answer = await listAll(transport, { resource, ...where, metadataOnly: true }, signal);
      if ('value' in answer) return answer.value.objects.map((object) => ({ resource, object }));
      // its definition, or its namespace, went meanwhile
      if (isUnknownPath(answer.failure)) return [];
      throw unanswered(answer.failure);
    }),
  );
  return all.flat();
}

/** A kind that is served no more is answered without a Status, and so without a reason. */
export function isUnknownPath(failure: Failure): boolean {
  return failure.kind === 'status' && failure.code === 404;
}

/** What goes with another object, and what Kubernetes puts into every namespace. */
function followsAnother(object: KubeObject): boolean {
  return objectsOf(at(object, 'metadata', 'ownerReferences')).length > 0 || DEFAULTS.has(`${kindOf(object)}/${nameOf(object)}`);
}
const DEFAULTS: ReadonlySet<string> = new Set(['ConfigMap/kube-root-ca.crt', 'ServiceAccount/default']);

function retains(tenant: KubeObject): boolean {
  return stringAt(tenant, 'spec', 'controlPlane', 'storage', 'onDelete') === 'Retain';
}

/** names that a line says */
const SHOWN = 3;

function named(all: readonly Standing[], kinds = false): string {
  const words = all.slice(0, SHOWN).map(({ object }) => (kinds ? `${kindOf(object)} ${nameOf(object)}` : nameOf(object)));
  return `${words.join(', ')}${all.length > SHOWN ? ` and ${all.length - SHOWN} more` : ''}`;
}
