import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../../src/core/kube/object.ts';
import { make, type Result, run } from './kind.ts';

const template = { metadata: { labels: { app: 'web' } } };
const APP = { matchLabels: { app: 'web' } };
const workload = (kind: string, spec: JsonObject, name = 'web'): KubeObject =>
  make(kind.endsWith('Job') ? 'batch/v1' : 'apps/v1', kind, name, { spec: { template, ...spec } });
const deployment = (replicas: number): KubeObject => workload('Deployment', { replicas });
const cronJob = (spec: JsonObject = {}): KubeObject =>
  make('batch/v1', 'CronJob', 'tick', { spec: { ...spec, jobTemplate: { spec: { template } } } });
const pod = make('v1', 'Pod', 'p', { metadata: { name: 'p', namespace: 'default', labels: { app: 'web' } } });
const scaler = (spec: JsonObject, name = 'web'): KubeObject =>
  make('autoscaling/v2', 'HorizontalPodAutoscaler', name, {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 100, ...spec },
  });
const check = (spec: JsonObject, ...objects: KubeObject[]): Result =>
  run('PodDisruptionBudget.policy', make('policy/v1', 'PodDisruptionBudget', 'web', { spec: { selector: APP, ...spec } }), { objects });
const asking = (key: string, operator = 'Exists', values?: Json): JsonObject => ({
  ...APP,
  matchExpressions: [{ key, operator, ...(values !== undefined && { values }) }],
});

describe('what Kubernetes labels pods with', () => {
  it.each<[string, KubeObject]>([
    ['pod-template-hash', deployment(2)],
    ['controller-revision-hash', workload('StatefulSet', { replicas: 2 })],
    ['statefulset.kubernetes.io/pod-name', workload('StatefulSet', { replicas: 2 })],
    ['apps.kubernetes.io/pod-index', workload('StatefulSet', { replicas: 2 })],
    ['batch.kubernetes.io/job-name', workload('Job', {})],
    ['batch.kubernetes.io/controller-uid', workload('Job', {})],
    ['job-name', workload('Job', {})],
    ['controller-uid', cronJob()],
    ['batch.kubernetes.io/job-completion-index', workload('Job', { completionMode: 'Indexed' })],
  ])('is no way past a budget’s count: %s', (key, object) => {
    expect(check({ minAvailable: 2, selector: asking(key) }, object).refused).toEqual(['DrainBlocked']);
    expect(check({ minAvailable: 2, selector: asking(key, 'DoesNotExist') }, object).refused).toEqual([]);
  });

  it('is no way past another budget over the same pods', () => {
    const first = make('policy/v1', 'PodDisruptionBudget', 'a', { spec: { maxUnavailable: 1, selector: asking('pod-template-hash') } });
    expect(check({ maxUnavailable: 1, selector: asking('pod-template-hash') }, deployment(2), first).refused).toEqual(['DrainBlocked']);
    expect(check({ maxUnavailable: 1 }, deployment(2), first).refused).toEqual(['DrainBlocked']);
  });

  it.each<[string, JsonObject, KubeObject]>([
    ['of one pod', asking('statefulset.kubernetes.io/pod-name', 'In', ['web-0']), workload('StatefulSet', { replicas: 2 })],
    ['of a revision', { matchLabels: { app: 'web', 'pod-template-hash': '5d' } }, deployment(2)],
    ['of all but one', asking('apps.kubernetes.io/pod-index', 'NotIn', ['0']), workload('StatefulSet', { replicas: 2 })],
    ['of a node', asking('topology.kubernetes.io/zone'), deployment(2)],
  ])('has values that no manifest says, so a budget that asks for one may hold some pods only: %s', (_, selector, object) => {
    for (const amount of [{ maxUnavailable: 1 }, { minAvailable: 1 }]) {
      const result = check({ ...amount, selector }, object);
      expect(result.refused).toEqual(['DrainBlocked']);
      expect(result.params[0]?.['why']).toMatch(/^its selector asks for \S+, which Kubernetes sets/);
    }
  });

  it('is none of other kinds’ pods', () => {
    expect(check({ minAvailable: 2, selector: asking('pod-template-hash') }, workload('StatefulSet', { replicas: 2 })).refused).toEqual([]);
    const selector = asking('batch.kubernetes.io/job-completion-index');
    expect(check({ minAvailable: 2, selector }, workload('Job', {})).refused).toEqual([]);
  });
});

