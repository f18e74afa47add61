import { describe, expect, test } from 'vitest';
import { boundaryToApply } from '../../../../src/core/isolation/verify/boundary-to-apply.ts';
import { verifyBoundary } from '../../../../src/core/isolation/verify/verify-boundary.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../../../src/core/kube/object.ts';
import { added, changed, describeObject, inputOf, PLANE, put, WORK } from './tenants.ts';

const BASE = inputOf('rest-allo-own');
const NEVER = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding', 'FlowSchema', 'PriorityLevelConfiguration'];
const words = (objects: readonly KubeObject[]): string[] => objects.map((object) => `${kindOf(object)} ${nameOf(object)}`);
const isWorkload = (object: KubeObject): boolean => nameOf(object) === WORK || namespaceOf(object) === WORK;

describe('a boundary that the reconciler delivers', () => {
  test('needs nothing where all is as planned', () => {
    const { apply, remove } = boundaryToApply(BASE);
    expect([apply, remove]).toEqual([[], []]);
  });

  test('on an empty host is everything in both namespaces, what closes first, and nothing of the host', () => {
    const { apply, remove, teardown } = boundaryToApply({ ...BASE, live: [] });
    expect(words(apply.filter(isWorkload))).toEqual([
      `Namespace ${WORK}`,
      'ResourceQuota tenantplane-quota',
      'ResourceQuota tenantplane-counts',
      'ResourceQuota tenantplane-no-cross-ns-affinity',
      'ResourceQuota tenantplane-no-high-priority',
      'LimitRange tenantplane-defaults',
      'NetworkPolicy tenantplane-default-deny',
      'NetworkPolicy tenantplane-allow-dns',
      'NetworkPolicy tenantplane-allow-tenant-api',
      'NetworkPolicy tenantplane-allow-same-tenant',
      'ServiceAccount tenantplane-workload',
    ]);
    expect(apply.filter((object) => NEVER.includes(kindOf(object)))).toEqual([]);
    expect(apply.some((object) => nameOf(object) === PLANE)).toBe(true);
    expect([remove, teardown]).toEqual([[], []]);
  });

  test('puts nothing into a namespace that is somebody else’s', () => {
    const { apply } = boundaryToApply({ ...BASE, live: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: WORK } }] });
    expect(words(apply.filter(isWorkload))).toEqual([]);
    expect(apply.length).toBeGreaterThan(5);
  });

  test('is as planned once applied, but for what is Git’s', () => {
    const { apply } = boundaryToApply({ ...BASE, live: [] });
    const missing = verifyBoundary({ ...BASE, live: apply }).rows.filter(({ verdict }) => verdict !== 'as-planned');
    expect(missing.length).toBeGreaterThan(20);
    expect(missing.filter(({ object: { kind } }) => !NEVER.includes(kind))).toEqual([]);
    expect(boundaryToApply({ ...BASE, live: apply }).apply).toEqual([]);
  });

  test('is taken down in reverse, without the namespaces', () => {
    const { teardown } = boundaryToApply(BASE);
    const { apply } = boundaryToApply({ ...BASE, live: BASE.live.filter((object) => !teardown.includes(object)) });
    // what gateways may call is known from what stands there alone, since this tenant has policies of its own
    expect(words(teardown).filter((word) => !word.includes('from-gateway'))).toEqual(words(apply).reverse());
    expect(teardown.filter((object) => kindOf(object) === 'Namespace' || NEVER.includes(kindOf(object)))).toEqual([]);
    expect(kindOf(teardown.at(-1) ?? {})).toBe('ResourceQuota');
    const policies = teardown.filter((object) => kindOf(object) === 'NetworkPolicy').map(nameOf);
    expect(policies.slice(-2).sort()).toEqual(['tenantplane-cp-default-deny', 'tenantplane-default-deny']);
  });

  test('mends what drifted and leaves what is not the tenant’s', () => {
    const drifted = changed(BASE, 'NetworkPolicy', 'default-deny', (object) => put(object, ['spec', 'policyTypes'], ['Ingress']));
    expect(boundaryToApply(drifted).apply.map(describeObject)).toEqual([
      `NetworkPolicy.networking.k8s.io ${WORK}/tenantplane-default-deny`,
    ]);
    const foreign = changed(BASE, 'Namespace', PLANE, (object) =>
      put(object, ['metadata', 'annotations', 'tenantplane.io/tenant-cluster'], 'a/b'),
    );
    const delivery = boundaryToApply(foreign);
    expect(delivery.apply).toEqual([]);
  });

  test('does not apply for ever what an apply does not change', () => {
    const more = changed(BASE, 'ResourceQuota', 'quota', (object) => put(object, ['spec', 'hard', 'requests.nvidia.com/gpu'], '0'));
    expect(verifyBoundary(more).asPlanned).toBe(false);
    expect(boundaryToApply(more).apply).toEqual([]);
  });

  test('takes away allowances of ours that are no longer planned, and nobody else’s policies', () => {
    const own = inputOf('rest-unre-none');
    const opened = own.live.find((object) => nameOf(object) === 'tenantplane-allow-egress-internet');
    expect(opened).toBeDefined();
    const closed = {
      ...own,
      tenantCluster: put(structuredClone(own.tenantCluster), ['spec', 'networking', 'egressPolicy'], 'allow-same-tenant'),
    };
    const open = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'open', namespace: 'team-rest-unre-none' },
      spec: { podSelector: {}, egress: [{}] },
    };
    const { remove, apply } = boundaryToApply(added(closed, open));
    expect(remove).toEqual([opened]);
    expect(apply).toEqual([]);
  });
});
