import { findRelease } from '../../src/core/controlplane/kubernetes-versions.ts';
import type { Action } from '../../src/core/controlplane/lifecycle/action.ts';
import { configState } from '../../src/core/controlplane/lifecycle/config-state.ts';
import type { LifecycleDecision } from '../../src/core/controlplane/lifecycle/decide.ts';
import { FINALIZER } from '../../src/core/controlplane/lifecycle/decide.ts';
import type { ApiState, LifecycleObservation } from '../../src/core/controlplane/lifecycle/observation.ts';
import { statusOf } from '../../src/core/controlplane/lifecycle/status.ts';
import { at, clone, type JsonObject, objectAt, stringAt } from '../../src/core/kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../../src/core/kube/object.ts';
import { resolveHost } from '../../src/core/plan/host-facts.ts';
import { NOW, observation, POLICY, PROFILE, RELEASES, tenantCluster } from './lifecycle.ts';

/** What a host would hold, as far as the lifecycle of one tenant sees it: enough to let passes run to their end without a server. */
export interface World {
  now: number;
  tenantCluster: KubeObject | undefined;
  /** digests of authorities, in the order in which they were made */
  readonly authoritiesMade: string[];
  authorities: string | undefined;
  tokensMade: number;
  token: boolean;
  kubeconfig: { server: string; authorities: string; notBefore: number; notAfter: number } | undefined;
  objects: Map<string, KubeObject>;
  /** each pod with the version it runs; a claim stays when its pod goes */
  pod: { version: string; ready: boolean } | undefined;
  claim: { authorities: string } | undefined;
  config?: { readonly spec: string; readonly state: LifecycleObservation['config'] };
}

export function newWorld(spec: JsonObject = {}): World {
  return {
    now: NOW,
    tenantCluster: tenantCluster(spec, { finalizers: [] }),
    authoritiesMade: [],
    authorities: undefined,
    tokensMade: 0,
    token: false,
    kubeconfig: undefined,
    objects: new Map(),
    pod: undefined,
    claim: undefined,
  };
}

export function look(world: World): LifecycleObservation {
  const object = world.tenantCluster;
  if (object === undefined) throw new Error('it is gone');
  const statefulSet = [...world.objects.values()].find((each) => kindOf(each) === 'StatefulSet');
  const api: ApiState =
    world.pod?.ready === true
      ? {
          kind: 'answers',
          version: `v${world.pod.version}+k3s1`,
          serving: { name: 'serving', notBefore: world.now, notAfter: world.now + 365 * 86_400_000 },
        }
      : { kind: 'not-asked' };
  const wanted = stringAt(object, 'spec', 'kubernetesVersion');
  const { kubeconfig } = world;
  return observation({
    now: world.now,
    tenantCluster: object,
    config: configOf(world, object),
    api,
    release: findRelease(wanted, RELEASES),
    secrets: {
      authorities:
        world.authorities === undefined ? { state: 'absent' } : { state: 'present', ours: true, digest: world.authorities, lifetimes: [] },
      token: { state: world.token ? 'present' : 'absent', ours: world.token },
      kubeconfig: {
        state: kubeconfig === undefined ? 'absent' : 'present',
        ours: true,
        ...(kubeconfig !== undefined && { issued: { name: 'kubeconfig', access: '', ...kubeconfig } }),
      },
      datastore: 'absent',
    },
    live: {
      ...(statefulSet !== undefined && { statefulSet }),
      services: [...world.objects.values()].filter((each) => kindOf(each) === 'Service'),
      configMaps: [...world.objects.values()].filter((each) => kindOf(each) === 'ConfigMap'),
      pods: world.pod === undefined ? [] : [podObject(world)],
      claims: world.claim === undefined ? [] : [claimObject()],
      workloads: 0,
    },
  });
}

/** The same spec is read once: a law goes through thousands of passes. */
function configOf(world: World, object: KubeObject): LifecycleObservation['config'] {
  const spec = JSON.stringify(object['spec']);
  if (world.config?.spec !== spec) world.config = { spec, state: configState(object, PROFILE, POLICY, resolveHost({})) };
  return world.config.state;
}

const OWN: JsonObject = {
  labels: { 'app.kubernetes.io/managed-by': 'tenantplane' },
  annotations: { 'tenantplane.io/tenant-cluster': 'team-shop/shop' },
};

