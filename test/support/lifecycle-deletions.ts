import { observation, tenantCluster } from './lifecycle.ts';
import { ANSWERS, type Case, PUBLISHED, standing, UNREAD, WAS_READY } from './lifecycle-states.ts';

/** A tenant that is being deleted, and what it waits for. */
export const DELETIONS: readonly Case[] = [
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
    shows: { Stalled: 'AccessMissing' },
    actions: [],
  },
  {
    name: 'a deleted tenant whose Role went first: nothing is tried that the host would refuse',
    given: {
      tenantCluster: { ...tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }), ...WAS_READY },
      secrets: UNREAD,
      access: { missing: ['Role tenantplane-reconciler'] },
      live: standing(),
    },
    shows: { Stalled: 'AccessMissing', Ready: 'AccessMissing' },
    phase: 'Degraded',
    actions: [],
  },
  {
    name: 'a deleted tenant whose Role went with its namespace, which is going',
    given: {
      tenantCluster: tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }),
      namespaces: { workload: 'ours', controlPlane: 'terminating' },
      secrets: UNREAD,
    },
    shows: { Reconciling: 'Deleting' },
    actions: [],
  },
  {
    name: 'a paused tenant that is deleted: nothing is taken down',
    given: {
      tenantCluster: tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z', annotations: { 'tenantplane.io/paused': 'true' } }),
      secrets: PUBLISHED,
      live: standing(),
      api: ANSWERS,
    },
    shows: { Paused: 'DeletionHeld', ControlPlaneReady: 'Available' },
    actions: [],
  },
  {
    name: 'a deleted tenant whose authorities cannot be read as any: they are its own, and go',
    given: {
      tenantCluster: tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }),
      secrets: { ...observation().secrets, authorities: { state: 'broken', ours: true, problems: ['server-ca.key is missing'] } },
    },
    shows: { Reconciling: 'Deleting' },
    actions: ['delete-secret'],
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
];
