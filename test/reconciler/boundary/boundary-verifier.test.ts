import { describe, expect, test } from 'vitest';
import { BOUNDARY_KINDS } from '../../../src/core/isolation/verify/boundary-kinds.ts';
import { keyOf as kindKeyOf } from '../../../src/core/isolation/verify/live-boundary.ts';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '../../../src/core/kube/object.ts';
import { type MutableStore, objectStore } from '../../../src/kube/reflector/object-store.ts';
import { boundaryVerifier } from '../../../src/reconciler/boundary/boundary-verifier.ts';
import { type BoundaryView, gatherBoundary } from '../../../src/reconciler/boundary/gather.ts';
import { WATCHED_KINDS } from '../../../src/reconciler/process/watched-kinds.ts';
import { inputOf, put, WORK } from '../../core/isolation/verify/tenants.ts';

const INPUT = inputOf('rest-allo-own');
const OTHER = inputOf('rest-deny-none');

function viewOf(objects: readonly KubeObject[]): BoundaryView & { put(object: KubeObject): void; remove(object: KubeObject): void } {
  const stores = new Map<string, MutableStore>(BOUNDARY_KINDS.map(({ plural }) => [plural, objectStore()]));
  const storeOf = (object: KubeObject): MutableStore => {
    const store = stores.get(BOUNDARY_KINDS.find(({ key }) => key === kindKeyOf(object))?.plural ?? '');
    if (store === undefined) throw new Error(kindOf(object));
    return store;
  };
  for (const object of objects) storeOf(object).put(object);
  return {
    put: (object) => void storeOf(object).put(object),
    remove: (object) => void storeOf(object).remove(object),
    store: (plural) => {
      const store = stores.get(plural) ?? objectStore();
      return {
        get: (key) => store.get(key),
        values: () => store.values(),
        inNamespace: (namespace) => [...store.values()].filter((object) => namespaceOf(object) === namespace),
      };
    },
  };
}

const versioned = (object: KubeObject, version: string): KubeObject =>
  put(structuredClone(object), ['metadata', 'resourceVersion'], version);
const sorted = (objects: readonly KubeObject[]): string[] => objects.map((object) => JSON.stringify(object)).sort();

describe('gathering', () => {
  test('takes a tenant’s own and the host’s, and nothing of another tenant', () => {
    const view = viewOf([...INPUT.live, ...OTHER.live]);
    expect(sorted(gatherBoundary(view, INPUT.tenantCluster))).toEqual(
      sorted([
        ...INPUT.live,
        ...OTHER.live.filter((object) => nameOf(object) === 'tenantplane-team-rest-deny-none' && kindOf(object) === 'FlowSchema'),
      ]),
    );
  });

  test('reads no Secret, and all kinds that are read are watched once', () => {
    const read = WATCHED_KINDS.filter(({ resource }) => BOUNDARY_KINDS.some(({ plural }) => plural === resource.plural));
    const plurals = read.map(({ resource }) => resource.plural);
    expect([...plurals].sort()).toEqual(BOUNDARY_KINDS.map(({ plural }) => plural).sort());
    expect(plurals).not.toContain('secrets');
    expect(new Set(plurals).size).toBe(plurals.length);
    // nobody takes an object out of sight by a label, and each is read whole
    expect(read.filter(({ labelSelector, metadataOnly }) => labelSelector !== undefined || metadataOnly === true)).toEqual([]);
    expect(read.filter(({ resource }) => !resource.namespaced).map(({ resource }) => resource.plural)).toEqual([
      'namespaces',
      'clusterrolebindings',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'flowschemas',
      'prioritylevelconfigurations',
    ]);
  });
});

describe('a verifier', () => {
  test('compares again what has changed, and nothing else', () => {
    const view = viewOf([...INPUT.live.map((object) => versioned(object, '1')), ...OTHER.live.map((object) => versioned(object, '1'))]);
    const verifier = boundaryVerifier(view);
    const report = verifier.verify(INPUT);
    expect(report.asPlanned).toBe(true);
    expect(verifier.verify(OTHER).asPlanned).toBe(true);
    expect(verifier.verify(INPUT)).toBe(report);
    expect(verifier.counts).toEqual({ compared: 2, unchanged: 1 });

    const quota = INPUT.live.find((object) => nameOf(object) === 'tenantplane-counts');
    const deny = INPUT.live.find((object) => nameOf(object) === 'tenantplane-default-deny');
    if (quota === undefined || deny === undefined) throw new Error('they are there');
    // the quota controller counts
    view.put(put(versioned(quota, '2'), ['status'], { used: { pods: '1' } }));
    // whoever reconciles the tenant writes its status
    const seen = { ...INPUT, tenantCluster: put(versioned(INPUT.tenantCluster, '7'), ['status'], { phase: 'Ready' }) };
    expect(verifier.verify(seen)).toBe(report);
    expect(verifier.counts.compared).toBe(2);

    view.put(put(versioned(quota, '3'), ['spec', 'hard', 'pods'], '999'));
    expect(verifier.verify(INPUT).enforced).toBe(false);
    view.put(versioned(quota, '4'));
    expect(verifier.verify(INPUT).enforced).toBe(true);
    view.remove(deny);
    expect(verifier.verify(INPUT).rows[0]).toMatchObject({
      verdict: 'missing',
      object: { namespace: WORK, name: 'tenantplane-default-deny' },
    });
    expect(verifier.verify(OTHER).asPlanned).toBe(true);
    expect(verifier.counts.compared).toBe(5);
  });

  test('compares again when its configuration changes, and after a tenant was forgotten', () => {
    const verifier = boundaryVerifier(viewOf(INPUT.live));
    verifier.verify(INPUT);
    const more = { ...INPUT, profile: put(structuredClone(INPUT.profile), ['spec', 'quota'], { pods: '10' }) };
    expect(verifier.verify(more).asPlanned).toBe(false);
    expect(verifier.verify(INPUT).asPlanned).toBe(true);
    verifier.forget(INPUT.tenantCluster);
    verifier.verify(INPUT);
    expect(verifier.counts).toEqual({ compared: 4, unchanged: 0 });
  });
});
