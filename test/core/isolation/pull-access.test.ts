import { describe, expect, it } from 'vitest';
import { at, type JsonObject } from '../../../src/core/kube/json.ts';
import { kindOf, namespaceOf } from '../../../src/core/kube/object.ts';
import { devPackage, planFiles, policy } from '../../support/observe.ts';

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
const files = { 'b.yaml': configMap('b'), 'a.yaml': configMap('a'), 'web.yaml': SERVICE };

function made(direction: string): JsonObject[] {
  const entries = policy(['v1/ConfigMap', 'v1/Service']).replace('ConfigMap, direction: toHost', `ConfigMap, direction: ${direction}`);
  const [tenant] = planFiles(devPackage(files, { policy: entries })).tenants;
  return (tenant?.files ?? [])
    .map(({ object }) => object)
    .filter((object) => ['Role', 'RoleBinding'].includes(kindOf(object)) && namespaceOf(object) === 'team-dev');
}

describe('what the reconciler may do in a tenant’s namespace', () => {
  it.each(['fromHost', 'bidirectional'])('is to read and change the objects that it pulls, by name (%s)', (direction) => {
    const [role, binding] = made(direction);
    expect(at(role, 'rules')).toEqual([
      {
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: ['a-x-default-x-dev', 'b-x-default-x-dev'],
        verbs: ['get', 'watch', 'update', 'patch'],
      },
    ]);
    expect(at(binding, 'roleRef', 'name')).toBe(at(role, 'metadata', 'name'));
    expect(at(binding, 'subjects')).toEqual([{ kind: 'ServiceAccount', namespace: 'tenantplane-system', name: 'tenantplane-reconciler' }]);
  });

  it('is nothing where all goes to the host', () => {
    expect(made('toHost')).toEqual([]);
  });
});

describe('a control plane', () => {
  const budgets = (spec: string): JsonObject[] =>
    (planFiles(devPackage({}, { spec })).tenants[0]?.files ?? [])
      .map(({ object }) => object)
      .filter((object) => kindOf(object) === 'PodDisruptionBudget');

  it('of several members loses one at a time to drained nodes', () => {
    const [budget] = budgets('  controlPlane: {replicas: 3, datastore: {type: etcd}}\n');
    expect(at(budget, 'metadata', 'namespace')).toBe('cp-x-dev-x-team-dev');
    expect(at(budget, 'spec')).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  });

  it('of one has no budget, which would hold up a drain for ever', () => {
    expect(budgets('')).toEqual([]);
  });
});
