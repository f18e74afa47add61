import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/core/kube/kinds.ts';
import { checkConfig } from '../../src/schema/check-config.ts';
import { CONFIG_SCHEMAS, type ConfigKind } from '../../src/schema/config-kinds.ts';
import { EXAMPLE_RESOURCES, exampleIsolationProfile, exampleSyncPolicy, exampleTenantCluster } from '../../src/schema/example-objects.ts';
import { fieldsOf } from '../../src/schema/fields.ts';
import { jsonSchema } from '../../src/schema/openapi.ts';

describe('the table of fields', () => {
  test('holds path, type, default, allowed values and description', () => {
    const rows = new Map(fieldsOf('TenantCluster').map((row) => [row.path, row]));
    expect(rows.get('spec.mode')).toMatchObject({
      type: 'string',
      required: false,
      default: 'shared',
      allowed: ['shared', 'dedicated', 'private'],
    });
    expect(rows.get('spec.syncPolicyRef')).toMatchObject({ type: 'object', required: true });
    expect(rows.get('spec.controlPlane.storage.size')).toMatchObject({
      type: 'quantity',
      default: '1Gi',
      format: 'a quantity such as 500m, 2 or 1Gi',
    });
    expect(rows.get('spec.controlPlane.extraTLSSANs')).toMatchObject({ type: 'list of string' });
    expect(rows.get('spec.expects[].namespace')).toMatchObject({ default: 'default' });
    expect(rows.get('spec.nodePool.nodeSelector')).toMatchObject({ type: 'map of string' });
  });

  test('of a SyncDecision is that of its status', () => {
    expect(fieldsOf('SyncDecision').every((row) => row.path.startsWith('status.'))).toBe(true);
  });

  test.each(Object.keys(CONFIG_SCHEMAS) as ConfigKind[])('%s: sentences, each path once', (kind) => {
    const rows = fieldsOf(kind);
    expect(rows.length).toBeGreaterThan(9);
    expect(new Set(rows.map((row) => row.path)).size).toBe(rows.length);
    expect(rows.filter((row) => !/^\S.*\.$/.test(row.description)).map((row) => row.path)).toEqual([]);
  });
});

describe('JSON Schema', () => {
  test('names the kind, closes objects, and has nothing that only an API server reads', () => {
    const schema = jsonSchema('SyncPolicy');
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'SyncPolicy',
      required: ['apiVersion', 'kind', 'metadata', 'spec'],
      additionalProperties: false,
      properties: { apiVersion: { const: 'tenantplane.io/v1alpha1' }, kind: { const: 'SyncPolicy' } },
    });
    expect(JSON.stringify(schema)).not.toContain('x-kubernetes');
    expect(jsonSchema('RenderTenant')['required']).toEqual(['apiVersion', 'kind']);
  });

  test('leaves maps open', () => {
    expect(JSON.stringify(jsonSchema('IsolationProfile'))).toContain('"quota":{"type":"object"');
    const quota = JSON.stringify(jsonSchema('IsolationProfile')).split('"quota":')[1] ?? '';
    expect(quota.slice(0, 400)).toMatch(/"additionalProperties":\{/);
  });
});

describe('objects to begin with', () => {
  test('a TenantCluster with the public tool’s fields, in a namespace of its own', () => {
    const { object, problems } = exampleTenantCluster('dev');
    expect(problems).toEqual([]);
    expect(object).toEqual({
      apiVersion: 'tenantplane.io/v1alpha1',
      kind: 'TenantCluster',
      metadata: { name: 'dev', namespace: 'team-dev' },
      spec: {
        mode: 'shared',
        isolationProfileRef: { name: 'restricted' },
        syncPolicyRef: { name: 'default' },
        controlPlane: { replicas: 1, datastore: { type: 'sqlite' } },
        networking: { egressPolicy: 'deny-by-default' },
        migration: { allowModeChange: true },
      },
    });
  });

  test('flags are taken, and a wrong one is a problem of the field it sets', () => {
    const flags = {
      namespace: 'n',
      mode: 'dedicated',
      isolationProfile: 'p',
      syncPolicy: 's',
      kubernetesVersion: '1.35',
      egressPolicy: 'unrestricted',
      cpu: '2',
      memory: '4Gi',
    };
    const { object, problems } = exampleTenantCluster('dev', flags);
    expect(problems).toEqual([]);
    expect(object).toMatchObject({
      metadata: { namespace: 'n' },
      spec: {
        mode: 'dedicated',
        isolationProfileRef: { name: 'p' },
        syncPolicyRef: { name: 's' },
        kubernetesVersion: '1.35',
        resources: { cpu: '2', memory: '4Gi' },
      },
    });
    expect(exampleTenantCluster('Dev', { mode: 'shard' }).problems.map((problem) => problem.pointer)).toEqual([
      '/metadata/name',
      '/metadata/namespace',
      '/spec/mode',
    ]);
  });

  test.each(['baseline', 'restricted', 'sandboxed'])('a profile of level %s pins no control, so that its level can be changed', (level) => {
    const { object, problems } = exampleIsolationProfile('p', { level });
    expect(problems).toEqual([]);
    expect(object['spec']).toEqual({ level });
  });

  test('a level that is none is a problem', () => {
    expect(exampleIsolationProfile('p', { level: 'constructor' }).problems.map((problem) => problem.pointer)).toEqual(['/spec/level']);
  });

  test.each(EXAMPLE_RESOURCES)('a policy for %s lists kinds that are projected, each once', (resources) => {
    const { object, problems } = exampleSyncPolicy('default', { resources });
    expect(problems).toEqual([]);
    const check = checkConfig(object).value;
    const entries = check?.kind === 'SyncPolicy' ? check.spec.resources : [];
    const known = new Set(
      KINDS.filter((row) => row.role === 'projected').flatMap((row) =>
        row.versions.map((v) => `${row.group === '' ? v : `${row.group}/${v}`} ${row.kind}`),
      ),
    );
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.filter((entry) => !known.has(`${entry.apiVersion} ${entry.kind}`))).toEqual([]);
    expect(new Set(entries.map((entry) => entry.kind)).size).toBe(entries.length);
  });

  test('a set of resources that is none is a problem', () => {
    const [problem] = exampleSyncPolicy('default', { resources: 'all', conflictPolicy: 'host-wins' }).problems;
    expect(problem).toMatchObject({ pointer: '/spec/resources', found: 'all', remedy: 'Use one of applications, pods.' });
  });
});
