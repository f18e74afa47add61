import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextChanges, treeAfter } from '../../src/cli/render/next-render.ts';
import type { TreeDifference } from '../../src/cli/tree/compare-tree.ts';
import type { JsonObject } from '../../src/core/kube/json.ts';
import type { Plan } from '../../src/core/plan/plan-types.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { renderText } from '../../src/report/render-text.ts';
import { PLAIN, type TextStyle } from '../../src/report/text.ts';
import { type Files, planFiles, policy, profile, tenant, treeOf } from '../support/observe.ts';
import { tenantObject } from './tenant-objects.ts';

/** What a render of two tenants may find; both may name one Ingress host, or a claim that other objects need. */
interface Package {
  readonly dev: readonly JsonObject[];
  readonly two: readonly JsonObject[];
  readonly level: string;
  readonly cpu: string;
  readonly config: 'include' | 'exclude';
  readonly shards: number;
  /** what is wrong with the second tenant, if anything is */
  readonly fault: 'none' | 'broken file' | 'no TenantCluster' | 'no tenant' | 'other name';
}
const objects = fc.array(tenantObject, { minLength: 1, maxLength: 4 });
const pack: fc.Arbitrary<Package> = fc.record({
  dev: objects,
  two: objects,
  level: fc.constantFrom('baseline', 'restricted'),
  cpu: fc.constantFrom('4', '8'),
  config: fc.constantFrom('include', 'exclude'),
  shards: fc.constantFrom(1, 1, 1, 2),
  fault: fc.constantFrom('none', 'none', 'none', 'broken file', 'no TenantCluster', 'no tenant', 'other name'),
});

const ALLOW = '  allow: {daemonSets: true, ingressClasses: [nginx], ingressHostSuffixes: [dev.example.com]}\n';
const textOf = (list: readonly JsonObject[]): string => {
  const identity = (row: JsonObject): string => `${row['kind']}|${JSON.stringify(row['metadata'])}`;
  return [...new Map(list.map((object) => [identity(object), object])).values()].map(emitYaml).join('---\n');
};

function filesOf({ dev, two, level, cpu, fault }: Package): Files {
  const name = fault === 'other name' ? 'deux' : 'two';
  return {
    'platform/profile.yaml': profile('restricted', level, ALLOW),
    'platform/policy.yaml': policy(),
    'tenants/dev/tenant.yaml': tenant('dev', { spec: `  resources: {cpu: "${cpu}"}\n` }),
    'tenants/dev/objects/app.yaml': textOf(dev),
    ...(fault !== 'no TenantCluster' &&
      fault !== 'no tenant' && {
        'tenants/two/tenant.yaml': tenant(name, { namespace: 'team-two', spec: '  migration: {replaceImmutable: true}\n' }),
      }),
    ...(fault !== 'no tenant' && { 'tenants/two/objects/app.yaml': textOf(two) }),
    ...(fault === 'broken file' && { 'tenants/two/objects/bad.yaml': 'a: [' }),
  };
}

const planOf = (what: Package, tree: ReadonlyMap<string, string>): Plan =>
  planFiles(
    filesOf(what),
    { maxDeletions: 1000, output: { config: what.config, shards: what.shards } },
    [...tree].flatMap(([path, text]) => readDocuments(text, path).objects),
  );

function differenceOf(plan: Plan, before: ReadonlyMap<string, string>): TreeDifference {
  const wanted = [...treeOf(plan)].filter(([path, text]) => before.get(path) !== text);
  return {
    tree: { root: '/', exists: true, files: new Set(before.keys()), folders: new Map() },
    added: wanted.flatMap(([path]) => (before.has(path) ? [] : [path])),
    changed: wanted.flatMap(([path]) => (before.has(path) ? [path] : [])),
    removed: [...plan.removed],
    unchanged: treeOf(plan).size - wanted.length,
    contents: new Map(wanted.map(([path, text]) => [path, () => text])),
  };
}

/** A package that came to hold more, in the place of what it held or beside it. */
const grown = (stood: Package, more: Package): Package => ({
  ...more,
  config: stood.config,
  shards: stood.shards,
  dev: [...stood.dev, ...more.dev],
  two: [...stood.two, ...more.two],
});

const styleOf = (tree: ReadonlyMap<string, string>): TextStyle => ({
  ...PLAIN,
  verbose: true,
  standing: (folder) => [...tree.keys()].filter((path) => path.startsWith(`${folder}/`)).length,
});
const START = ['nothing', 'less', 'less', 'less', 'something else'] as const;

it('a render that wrote knows what the next one says, or that it does not know', () => {
  let [wrote, changed, unknown] = [0, 0, 0];
  fc.assert(
    fc.property(pack, pack, fc.constantFrom(...START), (stood, other, start) => {
      const is = start === 'less' ? grown(stood, other) : other;
      const before = start === 'nothing' ? new Map<string, string>() : treeOf(planOf(stood, new Map()));
      const plan = planOf(is, before);
      fc.pre(!plan.stopped);
      const difference = differenceOf(plan, before);
      const next = nextChanges(plan, difference);
      if (next === undefined) {
        unknown += 1;
        return;
      }
      const tree = treeAfter(before, difference);
      const again = planOf(is, tree);
      expect([...differenceOf(again, tree).contents.keys()]).toEqual([]);
      expect(renderText(plan, next, styleOf(before))).toBe(renderText(again, next, styleOf(tree)));
      wrote += 1;
      if (difference.changed.length > 0) changed += 1;
    }),
    { numRuns: 150 },
  );
  expect(Math.min(wrote, changed, unknown)).toBeGreaterThan(5);
});
