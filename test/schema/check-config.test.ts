import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { checkConfig, checkConfigOf, isConfigObject } from '../../src/schema/check-config.ts';
import type { RenderTenantConfig, SyncPolicy, TenantCluster } from '../../src/schema/config-kinds.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import type { SchemaProblem } from '../../src/schema/problems.ts';
import { BAD_CONFIGS } from './bad-configs.ts';
import { functionObject, isolationProfile, PUBLIC_MANIFESTS, syncDecision, syncPolicy, tenantCluster } from './manifests.ts';

const line = (problem: SchemaProblem): string => `${problem.pointer} ${problem.rule}: ${problem.message} ${problem.remedy}`;

describe('a config that is wrong names path, rule, value and remedy', () => {
  test.each(BAD_CONFIGS)('$name', ({ object, problems }) => {
    const check = checkConfig(object);
    expect(check.problems.map(line)).toEqual(problems);
    expect(check.value).toBeUndefined();
  });

  test('every rule has a case', () => {
    const rules = new Set(BAD_CONFIGS.flatMap(({ object }) => checkConfig(object).problems.map((problem) => problem.rule)));
    expect([...rules].sort()).toEqual(
      ['Enum', 'Format', 'Length', 'Maximum', 'Minimum', 'Pattern', 'Required', 'Rule', 'Type', 'UnknownField'].sort(),
    );
  });

  test('the near miss stands apart from the sentence', () => {
    expect(checkConfig(tenantCluster({ mod: 'shared' })).problems[0]?.near).toBe('mode');
    expect(checkConfig(tenantCluster({ podCIDR: '' })).problems[0]?.near).toBe('spec.networking.podCIDR');
    expect(checkConfig(tenantCluster({ mode: 'SHARED' })).problems[0]?.near).toBe('shared');
  });

  test('a value is cut short in a message', () => {
    const [problem] = checkConfig(tenantCluster({ mode: 'x'.repeat(100_000) })).problems;
    expect(problem?.found?.length).toBe(80);
    expect(problem?.message.length).toBeLessThan(200);
  });

  test('a field name of a megabyte is cut short too, and no distance is computed for it', () => {
    const [problem] = checkConfig(tenantCluster({ ['x'.repeat(1_000_000)]: 1 })).problems;
    expect(problem?.message.length).toBeLessThan(200);
  });

  test('a million problems are counted, not listed', () => {
    const { problems } = checkConfig(
      syncPolicy({ driftDetection: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 1])) }),
    );
    expect(problems.length).toBe(101);
    expect(problems.at(-1)?.message).toBe('The object has 4900 further problems that are not listed.');
  });
});

describe('manifests of the public API validate as they are', () => {
  test.each(Object.entries(PUBLIC_MANIFESTS))('%s', (_, object) => {
    const before = structuredClone(object);
    const check = checkConfig(object);
    expect(check.problems).toEqual([]);
    expect(check.value).toBeDefined();
    expect(object).toEqual(before);
  });
});

describe('defaults', () => {
  test('of a TenantCluster', () => {
    expect(checkConfigOf(tenantCluster(), 'TenantCluster').value?.spec).toEqual({
      mode: 'shared',
      isolationProfileRef: { name: 'restricted' },
      syncPolicyRef: { name: 'default' },
      controlPlane: {
        replicas: 1,
        datastore: { type: 'sqlite' },
        storage: { size: '1Gi', onDelete: 'Delete' },
        expose: { loadBalancer: false },
        kubeconfig: { hours: 168 },
        resources: { requests: { cpu: '100m', memory: '512Mi' }, limits: { cpu: '1', memory: '2Gi' } },
      },
      networking: { egressPolicy: 'deny-by-default' },
      migration: { allowModeChange: false, replaceImmutable: false },
      resources: {},
      delivery: 'git',
      secrets: { render: 'none' },
      volumes: { prune: false },
    });
  });

  test('of an IsolationProfile: controls have those of their level, so the schema gives none', () => {
    const spec = checkConfigOf(isolationProfile(), 'IsolationProfile').value?.spec;
    expect(spec?.controls).toEqual({});
    expect(spec?.podSecurity).toEqual({ complete: 'seccomp' });
    expect(spec?.allow).toEqual({
      daemonSets: false,
      selectorlessServices: false,
      endpoints: false,
      imageVolumes: false,
      externalMetrics: false,
    });
  });

  test('of a SyncPolicy', () => {
    expect(checkConfigOf(syncPolicy(), 'SyncPolicy').value?.spec).toEqual({
      conflictPolicy: 'manual',
      driftDetection: { enabled: true, interval: '30s' },
      explain: { recordDecisions: true, retain: 1000 },
      resources: [],
    });
  });

  test('of each item of a list', () => {
    const check = checkConfigOf(tenantCluster({ expects: [{ kind: 'Secret', name: 'db' }] }), 'TenantCluster');
    expect(check.value?.spec.expects).toEqual([{ apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'db' }]);
  });

  test('of the functions: a render stops at what is rejected, a validation at what is refused', () => {
    expect(checkConfigOf(functionObject('RenderTenant'), 'RenderTenant').value?.spec).toEqual({
      output: { config: 'include', shards: 1, sources: 'keep' },
      host: { clusterDomain: 'cluster.local' },
      failOn: 'rejected',
      allowEmpty: false,
    });
    expect(checkConfigOf(functionObject('ValidateTenant', {}), 'ValidateTenant').value?.spec.failOn).toBe('refused');
  });

  test('null and, where the public API has it, the empty string are no values', () => {
    const empty = checkConfigOf(
      tenantCluster({ mode: null, networking: null, controlPlane: { storage: { size: '', className: '' } }, kubernetesVersion: '' }),
      'TenantCluster',
    );
    expect(empty.value).toEqual(checkConfigOf(tenantCluster(), 'TenantCluster').value);
  });

  test('a quantity may be written as a number, and is read as text', () => {
    const check = checkConfigOf(tenantCluster({ resources: { cpu: 2 } }), 'TenantCluster');
    expect(check.value?.spec.resources.cpu).toBe('2');
  });

  test('applying them again changes nothing', () => {
    for (const object of Object.values(PUBLIC_MANIFESTS)) {
      const once = checkConfig(object).value;
      expect(checkConfig(once as unknown as JsonObject).value).toEqual(once);
    }
  });
});

