import { describe, expect, test } from 'vitest';
import { CONDITIONS } from '../../../../src/core/controlplane/lifecycle/condition-reasons.ts';
import { decide } from '../../../../src/core/controlplane/lifecycle/decide.ts';
import type { LifecycleObservation, NamespaceState } from '../../../../src/core/controlplane/lifecycle/observation.ts';
import { statusOf } from '../../../../src/core/controlplane/lifecycle/status.ts';
import { objectsOf } from '../../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../../src/core/kube/object.ts';
import { MATERIAL, observation, tenantCluster } from '../../../support/lifecycle.ts';
import { CASES } from '../../../support/lifecycle-cases.ts';
import { ANSWERS, of, PUBLISHED, pod, standing, statefulSet, WAS_READY } from '../../../support/lifecycle-states.ts';

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

  test('of several servers the one that ends again and again is told of with its last words, though the others serve', () => {
    const asked = of({ controlPlane: { replicas: 3, datastore: { type: 'etcd' } } });
    const words = 'level=info msg=Starting\nlevel=fatal msg="ETCD join failed: duplicate node name found"\n';
    const crashing = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { message: words } } };
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
    const pods = [pod({ containerStatuses: [{ name: 'k3s', ...crashing }] }), pod(ready), pod(ready)];
    const set = statefulSet(
      { observedGeneration: 1, currentRevision: 'r', updateRevision: 'r', updatedReplicas: 3, readyReplicas: 2 },
      asked,
    );
    const o = observation({ ...asked, secrets: PUBLISHED, live: standing({ statefulSet: set, pods }), api: ANSWERS });
    const conditions = objectsOf(statusOf(o.tenantCluster, decide(o), o.now)['conditions']);
    const message = (type: string): unknown => conditions.find((each) => each['type'] === type)?.['message'];
    expect(message('ControlPlaneReady')).toBe('2 of 3 servers are ready; Kubernetes v1.34.2+k3s1.');
    expect(message('Reconciling')).toContain('It said last: level=fatal msg="ETCD join failed: duplicate node name found"');
    expect(message('Reconciling')).not.toContain('msg=Starting');
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
