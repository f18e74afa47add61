import { describe, expect, it } from 'vitest';
import { KEY } from '../../../src/core/identity/metadata.ts';
import { asString, at } from '../../../src/core/kube/json.ts';
import type { RenderConfig } from '../../../src/core/plan/plan-types.ts';
import { devPackage, type Files, planFiles, profile, tenant, treeOf } from '../../support/observe.ts';

const pool = (text: string): string => `  mode: dedicated\n  nodePool: {nodeSelector: {pool: qa}, tolerations: ${text}}\n`;
const withQa = (spec: string): Files => ({ ...devPackage({}), 'tenants/qa/tenant.yaml': tenant('qa', { spec }) });
const said = (spec: string, key: string = KEY.nodePoolTolerations): string | undefined => {
  const files = planFiles(withQa(spec)).tenants.flatMap(({ files: all }) => all);
  const namespace = files.find(({ object }) => at(object, 'kind') === 'Namespace' && at(object, 'metadata', 'name') === 'team-qa');
  return asString(at(namespace?.object ?? {}, 'metadata', 'annotations', key));
};
const shared = (files: Files): [string, string][] =>
  [...treeOf(planFiles(files))].filter(([path]) => path.startsWith('platform/') && path.includes('_tenantplane-restricted'));

/** What is said of nodes that two tenants have, by the tenant that it is said of. */
const sharedBy = (selectors: Readonly<Record<string, string>>, more: Partial<RenderConfig> = {}): Record<string, string> => {
  const spec = (labels: string): string => `  mode: dedicated\n  nodePool: {nodeSelector: ${labels}, tolerations: [{operator: Exists}]}\n`;
  const tenants = Object.entries(selectors).map(([name, labels]) => [`tenants/${name}/tenant.yaml`, tenant(name, { spec: spec(labels) })]);
  const { findings } = planFiles({ ...devPackage({}), ...Object.fromEntries(tenants) }, more);
  const said = findings.filter(({ reason }) => reason === 'NodePoolShared');
  return Object.fromEntries(
    said.map((each) => [each.source.path.split('/')[1] ?? '', / on nodes of (.*) as well/.exec(each.message)?.[1] ?? '']),
  );
};

describe('nodes that are two tenants’ own', () => {
  it.each([
    ['the same labels', '{pool: a, zone: b}', '{zone: b, pool: a}'],
    ['all labels of the other and one more', '{pool: a}', '{pool: a, zone: b}'],
    ['some of them', '{pool: a, zone: b, rack: c}', '{zone: b}'],
  ])('are warned of at both: %s', (_, qa, test) => {
    expect(sharedBy({ qa, test })).toEqual({ qa: 'team-test/test', test: 'team-qa/qa' });
  });

  it.each([
    ['another value', '{pool: a}', '{pool: b}'],
    ['another key', '{pool: a}', '{zone: a}'],
    ['a label each beside one of both', '{pool: a, zone: a}', '{pool: a, zone: b}'],
    ['a text that is the same', '{pool: a}', '{"pool.a": ""}'],
  ])('are not seen where labels differ: %s', (_, qa, test) => {
    expect(sharedBy({ qa, test })).toEqual({});
  });

  it('are named a few of them, and no tenant that shares its nodes with everybody', () => {
    const all = sharedBy(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, '{pool: all}'])));
    expect(all['a']).toBe('team-b/b, team-c/c, team-d/d, 1 more');
    expect(Object.keys(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('are said with the file and field, and what to do; not where a function renders tenants’ objects alone', () => {
    const spec = pool('[{operator: Exists}]');
    const { findings } = planFiles({ ...withQa(spec), 'tenants/test/tenant.yaml': tenant('test', { spec }) });
    expect(findings.find(({ reason }) => reason === 'NodePoolShared')).toMatchObject({
      code: 'TP3095',
      severity: 'warning',
      tenant: 'team-qa/qa',
      source: { path: 'tenants/qa/tenant.yaml' },
      pointer: '/spec/nodePool/nodeSelector',
      message: expect.stringContaining('tenant qa chooses its own nodes stand on nodes of team-test/test as well'),
      remedy: expect.stringContaining('spec.nodePool.nodeSelector'),
    });
    expect(sharedBy({ qa: '{pool: a}', test: '{pool: a}' }, { scope: 'sync' })).toEqual({});
  });
});

describe('a tenant with nodes of its own', () => {
  it('changes no object of its profile', () => {
    const before = shared(devPackage({}));
    expect(before.length).toBeGreaterThan(10);
    expect(shared(withQa(pool('[{key: qa, operator: Exists}]')))).toEqual(before);
    // and the comparison sees a change of the profile
    const changed = { ...devPackage({}), 'platform/profile.yaml': profile('restricted', 'baseline') };
    expect(shared(changed)).not.toEqual(before);
  });

  it('has its tolerations on its workload namespace, each once, in any order the same', () => {
    const [one, two] = ['{key: qa, value: a, effect: NoExecute, tolerationSeconds: 60}', '{operator: Exists}'];
    expect(said(pool(`[${one}, ${two}, ${one}]`))).toBe('qa|Equal|a|NoExecute|60,|Exists|||');
    expect(said(pool(`[${two}, ${one}]`))).toBe(said(pool(`[${one}, ${two}]`)));
  });

  it('has the labels of its nodes there as well, in any order the same', () => {
    const labels = (text: string): string => pool('[]').replace('{pool: qa}', text);
    expect(said(labels('{zone: b, pool: qa, "example.com/kept": ""}'), KEY.nodePoolSelector)).toBe('example.com/kept=,pool=qa,zone=b');
    expect(said(labels('{pool: qa, "example.com/kept": "", zone: b}'), KEY.nodePoolSelector)).toBe('example.com/kept=,pool=qa,zone=b');
    expect(said(labels('{pool: qa}').replace('dedicated', 'shared'), KEY.nodePoolSelector)).toBe('');
    expect(said('', KEY.nodePoolSelector)).toBe('');
  });

  it('has its pool among its controls, with the policy that holds pods to it', () => {
    const { tenants } = planFiles(withQa(pool('[]')));
    const row = tenants.find(({ name }) => name === 'qa')?.controls.find(({ field }) => field === 'mode');
    expect(row?.enforcedBy).toEqual(['ValidatingAdmissionPolicy/tenantplane-restricted-pods', 'render']);
  });

  it.each([
    ['no pool', ''],
    ['no toleration', pool('[]')],
    ['nodes that are shared', pool('[{key: qa, operator: Exists}]').replace('dedicated', 'shared')],
  ])('else says that it has none, so that nothing which stood there before counts: %s', (_, spec) => {
    expect(said(spec)).toBe('');
  });

  it.each([
    [pool('[]'), ['NodePoolOpen']],
    [pool('[{key: qa, operator: Exists}]'), []],
    [pool('[]').replace('dedicated', 'shared'), []],
  ])('is warned of where nothing keeps others off its nodes: %j', (spec, expected) => {
    const { findings } = planFiles(withQa(spec));
    expect(findings.filter(({ reason }) => reason === 'NodePoolOpen').map(({ reason }) => reason)).toEqual(expected);
  });
});
