import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoundaryInput } from '../../../../src/core/isolation/verify/boundary-input.ts';
import { verifyBoundary } from '../../../../src/core/isolation/verify/verify-boundary.ts';
import { isObject, type Json, type JsonObject, type Path } from '../../../../src/core/kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../../../../src/core/kube/object.ts';
import { pointer } from '../../../../src/core/kube/pointer.ts';
import { describeObject, inputOf, put } from './tenants.ts';

const TENANTS = ['base-unre-none', 'rest-unre-none', 'sand-allo-none', 'rest-allo-own', 'base-allo-own'].map(inputOf);

/** The planned objects that stand there: what the tenant has itself is no row. */
function plannedOf(input: BoundaryInput): readonly KubeObject[] {
  const rows = verifyBoundary(input).rows;
  return input.live.filter((object) =>
    rows.some(
      ({ object: { kind, name, namespace } }) =>
        kind === kindOf(object) && name === nameOf(object) && namespace === metadataOf(object)['namespace'],
    ),
  );
}

function metadataOf(object: KubeObject): JsonObject {
  return isObject(object['metadata']) ? object['metadata'] : {};
}

const PLANNED = TENANTS.map((input) => ({ input, objects: plannedOf(input) }));
const someObject = fc
  .constantFrom(...PLANNED)
  .chain(({ input, objects }) => fc.constantFrom(...objects).map((object) => ({ input, object })));

function replaced(input: BoundaryInput, before: KubeObject, after: KubeObject | undefined): BoundaryInput {
  return { ...input, live: input.live.flatMap((object) => (object !== before ? [object] : after === undefined ? [] : [after])) };
}

/**
 * Of pods that a policy of the tenant's selects, as here, which of them gateways may call only the tenant's input says: an allowance that is
 * gone, or narrower, is seen by nobody, and what it admitted is closed (`gateways.test.ts`).
 */
function isOpenQuestion(object: KubeObject): boolean {
  return nameOf(object).startsWith('tenantplane-allow-ingress-from-gateway');
}

/** Every value below a root, with its path. */
function valuesBelow(value: Json | undefined, path: Path = []): (readonly [Path, Json])[] {
  const children: (readonly [string | number, Json | undefined])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return children.flatMap(([step, item]) =>
    item === undefined ? [] : [[[...path, step], item] as const, ...valuesBelow(item, [...path, step])],
  );
}

/** What may be left out since the API server takes the same for it. */
const UNSAID: readonly RegExp[] = [
  // the port is a TCP port, and an empty selector selects everything
  /^\/spec\/(in|e)gress\/\d+\/ports\/\d+\/protocol$/,
  /^\/spec\/podSelector$/,
  // said all the same, since a rule that is left out must not change them
  /^\/spec\/policyTypes$/,
  /^\/spec\/policyTypes\/\d+$/,
  /^\/spec\/failurePolicy$/,
  /^\/roleRef\/apiGroup$/,
  // a LimitRange's default is its maximum, and its request the default, where none is written
  /^\/spec\/limits\/0\/(default|defaultRequest)/,
  // everything is the scope, and the API server adds nothing to nobody
  /^\/spec\/matchConstraints\/resourceRules\/\d+\/scope$/,
  /^\/spec\/rules\/\d+\/(resourceRules\/\d+\/clusterScope)$/,
];

const RUNS = { numRuns: 250 };

describe('laws of a verification', () => {
  test('there is enough to delete', () => {
    expect(PLANNED.map(({ objects }) => objects.length).every((length) => length > 40)).toBe(true);
    expect(new Set(PLANNED.flatMap(({ objects }) => objects.map(kindOf))).size).toBeGreaterThan(9);
  });

  test('each planned object that is gone is found', () => {
    for (const { input, objects } of PLANNED) {
      for (const object of objects.filter((each) => !isOpenQuestion(each) || nameOf(input.tenantCluster).endsWith('none'))) {
        const rows = verifyBoundary(replaced(input, object, undefined)).rows.filter(({ verdict }) => verdict === 'missing');
        expect(
          rows.map((row) => row.object.name),
          describeObject(object),
        ).toContain(nameOf(object));
      }
    }
  });

  test('each planned field that is gone is found, where leaving it out means something', () => {
    fc.assert(
      fc.property(someObject, fc.nat(), ({ input, object }, pick) => {
        if (isOpenQuestion(object)) return;
        const fields = valuesBelow(object).filter(([path]) => !['apiVersion', 'kind', 'metadata'].includes(String(path[0])));
        const [path] = fields[pick % Math.max(1, fields.length)] ?? [];
        if (path === undefined) return;
        const report = verifyBoundary(replaced(input, object, put(structuredClone(object), path, undefined)));
        const unsaid = UNSAID.some((pattern) => pattern.test(pointer(path)));
        if (report.asPlanned && !unsaid) throw new Error(`nobody saw ${describeObject(object)} without ${pointer(path)}`);
      }),
      RUNS,
    );
  });

  test('each string or number that is changed is found', () => {
    fc.assert(
      fc.property(someObject, fc.nat(), ({ input, object }, pick) => {
        if (isOpenQuestion(object)) return;
        const leaves = valuesBelow(object).filter(
          ([path, value]) => !['apiVersion', 'kind', 'metadata'].includes(String(path[0])) && typeof value !== 'object',
        );
        const [path, value] = leaves[pick % Math.max(1, leaves.length)] ?? [];
        if (path === undefined) return;
        const other = typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${String(value)}1`;
        const report = verifyBoundary(replaced(input, object, put(structuredClone(object), path, other)));
        if (report.asPlanned) throw new Error(`nobody saw ${pointer(path)} of ${describeObject(object)}`);
      }),
      RUNS,
    );
  });

  test('no order that means nothing is a drift', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TENANTS), fc.integer(), (input, seed) => {
        const random = lcg(seed);
        const live = shuffled(
          input.live.map((object) => reordered(object, random) as KubeObject),
          random,
        );
        const report = verifyBoundary({ ...input, live });
        expect(report.rows.filter(({ verdict }) => verdict !== 'as-planned').map(({ sentence }) => sentence)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('the report is in order of what is worst, whatever the order of the objects', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLANNED), fc.integer(), fc.array(fc.nat(), { maxLength: 5 }), ({ input, objects }, seed, picks) => {
        const away = new Set(picks.map((pick) => objects[pick % objects.length]));
        const live = input.live.filter((object) => !away.has(object));
        const report = verifyBoundary({ ...input, live });
        expect(verifyBoundary({ ...input, live: shuffled(live, lcg(seed)) })).toEqual(report);
        const controls = report.rows.map(({ control }) => control);
        expect(controls.filter((control, index) => controls.indexOf(control) < index && controls[index - 1] !== control)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

function reordered(value: Json | undefined, random: () => number): Json | undefined {
  if (Array.isArray(value)) return shuffled(value, random).map((item) => reordered(item, random) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(shuffled(Object.entries(value), random).map(([key, item]) => [key, reordered(item, random)]));
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

function lcg(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
