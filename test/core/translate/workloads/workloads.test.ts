import { describe, expect, it } from 'vitest';
import { at, type JsonObject, objectAt } from '../../../../src/core/kube/json.ts';
import { testContext } from '../../context.ts';
import { pod, podSpec, reasonsOf, refusalsOf, render, WORKLOADS, workload } from '../../pods.ts';

const ctx = testContext();
const open = testContext({ allow: { daemonSets: true } });
const SCOPE = { 'tenantplane.io/tenant': 'dev', 'tenantplane.io/virtual-namespace': 'default' };

describe('a selector of pods', () => {
  it('names tenant and virtual namespace, and matches the template', () => {
    for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']) {
      const { object } = render(workload(kind), open);
      expect(at(object, 'spec', 'selector')).toEqual({ matchLabels: { app: 'web', ...SCOPE } });
      expect(at(object, 'spec', 'template', 'metadata', 'labels')).toEqual({ app: 'web', ...SCOPE });
    }
    expect(at(render(workload('ReplicationController'), ctx).object, 'spec', 'selector')).toEqual({ app: 'web', ...SCOPE });
  });

  it('that is missing, or misses its own pods, is refused here rather than at the apply', () => {
    expect(reasonsOf(workload('Deployment', podSpec(), { selector: null }), ctx)).toEqual(['ObjectMalformed']);
    const wrong = refusalsOf(workload('Deployment', podSpec(), { selector: { matchLabels: { app: 'other' } } }), ctx);
    expect(wrong.map(({ reason }) => reason)).toEqual(['ObjectMalformed']);
    expect(wrong[0]?.remedy).toContain('spec.template.metadata.labels');
  });

  it('of a ReplicationController may be left out: it is the template’s labels', () => {
    const { object } = render(workload('ReplicationController', podSpec(), { selector: null }), ctx);
    expect(at(object, 'spec', 'selector')).toBeNull();
  });

  it('under a key that a host tool owns is re-keyed with its pods', () => {
    const labels = { 'app.kubernetes.io/instance': 'a' };
    const object = workload('Deployment', podSpec(), { selector: { matchLabels: labels } });
    const template = { ...objectAt(object, 'spec', 'template'), metadata: { labels } };
    const { object: host } = render({ ...object, spec: { ...objectAt(object, 'spec'), template } }, ctx);
    const expected = { 't.tenantplane.io/app.kubernetes.io_instance': 'a', ...SCOPE };
    expect(at(host, 'spec', 'selector', 'matchLabels')).toEqual(expected);
    expect(at(host, 'spec', 'template', 'metadata', 'labels')).toEqual(expected);
  });
});

describe('a DaemonSet', () => {
  it('needs the profile’s consent', () => {
    const [first] = refusalsOf(workload('DaemonSet'), ctx);
    expect(first?.reason).toBe('OptInNeeded');
    expect(first?.params).toEqual({ kind: 'DaemonSet', field: 'allow.daemonSets', profile: 'restricted' });
  });
});