describe('what is not ours to judge', () => {
  test('a status in a package is left out unseen, whatever it holds', () => {
    const check = checkConfig({ ...tenantCluster(), status: 'nonsense' });
    expect(check.problems).toEqual([]);
    expect(check.value).not.toHaveProperty('status');
  });

  test('annotations of anybody are kept', () => {
    const annotations = { 'config.kubernetes.io/path': 'a.yaml', __proto__x: 'y', 'argocd.argoproj.io/sync-wave': '5' };
    expect(checkConfig(tenantCluster({}, { annotations })).value?.metadata?.annotations).toEqual(annotations);
  });

  test('an annotation called __proto__ is a key like others', () => {
    const annotations: JsonObject = JSON.parse('{"__proto__": "x"}');
    const copy = checkConfig(tenantCluster({}, { annotations })).value?.metadata?.annotations ?? {};
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  test('objects of our groups are told by group', () => {
    expect(isConfigObject(tenantCluster())).toBe(true);
    expect(isConfigObject({ apiVersion: 'tenantplane.io/v9', kind: 'Whatever' })).toBe(true);
    expect(isConfigObject({ apiVersion: 'tenantplane.iox/v1', kind: 'TenantCluster' })).toBe(false);
    expect(isConfigObject({ kind: 'TenantCluster' })).toBe(false);
  });
});

describe('a change of mode', () => {
  const before = tenantCluster({ mode: 'shared' });
  test('is refused without consent, and only where the object as it was is known', () => {
    const after = tenantCluster({ mode: 'dedicated' });
    expect(checkConfig(after).problems).toEqual([]);
    expect(checkConfig(after, before).problems.map((problem) => problem.message)).toEqual([
      'spec: mode may change only where migration.allowModeChange is true.',
    ]);
  });
  test('passes with consent, or where an unset mode was the default', () => {
    expect(checkConfig(tenantCluster({ mode: 'dedicated', migration: { allowModeChange: true } }), before).problems).toEqual([]);
    expect(checkConfig(tenantCluster(), before).problems).toEqual([]);
    expect(checkConfig(before, tenantCluster()).problems).toEqual([]);
  });
});

test('a config of one function is none of another', () => {
  expect(checkConfigOf(functionObject('RenderSync'), 'RenderTenant').problems.map(line)).toEqual([
    '/kind Enum: kind is "RenderSync", but must be RenderTenant. Use kind RenderTenant of fn.tenantplane.io/v1alpha1.',
  ]);
});

test('the types say what validation promises', () => {
  expectTypeOf<TenantCluster['spec']['mode']>().toEqualTypeOf<'shared' | 'dedicated' | 'private'>();
  expectTypeOf<TenantCluster['spec']['kubernetesVersion']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<TenantCluster['spec']['controlPlane']['storage']['size']>().toEqualTypeOf<string>();
  expectTypeOf<SyncPolicy['spec']['resources'][number]['scope']>().toEqualTypeOf<'Namespaced' | 'Cluster' | undefined>();
  expectTypeOf<RenderTenantConfig['spec']['output']['shards']>().toEqualTypeOf<number>();
});

test('no input makes it throw, and what it accepts it accepts again', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const place = fc.constantFrom('metadata', 'spec', 'status', 'networking', 'resources', 'controlPlane', 'allow', 'entries');
  const kind = fc.constantFrom(tenantCluster(), isolationProfile(), syncPolicy(), syncDecision(), functionObject('RenderTenant', {}));
  fc.assert(
    fc.property(kind, place, json, (base, key, value) => {
      const spec = { ...(base['spec'] as JsonObject | undefined), [key]: value } as JsonObject;
      for (const object of [{ ...base, [key]: value } as JsonObject, { ...base, spec }]) {
        const check = checkConfig(object);
        expect(check.value === undefined).toBe(check.problems.length > 0);
        if (check.value !== undefined) expect(checkConfig(check.value as unknown as JsonObject).value).toEqual(check.value);
      }
    }),
    { numRuns: 300 },
  );
});
