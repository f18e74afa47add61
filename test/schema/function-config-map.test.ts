import { describe, expect, test } from 'vitest';
import type { FunctionKind } from '../../src/schema/config-kinds.ts';
import { configFromConfigMap, functionConfig } from '../../src/schema/function-config-map.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { functionObject } from './manifests.ts';

const configMap = (data: unknown): JsonObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'function-input' }, data }) as JsonObject;
const problemsOf = (data: unknown, kind: FunctionKind = 'RenderTenant'): string[] =>
  configFromConfigMap(configMap(data), kind).problems.map(
    (problem) => `${problem.pointer} ${problem.rule}: ${problem.message} ${problem.remedy}`,
  );

describe('a ConfigMap with dotted keys is the same config', () => {
  const spec = {
    tenant: { name: 'dev', namespace: 'team-dev' },
    output: { config: 'exclude', shards: 4, sources: 'mark' },
    host: { version: '1.34', clusterDomain: 'corp.local', serviceCIDRs: ['10.96.0.0/12', 'fd00::/108'] },
    failOn: 'warning',
    allowEmpty: true,
    maxDeletions: 0,
    package: '../tenants',
  };
  const text = {
    'tenant.name': 'dev',
    'tenant.namespace': 'team-dev',
    'output.config': 'exclude',
    'output.shards': '4',
    'output.sources': 'mark',
    'host.version': '1.34',
    'host.clusterDomain': 'corp.local',
    'host.serviceCIDRs': '10.96.0.0/12, fd00::/108',
    failOn: 'warning',
    allowEmpty: 'true',
    maxDeletions: '0',
    package: '../tenants',
  };

  test('as strings', () => {
    const fromKind = functionConfig(functionObject('RenderTenant', spec), 'RenderTenant').value?.spec;
    expect(fromKind).toEqual(spec);
    expect(functionConfig(configMap(text), 'RenderTenant').value?.spec).toEqual(fromKind);
  });

  test('as kpt prints it: booleans and numbers plain', () => {
    const plain = { ...text, 'output.shards': 4, 'host.version': 1.34, allowEmpty: true, maxDeletions: 0 };
    expect(configFromConfigMap(configMap(plain), 'RenderTenant').value?.spec).toEqual(spec);
  });

  test('a name that reads as a number or a truth is a name', () => {
    const check = configFromConfigMap(configMap({ 'tenant.name': 12, 'tenant.namespace': true }), 'RenderSync');
    expect(check.value?.spec.tenant).toEqual({ name: '12', namespace: 'true' });
  });

  test('with no data, or no config at all, it is the defaults', () => {
    const defaults = functionConfig(functionObject('ValidateTenant'), 'ValidateTenant').value?.spec;
    expect(functionConfig(undefined, 'ValidateTenant').value?.spec).toEqual(defaults);
    expect(functionConfig(configMap(undefined), 'ValidateTenant').value?.spec).toEqual(defaults);
    expect(functionConfig(configMap({ failOn: null }), 'ValidateTenant').value?.spec).toEqual(defaults);
  });
});

describe('what is wrong points into the ConfigMap', () => {
  test.each<[string, unknown, string[]]>([
    [
      'a misspelt key',
      { 'output.shard': '4' },
      ['/data/output.shard UnknownField: data has no key "output.shard". Did you mean output.shards?'],
    ],
    ['a key without its parent', { shards: '4' }, ['/data/shards UnknownField: data has no key "shards". Did you mean output.shards?']],
    [
      'a key that holds others',
      { tenant: 'dev' },
      ['/data/tenant UnknownField: data has no key "tenant". Name a field under it: tenant.name, tenant.namespace.'],
    ],
    [
      'a key that is nowhere',
      { zzzzzz: '1' },
      [
        '/data/zzzzzz UnknownField: data has no key "zzzzzz". Remove it. Known keys: tenant.name, tenant.namespace, output.config, output.shards, output.sources, host.version, host.clusterDomain, host.serviceCIDRs, host.trustedWriters, host.trustedGroups, failOn, allowEmpty, maxDeletions, package.',
      ],
    ],
    [
      'a number that is none',
      { 'output.shards': 'four' },
      ['/data/output.shards Type: data["output.shards"] is a string ("four"), but must be a whole number. Write a whole number.'],
    ],
    [
      'too small a number',
      { 'output.shards': '0' },
      ['/data/output.shards Minimum: data["output.shards"] is 0, but must be at least 1. Use 1 or more.'],
    ],
    [
      'a truth as YAML 1.1 has it',
      { allowEmpty: 'yes' },
      ['/data/allowEmpty Type: data["allowEmpty"] is a string ("yes"), but must be true or false. Write true or false.'],
    ],
    [
      'a value of no set',
      { failOn: 'error' },
      [
        '/data/failOn Enum: data["failOn"] is "error", which is none of rejected, never, refused, warning. Use one of rejected, never, refused, warning.',
      ],
    ],
    [
      'an item of a list',
      { 'host.serviceCIDRs': '10.96.0.0/12,10.96.0.0' },
      [
        '/data/host.serviceCIDRs Format: data["host.serviceCIDRs"] is "10.96.0.0", but must be a CIDR such as 10.42.0.0/16 or fd00::/108. Write the address of a network and the length of its prefix.',
      ],
    ],
    [
      'half a tenant',
      { 'tenant.name': 'dev' },
      ['/data/tenant.namespace Required: data["tenant.namespace"] is missing. Set it: namespace of the TenantCluster.'],
    ],
    [
      'a version cut short by YAML',
      { 'host.version': 1.3 },
      [
        '/data/host.version Pattern: data["host.version"] is "1.3", but must be a Kubernetes version such as v1.34.2 or 1.34. Write it quoted with two digits after "1.", such as "1.34": YAML reads an unquoted 1.30 as the number 1.3.',
      ],
    ],
    ['data that is a list', ['a'], ['/data Type: data is no map. Write "key: value" lines under it, such as output.shards: "4".']],
    [
      '__proto__',
      JSON.parse('{"__proto__": "x", "__proto__.name": "y"}'),
      [
        expect.stringContaining('/data/__proto__ UnknownField: data has no key "__proto__".'),
        expect.stringContaining('/data/__proto__.name UnknownField: data has no key "__proto__.name".'),
      ] as unknown as string[],
    ],
  ])('%s', (_, data, problems) => {
    expect(problemsOf(data)).toEqual(problems);
  });

  test('a field that the function has not', () => {
    expect(problemsOf({ 'output.shards': '4' }, 'ValidateTenant')[0]).toContain('data has no key "output.shards"');
  });
});