describe('a StatefulSet', () => {
  const template = (fields: JsonObject = {}) => ({
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields },
  });

  it('is governed by the tenant’s own Service', () => {
    const { object, edit } = render(workload('StatefulSet', podSpec(), { serviceName: 'db' }), ctx);
    expect(at(object, 'spec', 'serviceName')).toBe('db-x-default-x-dev');
    expect(edit.references).toMatchObject([{ targetKind: 'Service', name: 'db', path: ['spec', 'serviceName'] }]);
  });

  it('keeps the names of its claim templates, and gives them nothing of ours', () => {
    const claim = {
      ...template(),
      metadata: { name: 'data', labels: { app: 'a' }, annotations: { x: 'y' }, creationTimestamp: null },
      status: { phase: 'Pending' },
    };
    const { object } = render(workload('StatefulSet', podSpec(), { serviceName: '', volumeClaimTemplates: [claim] }), ctx);
    expect(at(object, 'spec', 'volumeClaimTemplates')).toEqual([{ ...template(), metadata: { name: 'data', labels: { app: 'a' } } }]);
  });

  it('keeps no annotation of a claim template, since what the profile allows later would change an immutable field', () => {
    const claim = { ...template(), metadata: { name: 'data', annotations: { x: 'y' } } };
    const open = testContext({ allow: { annotations: ['*'] } });
    const { object, note } = render(workload('StatefulSet', podSpec(), { serviceName: '', volumeClaimTemplates: [claim] }), open);
    expect(at(object, 'spec', 'volumeClaimTemplates', 0, 'metadata')).toEqual({ name: 'data' });
    expect(note('AnnotationBlocked')?.params['key']).toBe('x');
  });

  it('has its claim templates judged like claims', () => {
    const rows: readonly (readonly [JsonObject, string])[] = [
      [{ volumeName: 'pv' }, 'VolumeNamePinned'],
      [{ storageClassName: 'gold' }, 'StorageClassBlocked'],
    ];
    const nameless = refusalsOf(workload('StatefulSet', podSpec(), { volumeClaimTemplates: [{ spec: template().spec }] }), ctx);
    expect(nameless[0]?.params['pointer']).toBe('spec.volumeClaimTemplates[0].metadata.name');
    for (const [fields, reason] of rows) {
      const [first] = refusalsOf(workload('StatefulSet', podSpec(), { volumeClaimTemplates: [template(fields)] }), ctx);
      expect(first?.reason).toBe(reason);
      expect(first?.path?.slice(0, 4)).toEqual(['spec', 'volumeClaimTemplates', 0, 'spec']);
    }
  });

  it('keeps its claims, unless the tenant prunes volumes: a claim from Git would die with its set', () => {
    const object = workload('StatefulSet', podSpec(), {
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
    });
    const policy = (context: typeof ctx) => at(render(object, context).object, 'spec', 'persistentVolumeClaimRetentionPolicy');
    expect(policy(ctx)).toEqual({ whenDeleted: 'Retain', whenScaled: 'Retain' });
    expect(policy(testContext({ tenant: { pruneVolumes: true } }))).toEqual({ whenDeleted: 'Delete', whenScaled: 'Delete' });
    expect(at(render(workload('StatefulSet'), ctx).object, 'spec')).not.toHaveProperty('persistentVolumeClaimRetentionPolicy');
  });

  it('clones a claim of the tenant’s own', () => {
    const source = { dataSource: { kind: 'PersistentVolumeClaim', name: 'seed' } };
    const { object } = render(workload('StatefulSet', podSpec(), { volumeClaimTemplates: [template(source)] }), ctx);
    expect(at(object, 'spec', 'volumeClaimTemplates', 0, 'spec', 'dataSource', 'name')).toBe('seed-x-default-x-dev');
  });
});

describe('a Job', () => {
  const live = {
    'controller-uid': 'u',
    'batch.kubernetes.io/controller-uid': 'u',
    'job-name': 'web',
    'batch.kubernetes.io/job-name': 'web',
  };
  const withLabels = (kind: string, fields: JsonObject = {}) => {
    const object = workload(kind, podSpec(), fields);
    const spec = kind === 'Job' ? objectAt(object, 'spec') : objectAt(object, 'spec', 'jobTemplate', 'spec');
    const template = objectAt(spec, 'template');
    if (template !== undefined) template['metadata'] = { labels: { app: 'web', ...live } };
    return object;
  };

  it('leaves its selector to the API server, and what a live one carries behind', () => {
    const { object } = render(withLabels('Job', { selector: { matchLabels: { 'controller-uid': 'u' } } }), ctx);
    expect(at(object, 'spec')).not.toHaveProperty('selector');
    expect(at(object, 'spec', 'template', 'metadata', 'labels')).toEqual({ app: 'web', ...SCOPE });
  });

  it('keeps a manual selector, scoped', () => {
    const fields = { manualSelector: true, selector: { matchLabels: { app: 'web' } } };
    expect(at(render(workload('Job', podSpec(), fields), ctx).object, 'spec', 'selector')).toEqual({
      matchLabels: { app: 'web', ...SCOPE },
    });
  });

  it('that cleans itself up is said to run again at each sync', () => {
    expect(render(workload('Job', podSpec(), { ttlSecondsAfterFinished: 0 }), ctx).note('RerunAtEachSync')?.params).toEqual({
      source: 'default/web',
      ttl: '0',
    });
    expect(render(workload('Job'), ctx).note('RerunAtEachSync')).toBeUndefined();
    expect(render(workload('CronJob', podSpec(), { ttlSecondsAfterFinished: 60 }), ctx).note('RerunAtEachSync')).toBeUndefined();
  });

  it('in a CronJob has no selector at all', () => {
    const { object } = render(withLabels('CronJob', { selector: { matchLabels: { 'controller-uid': 'u' } } }), ctx);
    const job = objectAt(object, 'spec', 'jobTemplate', 'spec');
    expect(job).not.toHaveProperty('selector');
    expect(at(job, 'template', 'metadata', 'labels')).toEqual({ app: 'web', ...SCOPE });
  });

  it('is not handed to another controller', () => {
    for (const kind of ['Job', 'CronJob'])
      expect(reasonsOf(workload(kind, podSpec(), { managedBy: 'kueue.x-k8s.io/multikueue' }), ctx)).toEqual(['SchedulerBlocked']);
    expect(reasonsOf(workload('Job', podSpec(), { managedBy: 'kubernetes.io/job-controller' }), ctx)).toEqual([]);
  });
});

