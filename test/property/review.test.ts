import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equal, isObject, type Json, type JsonObject } from '../../src/core/kube/json.ts';
import { parseQuantity } from '../../src/core/kube/quantity.ts';
import { plan } from '../../src/core/plan/plan.ts';
import type { Plan, PreviousObject } from '../../src/core/plan/plan-types.ts';
import { between, configurationAlone, editedTenants } from '../../src/core/review/between.ts';
import { compareObjects, type Difference, type Step } from '../../src/core/review/compare-objects.ts';
import { hostTree } from '../../src/core/review/host-tree.ts';
import { inputChanges } from '../../src/core/review/input-changes.ts';
import { refusals } from '../../src/core/review/refusal-changes.ts';
import { review, treeOf } from '../../src/core/review/review-plans.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { devPackage, type Files, observe, profile, tenant } from '../support/observe.ts';
import { tenantObject } from './tenant-objects.ts';

const objects = fc.array(tenantObject, { minLength: 1, maxLength: 5 });
const level = fc.constantFrom('baseline', 'restricted');

function packageOf(list: readonly JsonObject[], kind: string): Files {
  const files = Object.fromEntries(list.map((object, index) => [`o${index}.yaml`, emitYaml(object)]));
  return devPackage(files, { profile: profile('restricted', kind) });
}

interface Reviewed {
  readonly before: Plan;
  readonly after: Plan;
  /** the tree that the plan after found */
  readonly stood: readonly PreviousObject[];
  readonly review: ReturnType<typeof review>;
}

function reviewed(before: Files, after: Files): Reviewed {
  const [old, now] = [observe(before), observe(after)];
  const input = {
    before: { label: 'a', inputs: old.inputs, config: old.config },
    after: { label: 'b', inputs: now.inputs, config: now.config },
  };
  const was = plan(old);
  const stood = treeOf(was, input.before);
  const is = plan({ ...now, previous: stood });
  return { before: was, after: is, stood, review: review(was, is, input) };
}

/** Writes differences into a copy, by nothing but their paths: what is removed goes from the end, what is added comes in order. */
function apply(object: JsonObject, differences: readonly Difference[]): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(object)); // nothing shared
  const gone = Symbol('gone');
  const lists = new Map<Json[], { at: number; value: Json }[]>();
  for (const { path, after, order } of differences) {
    if (order === true) continue;
    let holder: Json = copy;
    for (const step of path.slice(0, -1)) holder = child(holder, step);
    const last = path.at(-1);
    if (Array.isArray(holder) && typeof last === 'object') {
      if (last.before === undefined) lists.set(holder, [...(lists.get(holder) ?? []), { at: last.after ?? 0, value: after ?? null }]);
      else if (after === undefined) (holder as unknown[])[last.before] = gone;
      else holder[last.before] = after;
    } else if (isObject(holder) && typeof last === 'string') {
      if (after === undefined) delete holder[last];
      else holder[last] = after;
    }
  }
  for (const [list, added] of lists) for (const { value } of added.sort((a, b) => a.at - b.at)) list.push(value);
  return JSON.parse(JSON.stringify(copy, (_, value) => (Array.isArray(value) ? value.filter((item) => item !== gone) : value)));
}

function child(holder: Json, step: Step): Json {
  if (typeof step === 'string') return isObject(holder) ? (holder[step] ?? {}) : {};
  return Array.isArray(holder) ? (holder[step.before ?? 0] ?? null) : null;
}

/** One text for all that means the same: keys and lists sorted, amounts as numbers. */
function normal(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(normal).sort().join(',')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
    return `{${entries
      .map(([key, item]) => `${key}:${normal(item)}`)
      .sort()
      .join(',')}}`;
  }
  const amount = parseQuantity(value);
  return amount === undefined ? JSON.stringify(value) : `${amount}`;
}

