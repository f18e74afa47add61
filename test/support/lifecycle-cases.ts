import { configState } from '../../src/core/controlplane/lifecycle/config-state.ts';
import type { LifecycleDecision } from '../../src/core/controlplane/lifecycle/decide.ts';
import type { LifecycleObservation } from '../../src/core/controlplane/lifecycle/observation.ts';
import { targetOf } from '../../src/core/controlplane/lifecycle/target.ts';
import { type JsonObject, objectAt } from '../../src/core/kube/json.ts';
import { type KubeObject, kindOf } from '../../src/core/kube/object.ts';
import { resolveHost } from '../../src/core/plan/host-facts.ts';
import { MATERIAL, NOW, observation, POLICY, PROFILE, RELEASES, settled, tenantCluster } from './lifecycle.ts';

const DAY = 86_400_000;
const HOST = resolveHost({});

/** A StatefulSet as this very code would have made it, with what Kubernetes says of it. */
function statefulSet(status: JsonObject = {}, from: Partial<LifecycleObservation> = {}): KubeObject {
  const o = settled(observation({ secrets: MATERIAL, ...from }));
  const release = o.release;
  if (release === undefined) throw new Error('no release');
  const made = targetOf(o, release, 'd1').objects.find((object) => kindOf(object) === 'StatefulSet');
  if (made === undefined) throw new Error('no StatefulSet');
  const metadata = { ...(made['metadata'] as JsonObject), uid: 's', generation: 1, creationTimestamp: '2026-03-01T11:59:50Z' };
  return { ...made, metadata, status };
}

const ROLLED_OUT: JsonObject = { observedGeneration: 1, currentRevision: 'r', updateRevision: 'r', updatedReplicas: 1, readyReplicas: 1 };

function pod(status: JsonObject): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'control-plane-0', labels: { 'app.kubernetes.io/managed-by': 'tenantplane' } },
    status,
  };
}
const READY_POD = pod({ podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] });
const waiting = (reason: string, message = ''): KubeObject =>
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