describe('a restart policy', () => {
  const rows: readonly (readonly [string, string | null, boolean])[] = [
    ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController'].flatMap(
      (kind) =>
        [
          [kind, 'Always', true],
          [kind, null, true],
          [kind, 'OnFailure', false],
          [kind, 'Never', false],
        ] as const,
    ),
    ...['Job', 'CronJob'].flatMap(
      (kind) =>
        [
          [kind, 'Never', true],
          [kind, 'OnFailure', true],
          [kind, 'Always', false],
          [kind, null, false],
        ] as const,
    ),
  ];
  for (const [kind, restartPolicy, legal] of rows)
    it(`${restartPolicy ?? 'unset'} in a ${kind} is ${legal ? 'legal' : 'refused here rather than at the apply'}`, () => {
      expect(reasonsOf(workload(kind, podSpec({ restartPolicy })), open)).toEqual(legal ? [] : ['RestartPolicyInvalid']);
    });

  it('may be any for a pod of its own', () => {
    for (const restartPolicy of ['Always', 'OnFailure', 'Never']) expect(reasonsOf(pod(podSpec({ restartPolicy })), ctx)).toEqual([]);
  });
});

describe('a workload under an autoscaler', () => {
  const autoscaler = (kind: string, namespace = 'default') => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'scale', namespace },
    spec: { scaleTargetRef: { apiVersion: kind === 'ReplicationController' ? 'v1' : 'apps/v1', kind, name: 'web' } },
  });

  it('is rendered without replicas, which each apply would reset', () => {
    for (const kind of ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController']) {
      const { object, note } = render(workload(kind, podSpec(), { replicas: 3 }), testContext({ objects: [autoscaler(kind)] }));
      expect(at(object, 'spec')).not.toHaveProperty('replicas');
      expect(note('ReplicasDropped')?.params).toEqual({ autoscaler: 'scale', replicas: '3' });
    }
  });

  it('is not said to lose what it never set', () => {
    expect(render(workload('Deployment'), testContext({ objects: [autoscaler('Deployment')] })).note('ReplicasDropped')).toBeUndefined();
  });

  it('keeps them where the autoscaler means another, or is not projected', () => {
    const object = workload('Deployment', podSpec(), { replicas: 3 });
    const replicas = (context: typeof ctx) => at(render(object, context).object, 'spec', 'replicas');
    expect(replicas(testContext({ objects: [autoscaler('StatefulSet'), autoscaler('Deployment', 'shop')] }))).toBe(3);
    expect(replicas({ ...testContext({ objects: [autoscaler('Deployment')] }), covered: () => false })).toBe(3);
  });
});

describe('every kind that holds a pod', () => {
  it('has the whole of the pod rules', () => {
    for (const kind of [...WORKLOADS, 'Pod']) {
      const spec = podSpec({ serviceAccountName: 'a', volumes: [{ name: 'v', configMap: { name: 'cfg' } }] });
      const { spec: host } = render(kind === 'Pod' ? pod(spec) : workload(kind, spec), open);
      expect({ kind, account: host['serviceAccountName'] }).toEqual({ kind, account: 'tenantplane-workload' });
      expect(host['volumes']).toEqual([{ name: 'v', configMap: { name: 'cfg-x-default-x-dev' } }]);
    }
  });

  it('has the shape of its own spec looked at', () => {
    expect(reasonsOf(workload('Deployment', podSpec(), { replica: 3 }), ctx)).toEqual(['ObjectMalformed']);
    expect(reasonsOf(workload('Deployment', podSpec(), { replicas: '3' }), ctx)).toEqual(['ObjectMalformed']);
    expect(reasonsOf(workload('CronJob', podSpec(), { completions: 'many' }), ctx)).toEqual(['ObjectMalformed']);
  });
});
