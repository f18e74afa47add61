import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../../deploy/generated-files.ts';
import { CONDITIONS } from '../../src/core/controlplane/lifecycle/condition-reasons.ts';
import { CONFIG_SCHEMAS, type ConfigKind, RESOURCE_SCHEMAS, type ResourceKind } from '../../src/schema/config-kinds.ts';
import { crdOf } from '../../src/schema/crd.ts';
import { FUNCTIONS, functionDefinitionOf } from '../../src/schema/function-definition.ts';
import { ISOLATION_PROFILE } from '../../src/schema/isolation-profile.ts';
import { isObject, type Json, type JsonObject } from '../../src/schema/json.ts';
import { crdOpenApi } from '../../src/schema/openapi.ts';
import { FIELD_RULES } from '../../src/schema/rules.ts';
import { TENANT_CLUSTER } from '../../src/schema/tenant-cluster.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KINDS = Object.keys(CONFIG_SCHEMAS) as ConfigKind[];

describe('the committed files are what the schemas say: run `npm run generate`', () => {
  test.each([...generatedFiles()])('%s', (path, text) => {
    expect(readFileSync(`${ROOT}/${path}`, 'utf8')).toBe(text);
  });

  test('nothing is left over from what is gone', () => {
    const made = [...generatedFiles().keys()];
    const files = readdirSync(`${ROOT}/deploy`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(ts|lua)$|^README\.md$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
    expect(files.sort()).toEqual(made.filter((path) => path.startsWith('deploy/')).sort());
  });

  test('another YAML reader reads the object that was meant', () => {
    const file = load(readFileSync(`${ROOT}/deploy/crds/tenantclusters.yaml`, 'utf8'));
    expect(file).toEqual(JSON.parse(JSON.stringify(crdOf('TenantCluster'))));
  });
});

/** What makes a schema not structural, or not legal in a CRD (Kubernetes documentation, "Specifying a structural schema"). */
function faults(schema: Json, path: string, inLogic = false): string[] {
  if (!isObject(schema)) return [`${path}: no schema`];
  const found: string[] = [];
  const say = (text: string): void => void found.push(`${path}: ${text}`);
  const only = new Set([
    ...['type', 'description', 'default', 'enum', 'format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'],
    ...['required', 'properties', 'additionalProperties', 'items', 'anyOf', 'x-kubernetes-int-or-string', 'x-kubernetes-list-type'],
    ...['x-kubernetes-list-map-keys', 'x-kubernetes-validations'],
  ]);
  for (const key of Object.keys(schema)) if (!only.has(key)) say(`keyword ${key}`);
  if (inLogic) {
    for (const key of ['description', 'default', 'additionalProperties', 'properties', 'items'])
      if (key in schema) say(`${key} inside anyOf`);
    return found;
  }
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  if (intOrString === (schema['type'] !== undefined)) say('exactly one of type and int-or-string');
  if (intOrString) expect(schema['anyOf']).toEqual([{ type: 'integer' }, { type: 'string' }]);
  else if (Array.isArray(schema['anyOf'])) for (const item of schema['anyOf']) found.push(...faults(item, `${path}.anyOf`, true));
  if ('properties' in schema && 'additionalProperties' in schema) say('properties and additionalProperties');
  if (schema['type'] === 'array' && !('items' in schema)) say('array without items');
  if (typeof schema['pattern'] === 'string') {
    new RegExp(schema['pattern'], 'u');
    if (/\(\?[=!<]|\\\d|\\[dwsb]/.test(schema['pattern'])) say('a pattern that RE2 reads otherwise, or not at all');
  }
  const keys = schema['x-kubernetes-list-map-keys'];
  if ((schema['x-kubernetes-list-type'] === 'map') !== Array.isArray(keys)) say('map lists have keys');
  if (Array.isArray(keys) && isObject(schema['items'])) {
    const required = schema['items']['required'];
    for (const key of keys) if (!Array.isArray(required) || !required.includes(key)) say(`key ${String(key)} is not required`);
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const key of Array.isArray(schema['required']) ? schema['required'] : []) {
    if (typeof key !== 'string' || !Object.hasOwn(properties, key)) say(`required ${String(key)} is no property`);
    else if (isObject(properties[key]) && 'default' in properties[key]) say(`${key} is required and has a default`);
  }
  for (const [key, child] of Object.entries(properties)) if (child !== undefined) found.push(...faults(child, `${path}.${key}`));
  if (isObject(schema['additionalProperties'])) found.push(...faults(schema['additionalProperties'], `${path}{}`));
  if (schema['items'] !== undefined) found.push(...faults(schema['items'], `${path}[]`));
  return found;
}

describe('schemas are structural', () => {
  test.each(KINDS)('%s', (kind) => {
    const schema = crdOpenApi(kind);
    expect(faults(schema, kind)).toEqual([]);
    expect(Object.keys(isObject(schema['properties']) ? schema['properties'] : {}).length).toBeGreaterThan(3);
  });

  test('what is not, is seen', () => {
    const bad = {
      type: 'object',
      description: 'x',
      properties: { a: { description: 'x' }, b: { type: 'array' } },
      additionalProperties: { type: 'string' },
      nullable: true,
    };
    expect(faults(bad, 'x')).toEqual([
      'x: keyword nullable',
      'x: properties and additionalProperties',
      'x.a: exactly one of type and int-or-string',
      'x.b: array without items',
    ]);
  });
});

/** Fields of a schema that say nothing about themselves. */
function undescribed(schema: Json | undefined, path: string): string[] {
  if (!isObject(schema)) return [];
  const own = typeof schema['description'] === 'string' || path.endsWith('.metadata') ? [] : [path];
  const children = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  return [
    ...own,
    ...children.flatMap(([key, child]) => undescribed(child, `${path}.${key}`)),
    ...('items' in schema ? undescribed(schema['items'], `${path}[]`) : []),
  ];
}

test.each(KINDS)('every field of %s is described', (kind) => {
  expect(undescribed(crdOpenApi(kind), kind)).toEqual([]);
});

test('every rule over fields stands in the CRD of its kind', () => {
  for (const rule of FIELD_RULES) {
    expect(JSON.stringify(crdOpenApi(rule.kind))).toContain(JSON.stringify({ rule: rule.cel, message: rule.message }));
  }
});

describe('CRDs', () => {
  const table = Object.keys(RESOURCE_SCHEMAS) as ResourceKind[];
  const spec = (kind: ResourceKind): JsonObject => (isObject(crdOf(kind)['spec']) ? (crdOf(kind)['spec'] as JsonObject) : {});

  test.each([
    ['TenantCluster', 'Namespaced', 'tc'],
    ['IsolationProfile', 'Cluster', 'iprof'],
    ['SyncPolicy', 'Cluster', 'sp'],
    ['SyncDecision', 'Namespaced', 'sd'],
  ] as const)('%s is %s, short %s', (kind, scope, short) => {
    expect(spec(kind)).toMatchObject({ scope, names: { kind, shortNames: [short] } });
  });

  test.each(table)('%s has a status subresource, and columns that point at fields', (kind) => {
    const versions = spec(kind)['versions'];
    const version = Array.isArray(versions) && isObject(versions[0]) ? versions[0] : {};
    expect(version['subresources']).toEqual({ status: {} });
    for (const { jsonPath } of RESOURCE_SCHEMAS[kind].printerColumns) {
      const steps = jsonPath
        .slice(1)
        .replace(/\[[^\]]*\]/g, '')
        .split('.');
      let node: Json | undefined = crdOpenApi(kind);
      for (const step of steps[0] === 'metadata' ? [] : steps) {
        const inner: JsonObject = isObject(node) ? (isObject(node['items']) ? node['items'] : node) : {};
        node = isObject(inner['properties']) ? inner['properties'][step] : inner['additionalProperties'];
      }
      expect(node, jsonPath).toBeDefined();
    }
  });
});

test('the columns of TenantCluster read conditions that the reconciler writes, and a pause is among them', () => {
  const types = TENANT_CLUSTER.printerColumns.flatMap(({ jsonPath }) => /@\.type=="(\w+)"/.exec(jsonPath)?.[1] ?? []);
  expect(types.filter((type) => !Object.hasOwn(CONDITIONS, type))).toEqual([]);
  expect(types).toContain('Paused');
});

test('the columns of IsolationProfile are never empty: a level is required, and the stated controls have a default', () => {
  const { required, properties } = ISOLATION_PROFILE.spec;
  const filled = [...required, ...Object.entries(properties).flatMap(([name, field]) => ('default' in field ? name : []))];
  const columns = ISOLATION_PROFILE.printerColumns.map(({ jsonPath }) => jsonPath);
  const always = [...filled.map((name) => `.spec.${name}`), '.metadata.creationTimestamp'];
  expect(columns).toContain('.spec.level');
  expect(columns.filter((path) => !always.includes(path))).toEqual([]);
});

test('each function has a definition that names its config and how it runs', () => {
  for (const [kind, { name }] of Object.entries(FUNCTIONS)) {
    expect(functionDefinitionOf(kind as keyof typeof FUNCTIONS)).toMatchObject({
      apiVersion: 'config.kubernetes.io/v1alpha1',
      kind: 'KRMFunctionDefinition',
      metadata: { name },
      spec: {
        group: 'fn.tenantplane.io',
        names: { kind },
        versions: [{ name: 'v1alpha1', idempotent: true, runtime: { exec: { args: [name] } } }],
      },
    });
  }
});
