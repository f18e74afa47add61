import { describe, expect, it } from 'vitest';
import { isCronSchedule } from '../../../src/core/checks/cron-schedule.ts';
import { shapeRefusals } from '../../../src/core/checks/shape.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { testContext } from '../context.ts';
import { container, pod, podSpec, refusalsOf, workload } from '../pods.ts';

const pointers = (value: JsonObject, type: string): (string | undefined)[] =>
  shapeRefusals(value, type, []).map(({ params }) => params['pointer']);
const ctx = testContext();
const podPointers = (fields: JsonObject): (string | undefined)[] =>
  refusalsOf(pod(podSpec(fields)), ctx)
    .filter(({ reason }) => reason === 'ObjectMalformed')
    .map(({ params }) => params['pointer']);
const inContainer = (fields: JsonObject): (string | undefined)[] => podPointers({ containers: [container(fields)] });

describe('what every API server refuses is refused, since it would stop a whole apply:', () => {
  it.each<[string, string, JsonObject, string]>([
    ['a Service without ports', 'ServiceSpec', { selector: { a: 'b' } }, 'ports'],
    ['port 0', 'ServiceSpec', { ports: [{ port: 0 }] }, 'ports[0].port'],
    ['port 65536', 'ServiceSpec', { ports: [{ port: 65_536 }] }, 'ports[0].port'],
    ['a target port in quotes', 'ServiceSpec', { ports: [{ port: 80, targetPort: '80' }] }, 'ports[0].targetPort'],
    ['protocol HTTP', 'ServiceSpec', { ports: [{ port: 80, protocol: 'HTTP' }] }, 'ports[0].protocol'],
    ['several ports without names', 'ServiceSpec', { ports: [{ port: 80, name: 'a' }, { port: 81 }] }, 'ports[1].name'],
    ['a selector value that is no label', 'ServiceSpec', { ports: [{ port: 80 }], selector: { a: 'b c' } }, 'selector.a'],
    ['a policy type in lower case', 'NetworkPolicySpec', { policyTypes: ['ingress'] }, 'policyTypes'],
    ['a port out of range in a policy', 'NetworkPolicyPort', { port: 70_000 }, 'port'],
    ['a protocol in lower case in a policy', 'NetworkPolicyPort', { port: 80, protocol: 'tcp' }, 'protocol'],
    ['In without values', 'LabelSelector', { matchExpressions: [{ key: 'a', operator: 'In' }] }, 'matchExpressions[0].values'],
    [
      'Exists with values',
      'LabelSelector',
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      'matchExpressions[0].values',
    ],
    [
      'an operator of another language',
      'LabelSelector',
      { matchExpressions: [{ key: 'a', operator: '==' }] },
      'matchExpressions[0].operator',
    ],
    ['no operator', 'LabelSelector', { matchExpressions: [{ key: 'a' }] }, 'matchExpressions[0].operator'],
    ['a key that is none', 'LabelSelector', { matchLabels: { 'a b': 'c' } }, 'matchLabels.a b'],
    ['a number in quotes as budget', 'PodDisruptionBudgetSpec', { minAvailable: '1' }, 'minAvailable'],
    ['more than all as budget', 'PodDisruptionBudgetSpec', { maxUnavailable: '101%' }, 'maxUnavailable'],
    ['less than none as budget', 'PodDisruptionBudgetSpec', { maxUnavailable: -1 }, 'maxUnavailable'],
    ['an unknown address type', 'EndpointSlice', { addressType: 'IP', endpoints: [] }, 'addressType'],
    ['no address type', 'EndpointSlice', { endpoints: [] }, 'addressType'],
    ['fewer than no replicas', 'DeploymentSpec', { replicas: -1 }, 'replicas'],
    ['rolling parameters of Recreate', 'DeploymentSpec', { strategy: { type: 'Recreate', rollingUpdate: {} } }, 'strategy.rollingUpdate'],
    ['an unknown concurrency policy', 'CronJobSpec', { concurrencyPolicy: 'forbid' }, 'concurrencyPolicy'],
    ['In without values for nodes', 'NodeSelectorTerm', { matchExpressions: [{ key: 'a', operator: 'In' }] }, 'matchExpressions[0].values'],
  ])('%s', (_, type, value, pointer) => {
    const found = pointers(value, type);
    expect(found.map((text) => text?.replace('matchLabels["a b"]', 'matchLabels.a b'))).toEqual([pointer]);
  });

  it.each<[string, JsonObject, string]>([
    ['an env item without a name', { env: [{ value: 'a' }] }, 'spec.containers[0].env[0].name'],
    [
      'a variable with two values',
      { env: [{ name: 'A', value: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      'spec.containers[0].env[0].valueFrom',
    ],
    ['an unknown pull policy', { imagePullPolicy: 'Sometimes' }, 'spec.containers[0].imagePullPolicy'],
    ['a mount of no volume', { volumeMounts: [{ name: 'v', mountPath: '/v' }] }, 'spec.containers[0].volumeMounts[0].name'],
    ['a device of no volume', { volumeDevices: [{ name: 'v', devicePath: '/v' }] }, 'spec.containers[0].volumeDevices[0].name'],
    ['a port of no number', { ports: [{ name: 'http' }] }, 'spec.containers[0].ports[0].containerPort'],
    ['a probe of no port', { livenessProbe: { httpGet: { path: '/' } } }, 'spec.containers[0].livenessProbe.httpGet.port'],
  ])('a container with %s', (_, fields, pointer) => {
    expect(inContainer(fields)).toEqual([pointer]);
  });

  it.each<[string, JsonObject, string]>([
    ['an unknown DNS policy', { dnsPolicy: 'clusterFirst' }, 'spec.dnsPolicy'],
    ['an unknown restart policy', { restartPolicy: 'Sometimes' }, 'spec.restartPolicy'],
    ['two volumes of one name', { volumes: [{ name: 'v' }, { name: 'v' }] }, 'spec.volumes[1].name'],
    ['a node selector of no label', { nodeSelector: { a: 'b c' } }, 'spec.nodeSelector.a'],
  ])('a Pod with %s', (_, fields, pointer) => {
    expect(podPointers(fields)).toEqual([pointer]);
  });

  it('a Job with a selector by hand and none given, or one that misses its pods', () => {
    const jobs = (fields: JsonObject): string[] => refusalsOf(workload('Job', podSpec(), fields), ctx).map(({ reason }) => reason);
    expect(jobs({ manualSelector: true })).toEqual(['ObjectMalformed']);
    expect(jobs({ manualSelector: true, selector: { matchLabels: { app: 'other' } } })).toEqual(['ObjectMalformed']);
    expect(jobs({ manualSelector: true, selector: { matchLabels: { app: 'web' } } })).toEqual([]);
    expect(jobs({ manualSelector: false })).toEqual([]);
  });

  it('a CronJob whose schedule cannot be read, or holds its time zone', () => {
    const on = (schedule: string | undefined, minor?: number, more: JsonObject = {}): string[] => {
      const cronJob = workload('CronJob');
      const spec = { ...(cronJob['spec'] as JsonObject), ...more, ...(schedule === undefined ? { schedule: null } : { schedule }) };
      const host = minor === undefined ? {} : { host: { minor } };
      return refusalsOf({ ...cronJob, spec }, testContext(host)).map(({ reason }) => reason);
    };
    expect(on('0 3 * * *')).toEqual([]);
    expect(on('every day')).toEqual(['ObjectMalformed']);
    expect(on(undefined)).toEqual(['ObjectMalformed']);
    expect(on('TZ=Europe/Berlin 0 3 * * *')).toEqual(['ObjectMalformed']);
    expect(on('CRON_TZ=UTC 0 3 * * *', 28)).toEqual([]);
    expect(on('CRON_TZ=UTC 0 3 * * *', 28, { timeZone: 'UTC' })).toEqual(['ObjectMalformed']);
  });
});

describe('what some API server takes passes:', () => {
  it.each<[string, string, JsonObject]>([
    ['a headless Service without ports', 'ServiceSpec', { clusterIP: 'None' }],
    ['an ExternalName without ports', 'ServiceSpec', { type: 'ExternalName', externalName: 'a.example' }],
    ['fields said to be empty', 'ServiceSpec', { ports: [{ port: 80, protocol: '', targetPort: 0, name: null }], sessionAffinity: '' }],
    ['a target port by name', 'ServiceSpec', { ports: [{ port: 65_535n, targetPort: 'http-1', protocol: 'SCTP' }] }],
    [
      'every operator',
      'LabelSelector',
      {
        matchExpressions: [
          { key: 'a.example/b', operator: 'In', values: [''] },
          { key: 'a', operator: 'Exists', values: [] },
          { key: 'a', operator: 'DoesNotExist', values: null },
        ],
      },
    ],
    ['Gt for nodes', 'NodeSelectorTerm', { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }],
    ['selectors of metrics', 'MetricIdentifier', { name: 'm', selector: { matchLabels: { 'a b': 'c d' } } }],
    ['budgets', 'PodDisruptionBudgetSpec', { minAvailable: '100%', selector: {} }],
    ['a policy', 'NetworkPolicySpec', { policyTypes: ['Ingress', 'Egress'], podSelector: {}, ingress: [{ ports: [{}] }] }],
    ['a variable with = in its value', 'EnvVar', { name: 'a.b-C', value: '=' }],
    [
      'a variable from somewhere, with an empty value',
      'EnvVar',
      { name: 'A', value: '', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
  ])('%s', (_, type, value) => {
    expect(pointers(value, type)).toEqual([]);
  });

  it('mounts of a set’s claims', () => {
    const claims = [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }];
    const mounts = { containers: [container({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })] };
    expect(refusalsOf(workload('StatefulSet', podSpec(mounts), { volumeClaimTemplates: claims }), ctx)).toEqual([]);
    expect(refusalsOf(workload('Deployment', podSpec(mounts)), ctx)).toHaveLength(1);
  });

  it.each(['* * * * *', '*/5 0-23/2 1,15 jan-MAR mon', '0 0 ? * 6', '@daily', '@every 1h30m', '5/15 * * * *', '  0  3 * * * '])(
    'schedule %s',
    (text) => {
      expect(isCronSchedule(text)).toBe(true);
    },
  );

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* * 0 * *',
    '* * * * 7',
    '*/0 * * * *',
    '5-1 * * * *',
    'a * * * *',
    '@reboot',
    '1//2 * * * *',
  ])('but not schedule "%s"', (text) => {
    expect(isCronSchedule(text)).toBe(false);
  });
});
