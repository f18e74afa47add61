import { describe, expect, test } from 'vitest';
import { compileIsolation } from '../../../src/core/isolation/compile.ts';
import { levelDefaults } from '../../../src/core/isolation/levels.ts';
import { quotaUse } from '../../../src/core/isolation/quota-use.ts';
import { computeHard, countHard, quotaProblems } from '../../../src/core/isolation/quotas.ts';
import { at, type JsonObject, objectAt } from '../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { formatQuantity, parseQuantity } from '../../../src/core/kube/quantity.ts';
import { allow, named, projected, service, tenantContext } from './tenant.ts';

const amount = (text: string | undefined): bigint => parseQuantity(text) ?? -1n;

describe('compute quota', () => {
  test('is the tenant’s share where it states one; limits as many times that as a default container has', () => {
    expect(computeHard(tenantContext({ tenant: { resources: { cpu: '4', memory: '8Gi' } } }))).toEqual({
      'limits.cpu': '20',
      'limits.ephemeral-storage': '256Gi',
      'limits.memory': '32Gi',
      persistentvolumeclaims: '50',
      'requests.cpu': '4',
      'requests.ephemeral-storage': '64Gi',
      'requests.memory': '8Gi',
      'requests.storage': '500Gi',
    });
  });

  test.each(['baseline', 'restricted', 'sandboxed'] as const)('at %s holds as many default pods as the count of pods does', (level) => {
    const ctx = tenantContext({ profile: { level } });
    const [hard, counts, { defaultRequest, default: limit }] = [computeHard(ctx), countHard(ctx, 0), levelDefaults(level).limits];
    const pods = BigInt(counts['pods'] ?? 0);
    for (const resource of ['cpu', 'memory', 'ephemeral-storage']) {
      expect(amount(hard[`requests.${resource}`])).toBeGreaterThanOrEqual(pods * amount(defaultRequest[resource]));
      expect(amount(hard[`limits.${resource}`])).toBeGreaterThanOrEqual(pods * amount(limit[resource]));
    }
    expect(quotaProblems(ctx)).toEqual([]);
  });

  test('asks for nothing that no LimitRange supplies: the API server would refuse every pod that leaves it unsaid', () => {
    const ctx = tenantContext({ profile: { requireResourceRequests: false } });
    expect(Object.keys(computeHard(ctx))).toEqual(['persistentvolumeclaims', 'requests.storage']);
    const limits = { ...levelDefaults('restricted').limits, max: {}, min: {}, default: { cpu: '1' }, defaultRequest: { cpu: '1' } };
    expect(Object.keys(computeHard(tenantContext({ profile: { limits } })))).not.toContain('limits.memory');
  });

  test('takes the profile’s values before its own', () => {
    const ctx = tenantContext({
      profile: { quota: { 'limits.cpu': '9', pods: '12', 'gold.storageclass.storage.k8s.io/requests.storage': '0' } },
    });
    expect(computeHard(ctx)).toMatchObject({ 'limits.cpu': '9', 'gold.storageclass.storage.k8s.io/requests.storage': '0' });
    expect(computeHard(ctx)).not.toHaveProperty('pods');
    expect(countHard(ctx, 0)['pods']).toBe('12');
  });

  test.each<[Parameters<typeof tenantContext>[0], string]>([
    [{ tenant: { resources: { cpu: '50m' } } }, 'defaultRequest.cpu (100m) is more than the whole quota requests.cpu (50m)'],
    [{ profile: { quota: { 'limits.memory': '256Mi' } } }, 'default.memory (512Mi) is more than the whole quota limits.memory (256Mi)'],
    [{ tenant: { resources: { memory: '8 gigs' } } }, 'quota memory (8 gigs) is no quantity'],
  ])('that no default container fits is a contradiction', (given, problem) => {
    expect(quotaProblems(tenantContext(given))).toContain(problem);
  });
});

describe('counts', () => {
  test('hold 50 Services with their aliases, 30 NetworkPolicies, 50 Deployments and the ReplicaSets they keep', () => {
    const hard = countHard(tenantContext(), 7);
    const at_least = {
      'count/services': 101,
      'count/networkpolicies.networking.k8s.io': 37,
      'count/deployments.apps': 50,
      'count/replicasets.apps': 50 * 12,
    };
    for (const [name, units] of Object.entries(at_least)) expect(Number(hard[name])).toBeGreaterThanOrEqual(units);
  });

  test('of NetworkPolicies always leave the tenant room beside our own, and do not change with each of them', () => {
    const hard = (own: number) => Number(countHard(tenantContext(), own)['count/networkpolicies.networking.k8s.io']);
    for (const own of [3, 50, 51, 200]) expect(hard(own) - own).toBeGreaterThanOrEqual(60);
    expect(hard(4)).toBe(hard(5));
  });

  test.each([
    [[], '0', '0'],
    [['LoadBalancer' as const], '5', '0'],
    [['NodePort' as const], '0', '25'],
    [['LoadBalancer' as const, 'NodePort' as const], '5', '25'],
  ])('of load balancers and node ports follow what the profile allows (%j)', (serviceTypes, loadBalancers, nodePorts) => {
    const hard = countHard(tenantContext({ profile: { allow: allow({ serviceTypes }) } }), 0);
    expect([hard['services.loadbalancers'], hard['services.nodeports']]).toEqual([loadBalancers, nodePorts]);
  });

  test('of DaemonSets are zero unless the profile allows them', () => {
    expect(countHard(tenantContext(), 0)['count/daemonsets.apps']).toBe('0');
    expect(countHard(tenantContext({ profile: { allow: allow({ daemonSets: true }) } }), 0)['count/daemonsets.apps']).toBe('10');
  });
});