describe('review', () => {
  it('says all that an object is: its differences turn the one into the other', () => {
    let differing = 0;
    fc.assert(
      fc.property(tenantObject, tenantObject, (before, after) => {
        const differences = compareObjects(before, after);
        if (differences.length > 0) differing += 1;
        expect(normal(apply(before, differences))).toBe(normal(after));
        expect(compareObjects(after, after)).toEqual([]);
        expect(compareObjects(after, before).length > 0).toBe(differences.length > 0);
      }),
      { numRuns: 300 },
    );
    expect(differing).toBeGreaterThan(100);
  });

  it('turns the tree before into the tree after, and every change has a cause that was edited', () => {
    let changed = 0;
    fc.assert(
      fc.property(objects, objects, level, level, (a, b, one, other) => {
        const { before, after, stood, review: result } = reviewed(packageOf(a, one), packageOf(b, other));
        const was = hostTree(before);
        // what a frozen tenant had stands on, and of what the fleet shares that which it runs under
        const is = hostTree(after, stood);
        const ids = new Set(result.causes.map(({ id }) => id));
        changed += result.changes.length;
        const key = (change: (typeof result.changes)[number]): string =>
          [...was, ...is].find(
            ([, { ref }]) => ref.kind === change.host.kind && ref.name === change.host.name && ref.namespace === change.host.namespace,
          )?.[0] ?? '';
        const touched = new Map(result.changes.map((change) => [key(change), change]));
        for (const [id, entry] of was) {
          const change = touched.get(id);
          const now = is.get(id);
          if (change === undefined) expect(now !== undefined && compareObjects(strip(entry.object), strip(now.object))).toEqual([]);
          if (change?.verb === 'removed') expect(now).toBeUndefined();
          if (change?.verb === 'changed' && now !== undefined) {
            const applied = apply(strip(entry.object), compareObjects(strip(entry.object), strip(now.object)));
            expect(normal(applied)).toBe(normal(strip(now.object)));
            expect(change.fields.length).toBe(compareObjects(strip(entry.object), strip(now.object)).length);
          }
        }
        for (const id of is.keys()) if (!was.has(id)) expect(touched.get(id)?.verb).toBe('added');
        for (const { causes } of [...result.changes, ...result.isolation, ...result.refusals]) {
          expect(causes.length).toBeGreaterThan(0);
          for (const cause of causes) expect(ids).toContain(cause);
        }
        expect(ids).not.toContain('tool');
      }),
      { numRuns: 120 },
    );
    expect(changed).toBeGreaterThan(200);
  });

  it('agrees with the planner on action and code', () => {
    let deletions = 0;
    fc.assert(
      fc.property(objects, objects, (a, b) => {
        const { after, review: result } = reviewed(packageOf(a, 'restricted'), packageOf(b, 'restricted'));
        const decisions = [...after.tenants.flatMap((tenant) => tenant.decisions), ...after.decisions];
        for (const change of result.changes) {
          const action = change.verb === 'removed' ? 'Delete' : 'Create';
          const decision = decisions.find(
            ({ host, action: of }) =>
              of === action &&
              host?.kind === change.host.kind &&
              host.name === change.host.name &&
              host.namespace === change.host.namespace,
          );
          expect(decision?.code, `${change.host.kind} ${change.host.name}`).toBe(change.code);
          if (change.verb === 'removed') deletions += 1;
        }
      }),
      { numRuns: 80 },
    );
    expect(deletions).toBeGreaterThan(50);
  });

  it('plans those tenants alone whose objects were edited, and tells the edits apart as a plan of all would', () => {
    let [told, alone] = [0, 0];
    fc.assert(
      fc.property(objects, objects, objects, fc.boolean(), (a, b, other, both) => {
        const fleet = (dev: readonly JsonObject[], two: readonly JsonObject[], kind: string): Files => ({
          ...packageOf(dev, kind),
          'tenants/two/tenant.yaml': tenant('two'),
          ...Object.fromEntries(two.map((object, index) => [`tenants/two/objects/o${index}.yaml`, emitYaml(object)])),
        });
        const [old, now] = [observe(fleet(a, other, 'baseline')), observe(fleet(b, both ? a : other, 'restricted'))];
        const input = { before: { ...old, label: 'a' }, after: { ...now, label: 'b' } };
        const was = plan(old);
        const observed = { ...now, previous: treeOf(was, input.before) };
        const is = plan(observed);
        const changes = [...inputChanges(input).changes.values()];
        const only = editedTenants(changes, { before: was, after: is }, input);
        const whole = between(plan(configurationAlone(old.inputs, observed, is, undefined)));
        const part = between(plan(configurationAlone(old.inputs, observed, is, only)), only);
        const [before, after] = [hostTree(was), hostTree(is)];
        for (const id of new Set([...before.keys(), ...after.keys()])) {
          const sides = [before.get(id), after.get(id)] as const;
          const differ = sides.includes(undefined) || !equal(sides[0]?.object, sides[1]?.object);
          if (differ) expect(part.sortOf(id, ...sides), id).toBe(whole.sortOf(id, ...sides));
          if (differ) told += 1;
        }
        const refused = { added: refusals(is), removed: refusals(was) };
        for (const [verb, other] of [
          ['added', 'removed'],
          ['removed', 'added'],
        ] as const)
          for (const [key, decision] of refused[verb])
            if (!refused[other].has(key))
              expect(part.sortOfRefusal(key, decision, verb), key).toBe(whole.sortOfRefusal(key, decision, verb));
        if (only?.size === 1) alone += 1;
      }),
      { numRuns: 80 },
    );
    expect(told).toBeGreaterThan(200);
    expect(alone).toBeGreaterThan(10);
  });

  it('finds nothing between a package and itself in another order', () => {
    fc.assert(
      fc.property(objects, level, (list, kind) => {
        const { review: result } = reviewed(packageOf(list, kind), packageOf([...list].reverse(), kind));
        expect(result).toMatchObject({ causes: [], changes: [], refusals: [], isolation: [] });
      }),
      { numRuns: 60 },
    );
  });
});

/** Where the source lies is no part of what an object means. */
function strip(object: JsonObject): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(object)); // nothing shared
  const metadata = copy['metadata'];
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  if (isObject(annotations)) delete annotations['tenantplane.io/source-path'];
  return equal(copy, object) ? object : copy;
}