function podObject({ pod }: World): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'control-plane-0', ...clone(OWN) },
    status: { podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: pod?.ready === true ? 'True' : 'False' }] },
  };
}

function claimObject(): KubeObject {
  const labels = { 'app.kubernetes.io/managed-by': 'tenantplane', 'tenantplane.io/role': 'control-plane' };
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data-control-plane-0', uid: 'c', labels } };
}

/** @throws where an action would destroy or repeat what must be once */
export function act(world: World, action: Action): void {
  const object = world.tenantCluster;
  switch (action.do) {
    case 'add-finalizer':
      (objectAt(object, 'metadata') ?? {})['finalizers'] = [FINALIZER];
      return;
    case 'remove-finalizer':
      world.tenantCluster = undefined;
      return;
    case 'make-authorities':
      if (world.authorities !== undefined) return;
      if (world.claim !== undefined) throw new Error('authorities are made for a volume that has others');
      world.authorities = `d${world.authoritiesMade.length + 1}`;
      world.authoritiesMade.push(world.authorities);
      return;
    case 'make-token':
      if (world.token) return;
      world.token = true;
      world.tokensMade += 1;
      return;
    case 'apply': {
      const key = `${kindOf(action.object)}/${nameOf(action.object)}`;
      const before = world.objects.get(key);
      const generation = Number(at(before, 'metadata', 'generation') ?? 0) + 1;
      const metadata = { ...objectAt(action.object, 'metadata'), uid: key, generation, creationTimestamp: '2026-03-01T12:00:00Z' };
      const { status } = before ?? {};
      world.objects.set(key, { ...clone(action.object), metadata, ...(status !== undefined && { status }) });
      return;
    }
    case 'delete': {
      const key = `${kindOf(action.object)}/${nameOf(action.object)}`;
      world.objects.delete(key);
      if (kindOf(action.object) === 'PersistentVolumeClaim') world.claim = undefined;
      return;
    }
    case 'delete-secret':
      if (action.name === 'kubeconfig') world.kubeconfig = undefined;
      else if (action.name.includes('token')) world.token = false;
      else world.authorities = undefined;
      return;
    case 'publish-kubeconfig':
      world.kubeconfig = {
        server: action.server,
        authorities: world.authorities ?? '',
        notBefore: world.now,
        notAfter: world.now + action.hours * 3_600_000,
      };
  }
}

/** What Kubernetes does meanwhile: a step of the StatefulSet's controller, of the scheduler and of a kubelet. */
export function pass(world: World): void {
  world.now += 1000;
  const entry = [...world.objects].find(([, each]) => kindOf(each) === 'StatefulSet');
  if (entry === undefined) {
    world.pod = undefined;
    return;
  }
  const [key, set] = entry;
  const version = /:v([\d.]+)-/.exec(stringAt(set, 'spec', 'template', 'spec', 'containers', 0, 'image') ?? '')?.[1] ?? '';
  const revision = JSON.stringify(at(set, 'spec', 'template'));
  const running = stringAt(set, 'status', 'currentRevision');
  const generation = at(set, 'metadata', 'generation') ?? 0;
  if (running === revision && world.pod?.ready === true) return;
  if (world.pod === undefined || running !== revision) {
    if (world.claim !== undefined && world.claim.authorities !== world.authorities)
      throw new Error('a volume gets other authorities than it was made with');
    world.claim ??= { authorities: world.authorities ?? '' };
    world.pod = { version, ready: false };
    world.objects.set(key, {
      ...set,
      status: { observedGeneration: generation, currentRevision: revision, updateRevision: revision, updatedReplicas: 1, readyReplicas: 0 },
    });
    return;
  }
  world.pod = { version, ready: true };
  world.objects.set(key, {
    ...set,
    status: {
      observedGeneration: generation,
      currentRevision: revision,
      updateRevision: revision,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    },
  });
}

/** What a decision says is what the next pass reads. */
export function say(world: World, decision: LifecycleDecision): void {
  if (world.tenantCluster === undefined) return;
  world.tenantCluster = { ...world.tenantCluster, status: statusOf(world.tenantCluster, decision, world.now) };
}
