import { configState } from '../../src/core/controlplane/lifecycle/config-state.ts';
import type { LifecycleDecision } from '../../src/core/controlplane/lifecycle/decide.ts';
import type { LifecycleObservation } from '../../src/core/controlplane/lifecycle/observation.ts';
import { MATERIAL, NOW, observation, POLICY, PROFILE, RELEASES, tenantCluster } from './lifecycle.ts';
import {
  ANSWERS,
  AUTHORITIES,
  DAY,
  HOST,
  of,
  PUBLISHED,
  pod,
  running,
  saying,
  standing,
  statefulSet,
  UNREAD,
  WAS_READY,
  waiting,
} from './lifecycle-standing.ts';

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
