import { objectAt } from '../../src/core/kube/json.ts';
import { type KubeObject, kindOf } from '../../src/core/kube/object.ts';
import { MATERIAL, NOW, tenantCluster } from './lifecycle.ts';
import { ANSWERS, type Case, DAY, PUBLISHED, running, standing, statefulSet, WAS_READY } from './lifecycle-states.ts';

const BROKEN = { state: 'broken', ours: true, problems: ['server-ca.key is missing'] } as const;

/** The objects of a control plane, with fields of the spec of one of them as somebody else made them. */
function made(kind: string, spec: KubeObject): Case['given'] {
  const change = (object: KubeObject): KubeObject =>
    kindOf(object) === kind ? { ...object, ...spec, spec: { ...objectAt(object, 'spec'), ...objectAt(spec, 'spec') } } : object;
  const { services, configMaps } = standing();
  return {
    secrets: PUBLISHED,
    api: ANSWERS,
    live: running({ statefulSet: change(statefulSet()), services: services.map(change), configMaps: configMaps.map(change) }),
  };
}

/** What people, backups and other tools leave under a control plane’s names, and in what it says of itself. */
export const FAULTS: readonly Case[] = [
  {
    name: 'authorities of this tenant that are no authorities',
    given: { tenantCluster: { ...tenantCluster(), ...WAS_READY }, secrets: { ...PUBLISHED, authorities: BROKEN }, live: standing() },
    shows: { Stalled: 'AuthoritiesBroken', Ready: 'AuthoritiesBroken' },
    phase: 'Degraded',
    actions: [],
  },
  {
    name: 'a token of this tenant that is none, before anything was started with it',
    given: { secrets: { ...MATERIAL, token: { ...BROKEN, problems: ['token is missing'] } } },
    shows: { Stalled: 'AuthoritiesBroken' },
    phase: 'Pending',
    actions: [],
  },
  {
    name: 'authorities of somebody else that are no authorities',
    given: { secrets: { ...MATERIAL, authorities: { ...BROKEN, ours: false } } },
    shows: { Stalled: 'ObjectForeign' },
    actions: [],
  },
  {
    name: 'a kubeconfig’s Secret that takes no other content, once it is due',
    given: {
      secrets: { ...PUBLISHED, kubeconfig: { ...PUBLISHED.kubeconfig, fixed: 'is immutable' } },
      live: standing(),
      api: ANSWERS,
      now: NOW + 5 * DAY,
    },
    shows: { Stalled: 'ObjectFixed' },
    actions: [],
  },
  {
    name: 'a kubeconfig’s Secret that takes no other content, and needs none yet',
    given: { secrets: { ...PUBLISHED, kubeconfig: { ...PUBLISHED.kubeconfig, fixed: 'is immutable' } }, live: standing(), api: ANSWERS },
    shows: { Ready: 'Succeeded' },
    actions: [],
  },
  {
    name: 'a kubeconfig whose annotations say that it lasts for years',
    given: {
      secrets: {
        ...PUBLISHED,
        kubeconfig: {
          ...PUBLISHED.kubeconfig,
          ...(PUBLISHED.kubeconfig.issued !== undefined && {
            issued: { ...PUBLISHED.kubeconfig.issued, notAfter: PUBLISHED.kubeconfig.issued.notAfter + 3650 * DAY },
          }),
        },
      },
      live: standing(),
      api: ANSWERS,
    },
    shows: { ControlPlaneReady: 'Available' },
    actions: ['publish-kubeconfig'],
  },
  {
    name: 'a StatefulSet that selects other pods',
    given: made('StatefulSet', { spec: { selector: { matchLabels: { app: 'other' } } } }),
    shows: { Stalled: 'ObjectFixed' },
    actions: [],
  },
  {
    name: 'a Service with an address where a headless one is needed',
    given: made('Service', { spec: { clusterIP: '10.0.0.1' } }),
    shows: { Stalled: 'ObjectFixed' },
    actions: [],
  },
  {
    name: 'a ConfigMap that takes no other content',
    given: made('ConfigMap', { immutable: true, data: { other: 'content' } }),
    shows: { Stalled: 'ObjectFixed' },
    actions: [],
  },
  {
    name: 'a ConfigMap that takes no other content, and has the one that is needed',
    given: made('ConfigMap', { immutable: true }),
    shows: { ControlPlaneReady: 'Available' },
  },
];
