import { describe, expect, test } from 'vitest';
import { CONDITIONS } from '../../../../src/core/controlplane/lifecycle/condition-reasons.ts';
import { decide } from '../../../../src/core/controlplane/lifecycle/decide.ts';
import type { LifecycleObservation, NamespaceState } from '../../../../src/core/controlplane/lifecycle/observation.ts';
import { statusOf } from '../../../../src/core/controlplane/lifecycle/status.ts';
import { at, objectAt, objectsOf, stringAt } from '../../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../../src/core/kube/object.ts';
import { MATERIAL, NOW, observation, tenantCluster } from '../../../support/lifecycle.ts';
import { CASES } from '../../../support/lifecycle-cases.ts';
import { ANSWERS, DAY, of, PUBLISHED, pod, standing, statefulSet, UNREAD, WAS_READY } from '../../../support/lifecycle-states.ts';

function conditionsOf(given: Partial<LifecycleObservation>): ReadonlyMap<string, string> {
  const o = observation(given);
  const status = statusOf(o.tenantCluster, decide(o), o.now);
  return new Map(objectsOf(status['conditions']).map(({ type, reason }) => [String(type), String(reason)]));
}

describe('what a pass decides', () => {
  test.each(CASES)('$name', ({ given, shows, phase, actions }) => {
    const decision = decide(observation(given));
    expect(Object.fromEntries(Object.keys(shows).map((type) => [type, conditionsOf(given).get(type)]))).toEqual(shows);
    if (phase !== undefined) expect(decision.phase).toBe(phase);
    if (actions !== undefined) expect(decision.actions.map((action) => action.do)).toEqual(actions);
  });

  test('each reason of each condition is reached by a case', () => {
    const reached = new Set(CASES.flatMap(({ given }) => [...conditionsOf(given)].map(([type, reason]) => `${type} ${reason}`)));
    const known = Object.entries(CONDITIONS).flatMap(([type, { reasons }]) => Object.keys(reasons).map((reason) => `${type} ${reason}`));
    expect(known.filter((each) => !reached.has(each))).toEqual([]);
  });

  test('what waits for a Secret looks again by itself, since Secrets are not watched', () => {
    const lost = { secrets: { ...PUBLISHED, authorities: { state: 'absent' as const } }, live: standing() };
    expect(decide(observation(lost)).lookAgain).toBe(10_000);
    expect(decide(observation({ secrets: PUBLISHED, live: standing(), api: ANSWERS })).lookAgain).toBeUndefined();
  });

  test('a pod that no node takes yet is no news while volumes are bound, and is told of soon after', () => {
    const unscheduled = (created: string): Partial<LifecycleObservation> => {
      const conditions = [{ type: 'PodScheduled', status: 'False', message: 'unbound claims' }];
      const pod = { kind: 'Pod', metadata: { name: 'control-plane-0', creationTimestamp: created }, status: { conditions } };
      return { secrets: MATERIAL, live: standing({ pods: [pod] }) };
    };
    const reason = (given: Partial<LifecycleObservation>): string | undefined => conditionsOf(given).get('ControlPlaneReady');
    expect(reason(unscheduled('2026-03-01T11:59:50Z'))).toBe('Starting');
    expect(decide(observation(unscheduled('2026-03-01T11:59:50Z'))).lookAgain).toBe(21_000);
    expect(reason(unscheduled('2026-03-01T11:59:00Z'))).toBe('PodUnschedulable');
    expect(decide(observation(unscheduled('2026-03-01T11:59:00Z'))).ready.message).toContain('unbound claims');
  });

  test('a time of the last restart that is none is replaced by one', () => {
    const set = standing().statefulSet;
    const template = objectAt(set, 'spec', 'template', 'metadata', 'annotations') ?? {};
    template['tenantplane.io/restarted-at'] = 'garbage';
    const serving = { name: 'serving', notBefore: NOW - 300 * DAY, notAfter: NOW + 65 * DAY };
    const old = {
      tenantCluster: { ...tenantCluster(), ...WAS_READY },
      secrets: PUBLISHED,
      live: standing({ ...(set && { statefulSet: set }) }),
    };
    const { actions } = decide(observation({ ...old, api: { ...ANSWERS, serving } }));
    const [applied] = actions.flatMap((action) => (action.do === 'apply' ? [action.object] : []));
    expect(at(applied, 'spec', 'template', 'metadata', 'annotations', 'tenantplane.io/restarted-at')).toBe(new Date(NOW).toISOString());
  });

  test('a time in the status that cannot be is no time to count from, and is written anew', () => {
    const since = (lastTransitionTime: string): KubeObject => ({
      ...tenantCluster(),
      status: { conditions: [{ type: 'ControlPlaneReady', status: 'False', reason: 'PodRefused', lastTransitionTime }] },
    });
    const refused = (lastTransitionTime: string): readonly [string | undefined, string | undefined] => {
      const given = { tenantCluster: since(lastTransitionTime), secrets: MATERIAL, live: standing({ pods: [] }), now: NOW + DAY };
      const o = observation(given);
      const found = objectsOf(statusOf(o.tenantCluster, decide(o), o.now)['conditions']).find(({ type }) => type === 'ControlPlaneReady');
      return [stringAt(found, 'reason'), stringAt(found, 'lastTransitionTime')];
    };
    expect(refused('2026-03-01T12:00:00Z')).toEqual(['PodRefused', '2026-03-01T12:00:00Z']);
    expect(refused('2126-03-01T12:00:00Z')).toEqual(['PodRefused', '2026-03-02T12:00:00Z']);
    expect(refused('garbage')).toEqual(['PodRefused', '2026-03-02T12:00:00Z']);
  });

  test('what keeps the reconciler from its Secrets is named, with where it is to be', () => {
    const says = (given: Partial<LifecycleObservation>): string | undefined =>
      decide(
        observation({ tenantCluster: tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }), secrets: UNREAD, ...given }),
      ).found.find(({ type }) => type === 'Stalled')?.message;
    const both = ['Role tenantplane-reconciler', 'RoleBinding tenantplane-reconciler'];
    expect(says({ access: { missing: both } })).toBe(
      'In cp-x-shop-x-team-shop, Role tenantplane-reconciler and RoleBinding tenantplane-reconciler are not there, so the Secrets of the control plane could not be read. Apply them again, or delete that namespace if nothing in it is to be kept: the deletion goes on then.',
    );
    expect(says({ access: { missing: [], refused: 'secrets "kubeconfig" is forbidden' } })).toContain(
      'Role tenantplane-reconciler does not let the reconciler in (secrets "kubeconfig" is forbidden)',
    );
    const started = decide(observation({ secrets: UNREAD, access: { missing: both }, live: standing() }));
    expect(started.found.find(({ type }) => type === 'Reconciling')?.message).toContain('are not there');
  });

  test('material that stays with a volume and is of no use says what is wrong with it', () => {
    const object = tenantCluster({ controlPlane: { storage: { onDelete: 'Retain' } } }, { deletionTimestamp: '2026-03-01T12:00:00Z' });
    const labels = { 'app.kubernetes.io/managed-by': 'tenantplane', 'tenantplane.io/role': 'control-plane' };
    const claim = { kind: 'PersistentVolumeClaim', metadata: { name: 'data-control-plane-0', namespace: 'cp', labels } };
    const secrets: LifecycleObservation['secrets'] = {
      ...MATERIAL,
      authorities: { state: 'broken', ours: true, problems: ['server-ca.key is missing'] },
    };
    expect(decide(observation({ tenantCluster: object, secrets, live: standing({ claims: [claim] }) })).leftovers).toEqual([
      'PersistentVolumeClaim cp/data-control-plane-0',
      'Secret control-plane-authorities (server-ca.key is missing)',
      'Secret control-plane-token',
    ]);
  });

  test('of several servers the one that ends again and again is told of with its last words, though the others serve', () => {
    const asked = of({ controlPlane: { replicas: 3, datastore: { type: 'etcd' } } });
    const words = 'level=info msg=Starting\nlevel=fatal msg="ETCD join failed: duplicate node name found"\n';
    const crashing = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { message: words } } };
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
    const pods = [pod({ containerStatuses: [{ name: 'k3s', ...crashing }] }), pod(ready), pod(ready)];
    const set = statefulSet(
      { observedGeneration: 1, currentRevision: 'r', updateRevision: 'r', updatedReplicas: 3, readyReplicas: 2, availableReplicas: 2 },
      asked,
    );
    const o = observation({ ...asked, secrets: PUBLISHED, live: standing({ statefulSet: set, pods }), api: ANSWERS });
    const conditions = objectsOf(statusOf(o.tenantCluster, decide(o), o.now)['conditions']);
    const message = (type: string): unknown => conditions.find((each) => each['type'] === type)?.['message'];
    expect(message('ControlPlaneReady')).toBe('2 of 3 servers are ready; Kubernetes v1.34.2+k3s1.');
    expect(message('Reconciling')).toContain('It said last: level=fatal msg="ETCD join failed: duplicate node name found"');
    expect(message('Reconciling')).not.toContain('msg=Starting');
  });

  test('servers that are ready, and not yet long enough to count, are changed once they count, since all would be replaced at once', () => {
    const etcd = (memory: string): Partial<LifecycleObservation> =>
      of({ controlPlane: { replicas: 3, datastore: { type: 'etcd' }, resources: { limits: { memory } } } });
    const applied = (availableReplicas: number): readonly [readonly string[], unknown] => {
      const status = {
        observedGeneration: 1,
        currentRevision: 'r',
        updateRevision: 'r',
        updatedReplicas: 3,
        readyReplicas: 3,
        availableReplicas,
      };
      const pods = [1, 2, 3].map(() => pod({ conditions: [{ type: 'Ready', status: 'True' }] }));
      const live = standing({ statefulSet: statefulSet(status, etcd('1Gi')), pods });
      const { actions, found } = decide(observation({ ...etcd('2Gi'), secrets: PUBLISHED, live, api: ANSWERS }));
      const kinds = actions.flatMap((action) => (action.do === 'apply' ? [String(action.object['kind'])] : []));
      return [kinds.filter((kind) => kind === 'StatefulSet'), found.find(({ type }) => type === 'Reconciling')?.reason];
    };
    expect(applied(2)).toEqual([[], 'Provisioning']);
    expect(applied(3)).toEqual([['StatefulSet'], 'Provisioning']);
  });

  test('an address outside is told only where the spec asks for one', () => {
    const status = { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } };
    const service = { kind: 'Service', metadata: { name: 'control-plane-external' }, status };
    const asked = tenantCluster({ controlPlane: { expose: { loadBalancer: true } } });
    const external = (object: KubeObject): string | undefined =>
      decide(observation({ tenantCluster: object, live: standing({ services: [service] }) })).externalEndpoint;
    expect([external(asked), external(tenantCluster())]).toEqual(['203.0.113.7', undefined]);
  });

  test('a tenant whose namespace never was its own can go, though its Secrets cannot be read there', () => {
    const gone = (controlPlane: NamespaceState): readonly string[] =>
      decide(
        observation({
          tenantCluster: tenantCluster({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }),
          namespaces: { workload: 'ours', controlPlane },
          secrets: { ...MATERIAL, authorities: { state: 'unknown' }, token: { state: 'unknown', ours: false } },
        }),
      ).actions.map((action) => action.do);
    expect([gone('missing'), gone('foreign'), gone('ours')]).toEqual([['remove-finalizer'], ['remove-finalizer'], []]);
  });

  test('a boundary that the reconciler applied goes before its own rights, and these are no loss then', () => {
    const [policy, binding] = ['NetworkPolicy', 'RoleBinding'].map((kind): KubeObject => ({ kind, metadata: { name: kind } }));
    const unreadable = { ...MATERIAL, authorities: { state: 'unknown' as const }, token: { state: 'unknown' as const, ours: false } };
    const bare: LifecycleObservation['secrets'] = {
      ...unreadable,
      authorities: { state: 'absent' },
      token: { state: 'absent', ours: false },
    };
    const does = (secrets: LifecycleObservation['secrets'], ...teardown: readonly (KubeObject | undefined)[]): readonly string[] => {
      const there = teardown.filter((object) => object !== undefined);
      const apply = binding === undefined || there.includes(binding) ? [] : [{ object: binding, standing: false }];
      const delivery = { apply, remove: [], teardown: there };
      const object = tenantCluster({ delivery: 'controller' }, { deletionTimestamp: '2026-03-01T12:00:00Z' });
      const boundary: LifecycleObservation['boundary'] = { kind: 'verified', enforced: true, missing: 0, problems: [], delivery };
      return decide(observation({ tenantCluster: object, boundary, secrets })).actions.map((action) =>
        'object' in action ? `${action.do} ${String(action.object['kind'])}` : action.do,
      );
    };
    expect(does(bare, policy, binding)).toEqual(['delete NetworkPolicy']);
    expect(does(bare, binding)).toEqual(['delete RoleBinding']);
    expect(does(unreadable)).toEqual(['remove-finalizer']);
    expect(does(unreadable, policy)).toEqual(['apply RoleBinding']);
  });

  test('a tenant that goes says what stays of a boundary that the reconciler applied', () => {
    const object = tenantCluster({ delivery: 'controller' }, { deletionTimestamp: '2026-03-01T12:00:00Z' });
    const stays = (given: Partial<LifecycleObservation>): readonly string[] =>
      decide(observation({ tenantCluster: object, ...given })).leftovers;
    const namespace = 'Namespace cp-x-shop-x-team-shop';
    expect(stays({})).toEqual([namespace]);
    expect(stays({ boundary: { kind: 'unknown', why: '' } })).toEqual([
      'its boundary, which is not known without its profile and policy',
      namespace,
    ]);
    expect(stays({ live: { ...standing(), workloads: 1 } })).toEqual([
      '1 pod of its workloads in team-shop',
      'the boundary around them',
      namespace,
    ]);
  });

  test('what is blocked while it never ran is pending; what ran is degraded', () => {
    const blocked = { storageClasses: { names: new Set<string>(), hasDefault: false } };
    expect(decide(observation(blocked)).phase).toBe('Pending');
    const later = {
      elders: ['other'],
      tenantCluster: { ...tenantCluster(), ...WAS_READY },
      secrets: PUBLISHED,
      live: standing(),
      api: ANSWERS,
    };
    expect(decide(observation(later)).phase).toBe('Degraded');
  });
});
