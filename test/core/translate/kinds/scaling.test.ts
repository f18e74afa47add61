import { describe, expect, it } from 'vitest';
import { MANAGED_BY } from '../../../../src/core/identity/metadata.ts';
import type { Json, JsonObject } from '../../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../../src/core/kube/object.ts';
import type { Overrides } from '../../context.ts';
import { make, ownLabels, type Result, run } from './kind.ts';

const budget = (spec: JsonObject, name = 'web') => make('policy/v1', 'PodDisruptionBudget', name, { spec });
const workload = (replicas: Json | undefined, kind = 'Deployment', labels: JsonObject = { app: 'web' }, namespace = 'default') =>
  make('apps/v1', kind, 'web', { spec: { ...(replicas !== undefined && { replicas }), template: { metadata: { labels } } } }, namespace);
const check = (spec: JsonObject, ...objects: KubeObject[]): Result =>
  run('PodDisruptionBudget.policy', budget({ selector: { matchLabels: { app: 'web' } }, ...spec }), { objects });

describe('a PodDisruptionBudget', () => {
  it('counts no pod of another tenant or virtual namespace', () => {
    expect(check({ minAvailable: 1 }, workload(3)).host('spec', 'selector')).toEqual({ matchLabels: { app: 'web', ...ownLabels() } });
    expect(check({ minAvailable: 1, selector: {} }).host('spec', 'selector')).toEqual({ matchLabels: ownLabels() });
  });

  it('without a selector still selects nothing', () => {
    expect(run('PodDisruptionBudget.policy', budget({ minAvailable: 1 })).host('spec', 'selector')).toBeUndefined();
    expect(run('PodDisruptionBudget.policy', budget({ minAvailable: 1, selector: null })).host('spec', 'selector')).toBeNull();
  });

  it('holds no node for a pod that is not ready', () => {
    expect(check({ minAvailable: 1 }).host('spec', 'unhealthyPodEvictionPolicy')).toBe('AlwaysAllow');
    expect(check({ minAvailable: 1, unhealthyPodEvictionPolicy: 'IfHealthyBudget' }).host('spec', 'unhealthyPodEvictionPolicy')).toBe(
      'AlwaysAllow',
    );
  });

  it.each<[string, JsonObject, KubeObject[]]>([
    ['maxUnavailable 0', { maxUnavailable: 0 }, []],
    ['maxUnavailable 0%', { maxUnavailable: '0%' }, []],
    ['maxUnavailable 0 as a bigint', { maxUnavailable: 0n }, []],
    ['minAvailable 100%', { minAvailable: '100%' }, []],
    ['minAvailable of all', { minAvailable: 2 }, [workload(2)]],
    ['minAvailable of more than all', { minAvailable: 5 }, [workload(2)]],
    ['minAvailable of the one pod that is the default', { minAvailable: 1 }, [workload(undefined)]],
    ['minAvailable that rounds up to all', { minAvailable: '51%' }, [workload(1)]],
    ['minAvailable of a set’s pods', { minAvailable: 3 }, [workload(3, 'StatefulSet')]],
    [
      'minAvailable of a lone pod',
      { minAvailable: 1 },
      [make('v1', 'Pod', 'p', { metadata: { name: 'p', namespace: 'default', labels: { app: 'web' } } })],
    ],
  ])('that forbids every eviction is refused: %s', (_, spec, objects) => {
    expect(check(spec, ...objects).refused).toEqual(['DrainBlocked']);
  });

  it.each<[string, JsonObject, KubeObject[]]>([
    ['maxUnavailable 1', { maxUnavailable: 1 }, [workload(1)]],
    ['maxUnavailable 1%', { maxUnavailable: '1%' }, [workload(1)]],
    ['minAvailable of one less', { minAvailable: 2 }, [workload(3)]],
    ['minAvailable 50% of two', { minAvailable: '50%' }, [workload(2)]],
    ['minAvailable with nothing to count', { minAvailable: 2 }, []],
    ['minAvailable where replicas are none', { minAvailable: 1 }, [workload(0)]],
    ['minAvailable of pods that a drain leaves alone', { minAvailable: 1 }, [workload(undefined, 'DaemonSet')]],
    ['minAvailable of another namespace’s pods', { minAvailable: 2 }, [workload(2, 'Deployment', { app: 'web' }, 'other')]],
    ['minAvailable of other pods', { minAvailable: 2 }, [workload(2, 'Deployment', { app: 'db' })]],
    ['neither', {}, [workload(1)]],
  ])('that allows one is not: %s', (_, spec, objects) => {
    expect(check(spec, ...objects).refused).toEqual([]);
  });

  it('that says both is refused', () => {
    expect(check({ minAvailable: 1, maxUnavailable: 1 }).refused).toEqual(['ObjectMalformed']);
  });

  it('on pods that have one already is refused, the second by name', () => {
    const selector = { matchLabels: { app: 'web' } };
    const first = budget({ selector, maxUnavailable: 1 }, 'a');
    expect(check({ maxUnavailable: 1 }, workload(3), first).refused).toEqual(['DrainBlocked']);
    expect(check({ maxUnavailable: 1 }, workload(3), first).params[0]?.['why']).toMatch(
      /^PodDisruptionBudget a selects pods of Deployment web too/,
    );
    expect(check({ maxUnavailable: 1 }, workload(3), budget({ selector, maxUnavailable: 1 }, 'z')).refused).toEqual([]);
    // The first does not stand, so the second does.
    expect(check({ maxUnavailable: 1 }, workload(3), budget({ selector, maxUnavailable: 0 }, 'a')).refused).toEqual([]);
  });

  it('gives way to none that never reaches the host', () => {
    const selector = { matchLabels: { app: 'web' } };
    const typo = budget({ selector, maxUnavailable: 1, minAvaliable: 1 }, 'a');
    const both = budget({ selector, maxUnavailable: 1, minAvailable: 1 }, 'a');
    const unlabelled = {
      ...budget({ selector, maxUnavailable: 1 }, 'a'),
      metadata: { name: 'a', namespace: 'default', labels: { 'a b': '' } },
    };
    for (const rival of [typo, both, unlabelled]) expect(check({ maxUnavailable: 1 }, workload(3), rival).refused).toEqual([]);
  });

  it('is judged beside thousands of others over thousands of workloads, in few words', () => {
    const many = Array.from({ length: 4000 }, (_, index) => budget({ selector: {}, minAvailable: 4000 }, `b${index}`));
    const workloads = Array.from({ length: 4000 }, (_, index) =>
      make('apps/v1', 'Deployment', `w${index}`, { spec: { replicas: 1, template: { metadata: { labels: { app: 'web' } } } } }),
    );
    const result = check({ minAvailable: 4000 }, ...workloads, ...many);
    expect(result.refused).toEqual(['DrainBlocked']);
    expect(result.params[0]?.['why']?.length).toBeLessThan(200);
  });

  it('between two that do not stand is judged by those that do', () => {
    const both = workload(3, 'Deployment', { app: 'web', tier: 'x' });
    const a = budget({ selector: { matchLabels: { tier: 'x' } }, maxUnavailable: 1 }, 'a');
    const other = make('apps/v1', 'Deployment', 'other', {
      spec: { replicas: 3, template: { metadata: { labels: { app: 'other', tier: 'y' } } } },
    });
    // b overlaps a, so it is refused; c overlaps only b, so it stands.
    const b = budget({ selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, maxUnavailable: 1 }, 'b');
    const c = budget({ selector: { matchLabels: { app: 'other' } }, maxUnavailable: 1 }, 'c');
    const objects = [both, other, a, b, c];
    expect(run('PodDisruptionBudget.policy', b, { objects: objects.filter((o) => o !== b) }).refused).toEqual(['DrainBlocked']);
    expect(run('PodDisruptionBudget.policy', c, { objects: objects.filter((o) => o !== c) }).refused).toEqual([]);
  });
});

