import { describe, expect, test } from 'vitest';
import { CONTROLLER_GUARDS } from '../../deploy/install/controller-guard-rows.ts';
import { GUARDS, guardName, guardObjects } from '../../deploy/install/guard-objects.ts';
import { PROFILE_GROUPS, SHARED_GROUPS } from '../../src/core/isolation/admission/groups.ts';
import type { PolicyObject } from '../../src/core/isolation/admission/policy-object.ts';
import { boundaryToApply } from '../../src/core/isolation/verify/boundary-to-apply.ts';
import { kindRow } from '../../src/core/kube/kinds.ts';
import { apiVersionOf, groupOf, type KubeObject, kindKey, kindOf, nameOf, namespaceOf } from '../../src/core/kube/object.ts';
import { type AdmissionRequest, verdictsOf } from '../support/admission-policy.ts';
import { boundaryInputs } from '../support/boundary.ts';
import { boundaryMatrix } from '../support/boundary-matrix.ts';
import { GUARD_CASES, type GuardCase, NAMESPACES } from '../support/guard-cases.ts';
import { ACCOUNT, GROUPS } from '../support/tenant-package.ts';

const POLICIES: readonly PolicyObject[] = GUARDS.flatMap(guardObjects).map((object) => ({ object, controls: [], rules: [] }));

function request({ operation, object, before, leaving }: GuardCase, namespaces: readonly KubeObject[]): AdmissionRequest {
  const key = kindKey(apiVersionOf(object), kindOf(object));
  const namespace = namespaces.find((each) => nameOf(each) === namespaceOf(object));
  const marked = (each: KubeObject): KubeObject =>
    leaving === undefined ? each : { ...each, metadata: { ...(each['metadata'] as object), deletionTimestamp: '2026-01-01T00:00:00Z' } };
  return {
    operation,
    group: groupOf(apiVersionOf(object)),
    resource: kindRow(key)?.plural ?? (key === 'Event.events.k8s.io' ? 'events' : 'tenantclusters'),
    ...(operation !== 'DELETE' && { object: marked(object) }),
    ...(before !== undefined && { oldObject: marked(before) }),
    ...(namespace !== undefined && { namespace }),
    user: ACCOUNT,
    groups: GROUPS,
  };
}

const refusedBy = (row: GuardCase, namespaces = NAMESPACES): string[] => [
  ...new Set(verdictsOf(POLICIES, request(row, namespaces)).map(({ rule }) => rule)),
];

describe('what the API server asks of what the reconciler writes', () => {
  test.each(GUARD_CASES.map((row) => [row.what, row] as const))('%s', (_, row) => {
    expect(refusedBy(row)).toEqual(row.rules);
  });

  test('has a case for each rule that nothing else refuses', () => {
    const alone = new Set(GUARD_CASES.filter(({ rules }) => rules.length === 1).flatMap(({ rules }) => rules));
    expect(GUARDS.flatMap(({ rules }) => rules.map(({ id }) => id)).sort()).toEqual([...alone].sort());
  });

  test('is asked of nobody else', () => {
    for (const row of GUARD_CASES)
      expect(verdictsOf(POLICIES, { ...request(row, NAMESPACES), user: 'system:serviceaccount:argocd:applier' })).toEqual([]);
  });

  test('lets it apply and take down every boundary that it delivers', () => {
    const seen = boundaryInputs(boundaryMatrix()).flatMap((input) => {
      const { apply, teardown } = boundaryToApply({ ...input, live: [] });
      const namespaces = apply.filter((object) => kindOf(object) === 'Namespace');
      // the workload namespace is Git's: without it there is no TenantCluster
      const made = apply.map((object): GuardCase => {
        const old = object === namespaces[0] ? ({ operation: 'UPDATE', before: object } as const) : ({ operation: 'CREATE' } as const);
        return { what: nameOf(object), object, rules: [], ...old };
      });
      const gone = [...teardown, ...boundaryToApply(input).teardown].map(
        (object): GuardCase => ({ what: nameOf(object), operation: 'DELETE', object, before: object, rules: [] }),
      );
      return [...made, ...gone].map((row) => [kindOf(row.object), row.what, ...refusedBy(row, namespaces)]);
    });
    expect(seen.filter(([, , ...rules]) => rules.length > 0)).toEqual([]);
    const kinds = CONTROLLER_GUARDS.flatMap(({ matches }) => matches.flatMap(({ resources }) => resources));
    expect(new Set(seen.map(([kind]) => kind)).size).toBe(kinds.length);
  });

  test('has names that no profile’s policy has', () => {
    const groups = [...Object.keys(PROFILE_GROUPS), ...Object.keys(SHARED_GROUPS)];
    for (const name of GUARDS.map(guardName)) expect(groups.filter((group) => name.endsWith(`-${group}`))).toEqual([]);
    expect(new Set(GUARDS.map(guardName)).size).toBe(GUARDS.length);
  });
});