describe('a budget counts pods that are sure to run', () => {
  it.each<[string, KubeObject]>([
    ['a CronJob that is suspended', cronJob({ suspend: true })],
    ['a CronJob', cronJob()],
    ['a Job that is suspended', workload('Job', { suspend: true })],
    ['a Job', workload('Job', {})],
    ['a DaemonSet', workload('DaemonSet', {})],
    ['a Deployment of none', workload('Deployment', { replicas: 0 }, 'none')],
  ])('and none of %s', (_, extra) => {
    expect(check({ minAvailable: 2 }, deployment(2), extra).refused).toEqual(['DrainBlocked']);
    expect(check({ minAvailable: 1 }, deployment(2), extra).refused).toEqual([]);
  });

  it('and one of what comes and goes, where nothing else is there', () => {
    expect(check({ minAvailable: 1 }, cronJob()).refused).toEqual(['DrainBlocked']);
    expect(check({ minAvailable: 1 }, workload('Job', { parallelism: 5 })).refused).toEqual(['DrainBlocked']);
    expect(check({ minAvailable: 1 }, cronJob({ suspend: true })).refused).toEqual([]);
  });

  it('and an autoscaler’s fewest', () => {
    expect(check({ minAvailable: 50 }, deployment(1), scaler({ minReplicas: 1 })).refused).toEqual(['DrainBlocked']);
    expect(check({ minAvailable: 1 }, deployment(5), scaler({})).refused).toEqual(['DrainBlocked']);
    expect(check({ minAvailable: 1 }, deployment(1), scaler({ minReplicas: 2 })).refused).toEqual([]);
    expect(check({ minAvailable: 1 }, deployment(1), scaler({ minReplicas: 3 }), scaler({ minReplicas: 1 }, 'b')).refused).toEqual([
      'DrainBlocked',
    ]);
    expect(check({ minAvailable: 1 }, deployment(1), scaler({ minReplicas: 1 })).params[0]?.['why']).toBe(
      'minAvailable 1 is all of the 1 pods that Deployment web may be down to',
    );
  });
});

describe('a share', () => {
  it.each<[string, JsonObject, KubeObject[]]>([
    ['maxUnavailable beside a Job', { maxUnavailable: 1 }, [deployment(3), workload('Job', {})]],
    ['maxUnavailable beside a CronJob', { maxUnavailable: '50%' }, [deployment(3), cronJob()]],
    ['maxUnavailable beside a DaemonSet', { maxUnavailable: 1 }, [deployment(3), workload('DaemonSet', {})]],
    ['minAvailable in percent beside a Job', { minAvailable: '10%' }, [deployment(3), workload('Job', {})]],
    ['maxUnavailable of pods alone', { maxUnavailable: 1 }, [pod]],
    ['minAvailable in percent of pods alone', { minAvailable: '0%' }, [pod]],
  ])('that the disruption controller cannot work out is refused: %s', (_, spec, objects) => {
    expect(check(spec, ...objects).refused).toEqual(['DrainBlocked']);
  });

  it.each<[string, JsonObject, KubeObject[]]>([
    ['a number beside a Job', { minAvailable: 1 }, [deployment(3), workload('Job', {})]],
    ['pods beside a Deployment', { maxUnavailable: 1 }, [deployment(3), pod]],
    ['a DaemonSet alone, whose pods a drain leaves', { maxUnavailable: 1 }, [workload('DaemonSet', {})]],
    ['nothing', { maxUnavailable: 1 }, []],
  ])('that it can, is not: %s', (_, spec, objects) => {
    expect(check(spec, ...objects).refused).toEqual([]);
  });
});