const ctx = tenantContext();
const { limits } = ctx.profile;
const use = (...objects: KubeObject[]) =>
  Object.fromEntries(
    [...quotaUse(objects, limits, 0)].map(([name, sum]) => [name, formatQuantity(sum, /memory|storage/.test(name) ? 'binary' : 'decimal')]),
  );
const resources = (cpu: string, limit: string): JsonObject => ({ resources: { requests: { cpu }, limits: { cpu: limit } } });
const workload = (kind: string, spec: JsonObject, pod: JsonObject = { containers: [{ name: 'c' }] }): KubeObject =>
  projected(ctx, { apiVersion: 'apps/v1', kind, metadata: { name: 'web', namespace: 'shop' }, spec: { ...spec, template: { spec: pod } } });

describe('what a tenant’s objects come to', () => {
  test('counts pods at their defaults, and the ReplicaSets that a Deployment keeps', () => {
    expect(use(workload('Deployment', { replicas: 3, revisionHistoryLimit: 4 }))).toEqual({
      'count/deployments.apps': '1',
      'count/replicasets.apps': '6',
      pods: '3',
      'count/pods': '3',
      'requests.cpu': '300m',
      'requests.memory': '384Mi',
      'requests.ephemeral-storage': '768Mi',
      'limits.cpu': '1500m',
      'limits.memory': '1536Mi',
      'limits.ephemeral-storage': '3Gi',
    });
  });

  test.each<[string, JsonObject, string, string]>([
    ['containers add up', { containers: [resources('100m', '200m'), resources('50m', '1')] }, '150m', '1200m'],
    ['a large init container counts alone', { initContainers: [resources('1', '2')], containers: [resources('100m', '200m')] }, '1', '2'],
    [
      'a sidecar counts with the containers and with the init containers after it',
      {
        initContainers: [{ ...resources('100m', '100m'), restartPolicy: 'Always' }, resources('1', '1')],
        containers: [resources('500m', '500m')],
      },
      '1100m',
      '1100m',
    ],
    ['a limit alone is its own request', { containers: [{ resources: { limits: { cpu: '2' } } }] }, '2', '2'],
  ])('%s', (_, pod, requests, limitsCpu) => {
    expect(use(workload('Deployment', {}, pod))).toMatchObject({ 'requests.cpu': requests, 'limits.cpu': limitsCpu });
  });

  test('takes an autoscaler’s maximum for the number of replicas', () => {
    const deployment = workload('Deployment', {});
    const hpa = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { maxReplicas: 9, scaleTargetRef: { kind: 'Deployment', name: at(deployment, 'metadata', 'name') ?? '' } },
    };
    expect(use(deployment, hpa)).toMatchObject({ pods: '9', 'count/horizontalpodautoscalers.autoscaling': '1' });
  });

  test('counts a claim for each replica of a StatefulSet', () => {
    const claim = { metadata: { name: 'data' }, spec: { resources: { requests: { storage: '10Gi' } } } };
    expect(use(workload('StatefulSet', { replicas: 3, volumeClaimTemplates: [claim] }))).toMatchObject({
      persistentvolumeclaims: '3',
      'requests.storage': '30Gi',
    });
  });

  test('counts Services, aliases too, and node ports where they are taken', () => {
    const lb = projected(ctx, service('lb', 'shop', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }));
    const np = projected(ctx, service('np', 'shop', { type: 'NodePort' }));
    expect(use(lb, np)).toEqual({
      'count/services': '2',
      'count/endpointslices.discovery.k8s.io': '2',
      'services.loadbalancers': '1',
      'services.nodeports': '1',
    });
  });

  test('beyond the quota is said with both numbers', () => {
    const objects = [workload('Deployment', { replicas: 30 }, { containers: [resources('1', '1')] })];
    const notes = compileIsolation(ctx, objects).flatMap((entry) => entry.notes.filter(({ reason }) => reason === 'QuotaWouldBeExceeded'));
    expect(notes).toEqual([{ reason: 'QuotaWouldBeExceeded', params: { resource: 'requests.cpu', sum: '30', hard: '20' } }]);
  });

  test('of odd shapes is nothing, and throws nothing', () => {
    expect(use(workload('Deployment', { replicas: 'many' }, { containers: 'none' }))).toMatchObject({ pods: '1', 'requests.cpu': '0' });
  });
});

describe('what is compiled', () => {
  test('keeps scoped quotas apart from counts: a scope stops a quota from holding them', () => {
    const objects = compileIsolation(ctx, []);
    for (const [name, scopeName] of [
      ['tenantplane-no-cross-ns-affinity', 'CrossNamespacePodAffinity'],
      ['tenantplane-no-high-priority', 'PriorityClass'],
    ] as const) {
      const spec = objectAt(named(objects, 'ResourceQuota', name), 'spec');
      expect(spec?.['hard']).toEqual({ pods: '0' });
      expect(at(spec, 'scopeSelector', 'matchExpressions', 0, 'scopeName')).toBe(scopeName);
    }
  });

  test('has a LimitRange of containers with all that the profile says', () => {
    expect(at(named(compileIsolation(ctx, []), 'LimitRange', 'tenantplane-defaults'), 'spec', 'limits')).toEqual([
      { type: 'Container', ...limits },
    ]);
  });
});