export const ANSWERS: LifecycleObservation['api'] = {
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
      notAfter: NOW + 29 * DAY,
      authorities: 'd1',
      server: 'https://shop-control-plane.cp-x-shop-x-team-shop.svc.cluster.local:6443',
      access: 'a',
    },
  },
};
const running = (changes: Partial<LifecycleObservation['live']> = {}): LifecycleObservation['live'] => ({
  statefulSet: statefulSet(ROLLED_OUT),
  services: [],
  configMaps: [],
  pods: [READY_POD],
  claims: [CLAIM],
  workloads: 0,
  ...changes,
});
const services = (): KubeObject[] => {
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
const config = (object: KubeObject): LifecycleObservation['config'] => configState(object, PROFILE, POLICY, HOST);
const of = (spec: JsonObject, changes: Partial<LifecycleObservation> = {}): Partial<LifecycleObservation> => {
  const object = tenantCluster(spec);
  return { tenantCluster: object, config: config(object), ...changes };
};

/** A tenant that served one version, and is asked for another. */
const to = (kubernetesVersion: string, release: number, served = 'v1.34.2+k3s1'): Partial<LifecycleObservation> => ({
  ...of({ kubernetesVersion }),
  tenantCluster: { ...tenantCluster({ kubernetesVersion }), status: { kubernetesVersion: served } },
  release: RELEASES[release],
  secrets: PUBLISHED,
});
/** On its way to 1.35, whose image no node can pull. */
const broken = (): LifecycleObservation['live'] =>
  standing({ statefulSet: statefulSet({}, { release: RELEASES[2] }), pods: [waiting('ImagePullBackOff')] });
const foreignService = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Service', metadata: { name, uid: 'theirs' } });
const UNREAD: LifecycleObservation['secrets'] = {
  authorities: { state: 'unknown' },
  token: { state: 'unknown', ours: false },
  kubeconfig: { state: 'unknown', ours: false },
  datastore: 'absent',
};
const AUTHORITIES = { state: 'present', ours: true, digest: 'd1', lifetimes: [] } as const;
/** A StatefulSet whose version somebody edited. */
const saying = (version: string): KubeObject => {
  const made = statefulSet(ROLLED_OUT);
  const metadata = objectAt(made, 'metadata') ?? {};
  const annotations = { ...objectAt(metadata, 'annotations'), 'tenantplane.io/kubernetes-version': version };
  return { ...made, metadata: { ...metadata, annotations } };
};

export interface Case {
  readonly name: string;
  readonly given: Partial<LifecycleObservation>;
  /** the conditions that matter, by type */
  readonly shows: Readonly<Record<string, string>>;
  readonly phase?: LifecycleDecision['phase'];
  readonly actions?: readonly string[];
}

export const CASES: readonly Case[] = [
  {
    name: 'nothing is there yet: authorities and token first',
    given: {},
    shows: { Ready: 'Progressing', Reconciling: 'Provisioning', ControlPlaneReady: 'NotStarted', IsolationEnforced: 'Enforced' },
    phase: 'Pending',
    actions: ['make-authorities', 'make-token'],
  },
  {
    name: 'a finalizer before anything else',
    given: { tenantCluster: tenantCluster({}, { finalizers: ['others'] }) },
    shows: { Reconciling: 'Provisioning' },
    actions: ['add-finalizer', 'make-authorities', 'make-token'],
  },
  {
    name: 'with its material, the objects',
    given: { secrets: MATERIAL },
    shows: { Reconciling: 'Provisioning', CertificatesValid: 'Valid' },
    phase: 'Pending',
  },
  {
    name: 'its pods start',
    given: { secrets: MATERIAL, live: standing({ statefulSet: statefulSet(), pods: [pod({})] }) },
    shows: { Ready: 'Progressing', ControlPlaneReady: 'Starting', Reconciling: 'Provisioning' },
    phase: 'Provisioning',
    actions: [],
  },
  {
    name: 'it answers: the kubeconfig',
    given: { secrets: MATERIAL, live: standing(), api: ANSWERS },
    shows: { ControlPlaneReady: 'Available' },
    actions: ['publish-kubeconfig'],
  },
  {
    name: 'all is as it should be, and nothing is done',
    given: { secrets: PUBLISHED, live: standing(), api: ANSWERS },
    shows: { Ready: 'Succeeded', ControlPlaneReady: 'Available', IsolationEnforced: 'Enforced', CertificatesValid: 'Valid' },
    phase: 'Ready',
    actions: [],
  },
  {
    name: 'another load balancer’s address',
    given: {
      ...of({ controlPlane: { expose: { loadBalancer: true } } }),
      secrets: PUBLISHED,
      api: ANSWERS,
      live: standing(),
    },
    shows: { Reconciling: 'Provisioning' },
  },
  {
    name: 'a profile that is not on the host',
    given: { config: configState(tenantCluster(), undefined, POLICY, HOST) },
    shows: { Stalled: 'ProfileMissing', Ready: 'ProfileMissing', IsolationEnforced: 'NotVerified' },
    phase: 'Pending',
    actions: [],
  },
  {
    name: 'a policy that is not on the host',
    given: { config: configState(tenantCluster(), PROFILE, undefined, HOST) },
    shows: { Stalled: 'PolicyMissing' },
    actions: [],
  },
  { name: 'a spec that is not legal', given: of({ mode: 'none' }), shows: { Stalled: 'Invalid' }, actions: [] },
  { name: 'mode private', given: of({ mode: 'private' }), shows: { Stalled: 'ModeNotImplemented' }, actions: [] },
  { name: 'a second tenant of a namespace', given: { elders: ['other'] }, shows: { Stalled: 'NamespaceShared' }, actions: [] },
  {
    name: 'the control plane’s namespace is another’s',
    given: { namespaces: { workload: 'ours', controlPlane: 'foreign' } },
    shows: { Stalled: 'NamespaceForeign' },
    actions: [],
  },
  {
    name: 'the control plane’s namespace is not there yet',
    given: { namespaces: { workload: 'ours', controlPlane: 'missing' } },
    shows: { Reconciling: 'DependencyNotReady', Ready: 'Progressing' },
    phase: 'Pending',
    actions: [],
  },
  {
    name: 'a boundary that lacks an object',
    given: { boundary: { kind: 'verified', enforced: false, missing: 1, problems: ['NetworkPolicy x is not there.'] } },
    shows: { IsolationEnforced: 'BoundaryMissing', Reconciling: 'DependencyNotReady' },
    actions: [],
  },
  {
    name: 'a boundary that drifts while it runs: nothing is changed, and it says so',
    given: {
      tenantCluster: { ...tenantCluster(), ...WAS_READY },
      secrets: PUBLISHED,
      live: standing(),
      api: ANSWERS,
      boundary: { kind: 'verified', enforced: false, missing: 0, problems: ['NetworkPolicy x opens egress.'] },
    },
    shows: { IsolationEnforced: 'BoundaryDrifted', Ready: 'BoundaryDrifted' },
    phase: 'Degraded',
    actions: [],
  },
  {
    name: 'a boundary that the reconciler applies itself',
    given: {
      ...of({ delivery: 'controller' }),
      boundary: {
        kind: 'verified',
        enforced: false,
        missing: 1,
        problems: ['x'],
        delivery: { apply: [{ object: { kind: 'NetworkPolicy', metadata: { name: 'x' } }, standing: false }], remove: [], teardown: [] },
      },
    },
    shows: { Reconciling: 'DependencyNotReady' },
    actions: ['apply'],
  },
  {
    name: 'a mode that changes without consent',
    given: {
      ...of({ mode: 'dedicated', nodePool: { nodeSelector: { pool: 'shop' } } }),
      secrets: PUBLISHED,
      live: standing(),
      api: ANSWERS,
    },
    shows: { Stalled: 'ModeChangeRefused', ControlPlaneReady: 'Available' },
    actions: [],
  },
  {
    name: 'a version that nobody has tested',
    given: { ...of({ kubernetesVersion: '1.29' }), release: undefined },
    shows: { Stalled: 'VersionUnsupported' },
    actions: [],
  },
  {
    name: 'an older version',
    given: { ...of({ kubernetesVersion: '1.33' }), release: RELEASES[0], secrets: PUBLISHED, live: standing(), api: ANSWERS },
    shows: { Stalled: 'DowngradeRefused' },
    actions: [],
  },
  {
    name: 'a newer version',
    given: {
      ...of({ kubernetesVersion: '1.36' }),
      tenantCluster: { ...tenantCluster({ kubernetesVersion: '1.36' }), ...WAS_READY },
      release: RELEASES[3],
      secrets: PUBLISHED,
      live: standing(),
      api: ANSWERS,
    },
    shows: { Reconciling: 'Upgrading' },
    actions: ['apply'],
  },
  {
    name: 'another size of the volume',
    given: { ...of({ controlPlane: { storage: { size: '5Gi' } } }), secrets: PUBLISHED, live: standing(), api: ANSWERS },
    shows: { Stalled: 'ImmutableChange' },
    actions: [],
  },
  {
    name: 'other resources of the servers',
    given: {
      ...of({ controlPlane: { resources: { limits: { cpu: '2' } } } }),
      tenantCluster: { ...tenantCluster({ controlPlane: { resources: { limits: { cpu: '2' } } } }), ...WAS_READY },
      secrets: PUBLISHED,
      live: standing(),
      api: ANSWERS,
    },
    shows: { Reconciling: 'Updating' },
    phase: 'Provisioning',
    actions: ['apply'],
  },
  {
    name: 'authorities that are gone while the volume that was made with them is there',
    given: { live: running({ pods: [] }) },
    shows: { Stalled: 'AuthoritiesLost' },
    actions: [],
  },
  {
    name: 'a Secret of somebody else under our name',
    given: { secrets: { ...MATERIAL, token: { state: 'present', ours: false } } },
    shows: { Stalled: 'ObjectForeign' },
    actions: [],
  },
  {
    name: 'a Service of somebody else under our name',
    given: { secrets: MATERIAL, live: standing({ services: [foreignService('shop-control-plane')] }) },
    shows: { Stalled: 'ObjectForeign' },
    actions: [],
  },
  {
    name: 'a Service of somebody else under a name that is not needed: it is neither in the way nor deleted',
    given: {
      secrets: PUBLISHED,
      api: ANSWERS,
      live: standing({ services: [...standing().services, foreignService('control-plane-external'), foreignService('theirs')] }),
    },
    shows: { Ready: 'Succeeded' },
    actions: [],
  },
  {
    name: 'a database whose Secret is not there',
    given: of({ controlPlane: { datastore: { type: 'postgres', secretRef: { name: 'db' } } } }),
    shows: { Stalled: 'DatastoreSecretMissing' },
    actions: [],
  },
  {
    name: 'a host without a default StorageClass',
    given: { storageClasses: { names: new Set(), hasDefault: false } },
    shows: { Stalled: 'StorageClassMissing' },
    actions: [],
  },
  {
    name: 'a paused tenant',
    given: { tenantCluster: tenantCluster({}, { annotations: { 'tenantplane.io/paused': 'true' } }) },
    shows: { Paused: 'User' },
    actions: [],
  },
  {
    name: 'an image that cannot be pulled',
    given: { secrets: MATERIAL, live: standing({ pods: [waiting('ImagePullBackOff', 'no such host')] }) },
    shows: { ControlPlaneReady: 'ImagePullFailing', Reconciling: 'Provisioning' },
  },
  {
    name: 'the version before one whose image cannot be pulled: nothing of that one ever ran',
    given: { ...to('1.34', 1), live: broken() },
    shows: { ControlPlaneReady: 'ImagePullFailing', Reconciling: 'Updating' },
    phase: 'Degraded',
    actions: ['apply'],
  },
  {
    name: 'a newer version than one whose image cannot be pulled',
    given: { ...to('1.36', 3), live: broken() },
    shows: { ControlPlaneReady: 'ImagePullFailing', Reconciling: 'Upgrading' },
    actions: [],
  },
  {
    name: 'an older version than one that ran before its image could not be pulled any more',
    given: { ...to('1.34', 1, 'v1.35.0+k3s1'), live: broken() },
    shows: { Stalled: 'DowngradeRefused' },
    actions: [],
  },
  {
    name: 'a server that ends again and again',
    given: {
      tenantCluster: { ...tenantCluster(), ...WAS_READY },
      secrets: MATERIAL,
      live: standing({ pods: [waiting('CrashLoopBackOff')] }),
    },
    shows: { ControlPlaneReady: 'Crashing', Ready: 'Crashing' },
    phase: 'Degraded',
  },
  {
    name: 'a pod that no node takes',
    given: {
      secrets: MATERIAL,
      live: standing({ pods: [pod({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes are available' }] })] }),
    },
    shows: { ControlPlaneReady: 'PodUnschedulable' },
  },
  {
    name: 'a pod that is never made',
    given: { secrets: MATERIAL, live: standing({ pods: [] }), now: NOW + 60_000 },
    shows: { ControlPlaneReady: 'PodRefused' },
  },
  {
    name: 'a pod that goes, with none in its place yet',
    given: {
      tenantCluster: {
        ...tenantCluster(),
        status: {
          kubernetesVersion: 'v1.34.2+k3s1',
          conditions: [{ type: 'ControlPlaneReady', status: 'True', reason: 'Available', lastTransitionTime: '2026-02-01T00:00:00Z' }],
        },
      },
      secrets: PUBLISHED,
      now: NOW + DAY,
      live: standing({ pods: [] }),
    },
    shows: { ControlPlaneReady: 'Starting' },
  },
  {
    name: 'servers that are ready and do not answer',
    given: { secrets: MATERIAL, live: standing(), api: { kind: 'failed', why: 'no answer in 5 s' } },
    shows: { ControlPlaneReady: 'Unreachable' },
  },
  {
    name: 'certificates of the servers near their end',
    given: {
      tenantCluster: { ...tenantCluster(), ...WAS_READY },
      secrets: PUBLISHED,
      live: standing(),
      api: { ...ANSWERS, serving: { name: 'serving', notBefore: NOW - 300 * DAY, notAfter: NOW + 65 * DAY } },
    },
    shows: { Reconciling: 'RollingRestart', CertificatesValid: 'RenewalDue' },
    actions: ['apply'],
  },
  {
    name: 'a certificate that has expired',
    given: {
      secrets: PUBLISHED,
      live: standing(),
      api: { ...ANSWERS, serving: { name: 'serving', notBefore: NOW - 366 * DAY, notAfter: NOW - DAY } },
    },
    shows: { CertificatesValid: 'Expired' },
  },
  {
    name: 'a kubeconfig past two thirds of its life',
    given: { secrets: PUBLISHED, live: standing(), api: ANSWERS, now: NOW + 25 * DAY },
    shows: { ControlPlaneReady: 'Available' },
    actions: ['publish-kubeconfig'],
  },
  {
    name: 'a tenant that is deleted: its servers first',
    given: {
      tenantCluster: tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }),
      secrets: PUBLISHED,
      live: standing(),
      api: ANSWERS,
    },
    shows: { Reconciling: 'Deleting' },
    actions: ['delete'],
  },
  {
    name: 'a deleted tenant of which nothing is left',
    given: { tenantCluster: tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }) },
    shows: { Reconciling: 'Deleting' },
    actions: ['remove-finalizer'],
  },
  {
    name: 'a deleted tenant whose kubeconfig could not be read: it is not left behind',
    given: {
      tenantCluster: tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }),
      secrets: { ...observation().secrets, kubeconfig: { state: 'unknown', ours: false } },
    },
    shows: { Reconciling: 'Deleting' },
    actions: [],
  },
  {
    name: 'a deleted tenant whose control plane’s namespace never came, so that no Role lets Secrets be read',
    given: {
      tenantCluster: tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }),
      namespaces: { workload: 'ours', controlPlane: 'missing' },
      secrets: UNREAD,
    },
    shows: { Reconciling: 'Deleting' },
    actions: ['remove-finalizer'],
  },
  {
    name: 'authorities that are no longer those that the servers were made with: what runs is left as it is',
    given: {
      secrets: { ...PUBLISHED, authorities: { ...AUTHORITIES, digest: 'd2' } },
      live: standing(),
      api: { kind: 'failed', why: 'certificate signed by unknown authority' },
    },
    shows: { Stalled: 'AuthoritiesLost' },
    actions: [],
  },
  {
    name: 'an older version, with the version that the StatefulSet says of itself edited to it',
    given: {
      ...of({ kubernetesVersion: '1.33' }),
      release: RELEASES[0],
      secrets: PUBLISHED,
      live: standing({ statefulSet: saying('1.33.1') }),
      api: ANSWERS,
    },
    shows: { Stalled: 'DowngradeRefused' },
    actions: [],
  },
  {
    name: 'a kubeconfig that was made by a clock that went ahead',
    given: { secrets: PUBLISHED, live: standing(), api: ANSWERS, now: NOW - 2 * DAY },
    shows: { ControlPlaneReady: 'Available' },
    actions: ['publish-kubeconfig'],
  },
];
