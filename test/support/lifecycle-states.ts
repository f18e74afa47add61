import { configState } from '../../src/core/controlplane/lifecycle/config-state.ts';
import type { LifecycleDecision } from '../../src/core/controlplane/lifecycle/decide.ts';
import type { LifecycleObservation } from '../../src/core/controlplane/lifecycle/observation.ts';
import { targetOf } from '../../src/core/controlplane/lifecycle/target.ts';
import { type JsonObject, objectAt } from '../../src/core/kube/json.ts';
import { type KubeObject, kindOf } from '../../src/core/kube/object.ts';
import { resolveHost } from '../../src/core/plan/host-facts.ts';
import { MATERIAL, NOW, observation, POLICY, PROFILE, RELEASES, settled, tenantCluster } from './lifecycle.ts';

export interface Case {
  readonly name: string;
  readonly given: Partial<LifecycleObservation>;
  /** the conditions that matter, by type */
  readonly shows: Readonly<Record<string, string>>;
  readonly phase?: LifecycleDecision['phase'];
  readonly actions?: readonly string[];
}

export const DAY = 86_400_000;
export const HOST: ReturnType<typeof resolveHost> = resolveHost({});

/** A StatefulSet as this very code would have made it, with what Kubernetes says of it. */
export function statefulSet(status: JsonObject = {}, from: Partial<LifecycleObservation> = {}): KubeObject {
  const o = settled(observation({ secrets: MATERIAL, ...from }));
  const release = o.release;
  if (release === undefined) throw new Error('no release');
  const made = targetOf(o, release, 'd1').objects.find((object) => kindOf(object) === 'StatefulSet');
  if (made === undefined) throw new Error('no StatefulSet');
  const metadata = { ...(made['metadata'] as JsonObject), uid: 's', generation: 1, creationTimestamp: '2026-03-01T11:59:50Z' };
  return { ...made, metadata, status };
}

const ROLLED_OUT: JsonObject = {
  observedGeneration: 1,
  currentRevision: 'r',
  updateRevision: 'r',
  updatedReplicas: 1,
  readyReplicas: 1,
  availableReplicas: 1,
};

export function pod(status: JsonObject): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'control-plane-0', labels: { 'app.kubernetes.io/managed-by': 'tenantplane' } },
    status,
  };
}
const READY_POD = pod({ podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] });
export const waiting = (reason: string, message = ''): KubeObject =>
  pod({ containerStatuses: [{ name: 'k3s', state: { waiting: { reason, message } } }] });

const CLAIM: KubeObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: 'data-control-plane-0',
    labels: { 'app.kubernetes.io/managed-by': 'tenantplane' },
    annotations: { 'tenantplane.io/tenant-cluster': 'team-shop/shop' },
  },
};

export const ANSWERS: Extract<LifecycleObservation['api'], { kind: 'answers' }> = {
  kind: 'answers',
  version: 'v1.34.2+k3s1',
  serving: { name: 'serving', notBefore: NOW - DAY, notAfter: NOW + 364 * DAY },
};
export const PUBLISHED: LifecycleObservation['secrets'] = {
  ...MATERIAL,
  kubeconfig: {
    state: 'present',
    ours: true,
    issued: {
      name: 'kubeconfig',
      notBefore: NOW - DAY,
      notAfter: NOW + 6 * DAY,
      authorities: 'd1',
      server: 'https://shop-control-plane.cp-x-shop-x-team-shop.svc.cluster.local:6443',
      access: 'a',
    },
  },
};
export const running = (changes: Partial<LifecycleObservation['live']> = {}): LifecycleObservation['live'] => ({
  statefulSet: statefulSet(ROLLED_OUT),
  services: [],
  configMaps: [],
  pods: [READY_POD],
  claims: [CLAIM],
  workloads: 0,
  ...changes,
});
export const services = (): KubeObject[] => {
  const o = settled(observation({ secrets: MATERIAL }));
  return targetOf(o, RELEASES[1] ?? { version: '', image: '' }, 'd1').objects.filter((object) => kindOf(object) !== 'StatefulSet');
};
export const standing = (changes: Partial<LifecycleObservation['live']> = {}): LifecycleObservation['live'] => {
  const others = services();
  return running({
    services: others.filter((object) => kindOf(object) === 'Service'),
    configMaps: others.filter((object) => kindOf(object) === 'ConfigMap'),
    ...changes,
  });
};
export const WAS_READY = { status: { kubernetesVersion: 'v1.34.2+k3s1' } };
export const config = (object: KubeObject): LifecycleObservation['config'] => configState(object, PROFILE, POLICY, HOST);
export const of = (spec: JsonObject, changes: Partial<LifecycleObservation> = {}): Partial<LifecycleObservation> => {
  const object = tenantCluster(spec);
  return { tenantCluster: object, config: config(object), ...changes };
};

/** A tenant that served one version, and is asked for another. */
export const to = (kubernetesVersion: string, release: number, served = 'v1.34.2+k3s1'): Partial<LifecycleObservation> => ({
  ...of({ kubernetesVersion }),
  tenantCluster: { ...tenantCluster({ kubernetesVersion }), status: { kubernetesVersion: served } },
  release: RELEASES[release],
  secrets: PUBLISHED,
});
/** On its way to 1.35, whose image no node can pull. */
export const broken = (): LifecycleObservation['live'] =>
  standing({ statefulSet: statefulSet({}, { release: RELEASES[2] }), pods: [waiting('ImagePullBackOff')] });
export const foreignService = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Service', metadata: { name, uid: 'theirs' } });
export const UNREAD: LifecycleObservation['secrets'] = {
  authorities: { state: 'unknown' },
  token: { state: 'unknown', ours: false },
  kubeconfig: { state: 'unknown', ours: false },
  datastore: 'absent',
};
export const AUTHORITIES: Extract<LifecycleObservation['secrets']['authorities'], { state: 'present' }> = {
  state: 'present',
  ours: true,
  digest: 'd1',
  lifetimes: [],
};
/** A StatefulSet whose version somebody edited. */
export const saying = (version: string): KubeObject => {
  const made = statefulSet(ROLLED_OUT);
  const metadata = objectAt(made, 'metadata') ?? {};
  const annotations = { ...objectAt(metadata, 'annotations'), 'tenantplane.io/kubernetes-version': version };
  return { ...made, metadata: { ...metadata, annotations } };
};
