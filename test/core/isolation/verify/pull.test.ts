import { describe, expect, test } from 'vitest';
import type { BoundaryInput } from '../../../../src/core/isolation/verify/boundary-input.ts';
import { verifyBoundary } from '../../../../src/core/isolation/verify/verify-boundary.ts';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../../src/core/kube/object.ts';
import { added, inputOf, put, WORK } from './tenants.ts';

/** A tenant whose Secrets and ConfigMaps flow both ways. */
function pulling(): BoundaryInput {
  const input = inputOf('rest-allo-own');
  const resources = ['ConfigMap', 'Secret'].map((kind) => ({ apiVersion: 'v1', kind, direction: 'bidirectional' }));
  return { ...input, policy: put(structuredClone(input.policy), ['spec', 'resources'], resources) };
}

const RBAC = 'rbac.authorization.k8s.io';
const RULE: JsonObject = {
  apiGroups: [''],
  resources: ['secrets'],
  resourceNames: ['a-x-b-x-dev'],
  verbs: ['get', 'watch', 'update', 'patch'],
};
const ROLE = (rule: JsonObject): KubeObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'Role',
  metadata: { name: 'tenantplane-pull', namespace: WORK },
  rules: [RULE, rule],
});
const RECONCILER: JsonObject = { kind: 'ServiceAccount', name: 'tenantplane-reconciler', namespace: 'tenantplane-system' };
const BINDING = (...subjects: JsonObject[]): KubeObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'RoleBinding',
  metadata: { name: 'tenantplane-pull', namespace: WORK },
  roleRef: { apiGroup: RBAC, kind: 'Role', name: 'tenantplane-pull' },
  subjects,
});

function rowsOf(object: KubeObject, input: BoundaryInput = pulling()): readonly object[] {
  const rows = verifyBoundary(added(input, object)).rows.filter(({ control }) => control === 'pullAccess');
  return rows.map(({ verdict, fields }) => ({ verdict, fields }));
}

describe('what the reconciler may pull', () => {
  test('is any named objects of groups that the policy pulls', () => {
    expect(rowsOf(ROLE({ ...RULE, resources: ['configmaps'] }))).toEqual([{ verdict: 'as-planned', fields: [] }]);
    expect(rowsOf(BINDING(RECONCILER))).toEqual([{ verdict: 'as-planned', fields: [] }]);
  });

  test.each<readonly [string, JsonObject]>([
    ['all objects', { ...RULE, resourceNames: [] }],
    ['every verb', { ...RULE, verbs: ['*'] }],
    ['deletion', { ...RULE, verbs: ['get', 'delete'] }],
    ['subresources', { ...RULE, resources: ['pods/exec'] }],
    ['every resource', { ...RULE, resources: ['*'] }],
    ['another group', { ...RULE, apiGroups: [RBAC] }],
    ['another kind of the group', { ...RULE, resources: ['pods'] }],
    ['every group', { ...RULE, apiGroups: ['*'] }],
  ])('is not %s', (_, rule) => {
    expect(rowsOf(ROLE(rule))).toEqual([{ verdict: 'widens', fields: ['/rules/1'] }]);
  });

  test('is nothing where the policy pulls nothing', () => {
    expect(rowsOf(ROLE(RULE), inputOf('rest-allo-own'))).toEqual([{ verdict: 'widens', fields: ['/rules/0', '/rules/1'] }]);
  });

  test('is nobody else’s', () => {
    expect(rowsOf(BINDING(RECONCILER, { apiGroup: RBAC, kind: 'User', name: 'mallory' }))).toEqual([
      { verdict: 'widens', fields: ['/subjects'] },
    ]);
    expect(rowsOf(BINDING({ ...RECONCILER, namespace: WORK }))).toEqual([{ verdict: 'widens', fields: ['/subjects'] }]);
    expect(rowsOf(BINDING({ ...RECONCILER, kind: 'User' }))).toEqual([{ verdict: 'widens', fields: ['/subjects'] }]);
  });
});