const TARGET = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const scale = (spec: JsonObject, overrides: Overrides = {}, version = 'autoscaling/v2'): Result =>
  run(
    'HorizontalPodAutoscaler.autoscaling',
    make(version, 'HorizontalPodAutoscaler', 'web', { spec: { maxReplicas: 3, ...spec } }),
    overrides,
  );

describe('a HorizontalPodAutoscaler', () => {
  it.each(['autoscaling/v2', 'autoscaling/v1'])('(%s) scales the tenant’s own workload', (version) => {
    const result = scale({ scaleTargetRef: TARGET, targetCPUUtilizationPercentage: 80 }, {}, version);
    expect(result.refused).toEqual([]);
    expect(result.host('spec', 'scaleTargetRef')).toEqual({ ...TARGET, name: 'web-x-default-x-dev' });
    expect(result.host('spec', 'targetCPUUtilizationPercentage')).toBe(80);
  });

  it('says that it is nothing without its target', () => {
    const ctx = scale({ scaleTargetRef: TARGET });
    expect(ctx.references).toEqual(['Deployment.apps default/web']);
    expect(ctx.everything).toContain('"required":true');
  });

  it('takes the target’s name as that kind has it on the host', () => {
    const long = 'a'.repeat(40);
    const result = scale({ scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: long } });
    expect(String(result.host('spec', 'scaleTargetRef', 'name')).length).toBeLessThanOrEqual(52);
  });

  it.each<[string, JsonObject]>([
    ['no target', {}],
    ['a target without a name', { scaleTargetRef: { kind: 'Deployment' } }],
    ['a target whose name is a number', { scaleTargetRef: { ...TARGET, name: 5 } }],
  ])('with %s is refused', (_, spec) => {
    expect(scale(spec).refused).toContain('ObjectMalformed');
  });

  const external = { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '1' } } };
  const described = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'main' };
  const object = { type: 'Object', object: { metric: { name: 'rps' }, describedObject: described, target: { type: 'Value', value: '1' } } };

  it('reads no numbers of others', () => {
    for (const metric of [external, object, { type: 'Future' }, {}]) {
      expect(scale({ scaleTargetRef: TARGET, metrics: [metric] }).refused).toEqual(['ExternalMetricBlocked']);
    }
    expect(scale({ scaleTargetRef: TARGET, metrics: [external] }).params[0]).toEqual({ metric: 'queue', type: 'External' });
  });

  it('with an opt-in reads those of the tenant’s own object', () => {
    const result = scale({ scaleTargetRef: TARGET, metrics: [external, object] }, { allow: { externalMetrics: true } });
    expect(result.refused).toEqual([]);
    expect(result.host('spec', 'metrics', 1, 'object', 'describedObject', 'name')).toBe('main-x-default-x-dev');
    expect(result.host('spec', 'metrics', 0)).toEqual(external);
  });

  it('keeps the selectors of its metrics, which select series and not pods', () => {
    const selector = { matchLabels: { 'app.kubernetes.io/managed-by': MANAGED_BY } };
    const pods = { type: 'Pods', pods: { metric: { name: 'rps', selector }, target: { type: 'AverageValue', averageValue: '1' } } };
    const metrics = [pods, { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];
    expect(scale({ scaleTargetRef: TARGET, metrics }).host('spec', 'metrics')).toEqual(metrics);
  });

  it('hides no metrics in annotations', () => {
    const hpa = make('autoscaling/v1', 'HorizontalPodAutoscaler', 'web', { spec: { maxReplicas: 3, scaleTargetRef: TARGET } });
    hpa['metadata'] = {
      name: 'web',
      namespace: 'default',
      annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '[{"type":"External"}]' },
    };
    const result = run('HorizontalPodAutoscaler.autoscaling', hpa, { allow: { annotations: ['*'] } });
    expect(result.host('metadata', 'annotations')).toEqual({});
  });
});
