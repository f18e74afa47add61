import { describe, expect, test } from 'vitest';
import type { BoundaryInput } from '../../../../src/core/isolation/verify/boundary-input.ts';
import { verifyBoundary } from '../../../../src/core/isolation/verify/verify-boundary.ts';
import { at, type Json, type JsonObject } from '../../../../src/core/kube/json.ts';
import { ACCOUNT, BINDING, FLOW, GROUP, HOST_BINDING, more, OPEN, PODS_POLICY, POLICY, set, USER, VAPB } from './drift.ts';
import { added, changed, inputOf, PLANE, put, WORK } from './tenants.ts';

const BASE = inputOf('rest-allo-own');

describe('what is no drift', () => {
  const NOTHING: readonly (readonly [string, (input: BoundaryInput) => BoundaryInput])[] = [
    ['a quantity that is written otherwise', set('ResourceQuota', 'quota', ['spec', 'hard', 'requests.storage'], '512000Mi')],
    ['labels and annotations of others', set('Namespace', WORK, ['metadata', 'labels', 'team'], 'a')],
    [
      'a newer Pod Security where the render’s is not known',
      set('Namespace', WORK, ['metadata', 'labels', 'pod-security.kubernetes.io/enforce-version'], 'v1.36'),
    ],
    ['credentials of the host’s registries', set('ServiceAccount', 'workload', ['imagePullSecrets'], [{ name: 'x' }])],
    ['status', set('ResourceQuota', 'counts', ['status'], { used: { pods: '3' } })],
    [
      'rules that are cut otherwise',
      (input) =>
        changed(input, 'NetworkPolicy', 'allow-dns', (object) => {
          const rule = at(object, 'spec', 'egress', 0) as JsonObject;
          const ports = rule['ports'] as Json[];
          return put(
            object,
            ['spec', 'egress'],
            ports.map((port) => ({ ...rule, ports: [port] })),
          );
        }),
    ],
    [
      'a label as an expression',
      (input) =>
        changed(input, VAPB, PODS_POLICY, (object) => {
          const labels = at(object, 'spec', 'matchResources', 'namespaceSelector', 'matchLabels') as JsonObject;
          const matchExpressions = Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value ?? ''] }));
          return put(object, ['spec', 'matchResources', 'namespaceSelector'], { matchExpressions });
        }),
    ],
    ['people of the platform in the workload namespace', more(BINDING(WORK, 'view', USER('carol'), GROUP('platform')))],
    ['people who administer the host', more(HOST_BINDING('cluster-admin', USER('carol'), GROUP('platform'), ACCOUNT('argocd', 'applier')))],
    ['what Kubernetes lets everybody do', more(HOST_BINDING('system:discovery', GROUP('system:authenticated')))],
    ['what a distribution lets everybody do, whose role nobody reads', more(HOST_BINDING('basic-user', GROUP('system:authenticated')))],
    [
      'accounts of another namespace',
      more(HOST_BINDING('edit', ACCOUNT(`${WORK}-2`, 'default'), GROUP(`system:serviceaccounts:${WORK}-2`))),
    ],
    ['a flow that comes later', more(FLOW('later', 9500, 'system:authenticated'))],
    ['policies of another namespace', more(POLICY('elsewhere', 'open', OPEN))],
  ];
  test.each(NOTHING)('%s', (_, change) => {
    expect(verifyBoundary(change(BASE)).rows.filter(({ verdict }) => verdict !== 'as-planned')).toEqual([]);
  });
});

test('whoever has a right is named, and nothing that could move a cursor', () => {
  const cursor = String.fromCharCode(27);
  const subjects = [USER(`${cursor}[2Jmallory`), GROUP('ops'), ACCOUNT('ci', 'robot'), USER('d'), USER('e')];
  const [worst] = verifyBoundary(added(BASE, BINDING(PLANE, 'view', ...subjects))).rows;
  expect(worst?.sentence).toBe(
    `RoleBinding ${PLANE}/more gives User ??2Jmallory, Group ops, ServiceAccount ci/robot and 2 more ClusterRole view in ${PLANE}, where the tenant’s keys lie.`,
  );
});
