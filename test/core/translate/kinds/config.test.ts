import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import { make, run } from './kind.ts';

const configMap = (fields: JsonObject) => make('v1', 'ConfigMap', 'cfg', fields);
const REDIS = make('v1', 'Service', 'redis', { spec: { selector: { app: 'redis' } } });
const DB = make('v1', 'Service', 'db', { spec: { selector: { app: 'db' }, clusterIP: 'None' } }, 'data');

describe('a ConfigMap', () => {
  it('passes as it is, immutable or not', () => {
    const fields = { data: { 'a.conf': 'x: 1\n', EMPTY: '' }, binaryData: { 'b.bin': 'aGk=' }, immutable: true };
    const result = run('ConfigMap', configMap(fields));
    expect(result.refused).toEqual([]);
    expect(result.object).toMatchObject(fields);
  });

  it.each<[string, JsonObject]>([
    ['a number', { data: { PORT: 8080 } }],
    ['a boolean', { data: { DEBUG: true } }],
    ['a nested map', { data: { a: { b: 'c' } } }],
    ['a list', { data: ['a'] }],
    ['a key with a slash', { data: { 'a/b': 'c' } }],
    ['a key that climbs', { data: { '..': 'c' } }],
    ['binary data that is no base64', { binaryData: { b: '%%%' } }],
    ['a field of another kind', { stringData: { a: 'b' } }],
  ])('with %s is refused before the API server does', (_, fields) => {
    expect(run('ConfigMap', configMap(fields)).refused).toEqual(['ObjectMalformed']);
  });

  it('that names Services in full is warned about where only short names resolve', () => {
    const object = configMap({ data: { url: 'redis://redis.default.svc.cluster.local:6379', hosts: 'db.data, redis', x: 'db.data.svc' } });
    const result = run('ConfigMap', object, { objects: [REDIS, DB] });
    expect(result.notes).toEqual(['DnsNameUnresolvable']);
    expect(result.noteParams[0]).toEqual({ names: 'db.data, redis.default' });
    expect(run('ConfigMap', object, { objects: [REDIS, DB], tenant: { dns: 'server' } }).notes).toEqual([]);
  });

  it('with many such names is warned about in one short sentence', () => {
    const services = Array.from({ length: 12 }, (_, index) => make('v1', 'Service', `s${index}`));
    const data = Object.fromEntries(services.map((_, index) => [`k${index}`, `s${index}.default`]));
    expect(run('ConfigMap', configMap({ data }), { objects: services }).noteParams[0]?.['names']).toMatch(/ and 4 more$/);
  });
});

const CANARY = 'aHVudGVyMg==';
const secret = (fields: JsonObject) => make('v1', 'Secret', 's', fields);
const PLAIN = { tenant: { renderSecrets: 'plain' as const } };

describe('a Secret', () => {
  it('in plain text is not rendered unless the TenantCluster says so', () => {
    expect(run('Secret', secret({ data: { a: CANARY } })).refused).toEqual(['SecretNotRendered']);
    expect(run('Secret', secret({ data: { a: CANARY } }), PLAIN).refused).toEqual([]);
  });

  it('of an ordinary type keeps it', () => {
    const fields = { type: 'kubernetes.io/tls', data: { 'tls.crt': CANARY, 'tls.key': CANARY }, immutable: true };
    expect(run('Secret', secret(fields), PLAIN).object).toMatchObject(fields);
  });

  it('of the token type is filled by no controller of the host', () => {
    const object = secret({
      type: 'kubernetes.io/service-account-token',
      data: { token: CANARY, 'ca.crt': CANARY, namespace: CANARY, extra: CANARY },
      stringData: { token: 'hunter2' },
    });
    object['metadata'] = {
      name: 's',
      namespace: 'default',
      annotations: { 'kubernetes.io/service-account.name': 'default', 'kubernetes.io/service-account.uid': 'u', keep: 'x' },
    };
    const result = run('Secret', object, { ...PLAIN, allow: { annotations: ['kubernetes.io/*', 'keep'] } });
    expect(result.refused).toEqual([]);
    expect(result.host('type')).toBe('Opaque');
    expect(result.host('data')).toEqual({ extra: CANARY });
    expect(result.host('stringData')).toEqual({});
    expect(result.host('metadata', 'annotations')).toEqual({ keep: 'x' });
    expect(result.everything).not.toContain(CANARY);
    expect(result.everything).not.toContain('hunter2');
  });

  it('that lets a node join the host is refused', () => {
    expect(run('Secret', secret({ type: 'bootstrap.kubernetes.io/token' }), PLAIN).refused).toEqual(['SecretTypeBlocked']);
    expect(run('Secret', secret({ type: 'bootstrap.kubernetes.io/token' })).refused[0]).toBe('SecretTypeBlocked');
  });

  it.each<[string, JsonObject]>([
    ['no base64', { data: { password: 'hunter2!' } }],
    ['base64 without its padding', { data: { password: 'hunter2' } }],
    ['a number', { data: { password: 4242 } }],
    ['a number in stringData', { stringData: { password: 4242 } }],
    ['a nested map', { data: { password: { hunter2: 'hunter2' } } }],
  ])('with %s is refused by the key’s name, without its value', (_, fields) => {
    const result = run('Secret', secret(fields), PLAIN);
    expect(result.refused).toEqual(['ObjectMalformed']);
    expect(result.params[0]?.['pointer']).toContain('password');
    expect(result.everything).not.toMatch(/hunter2|4242/);
  });

  it('with line breaks in its base64 is legal', () => {
    expect(run('Secret', secret({ data: { a: 'aGk=\n', b: 'aHVu\r\ndGVyMg==' } }), PLAIN).refused).toEqual([]);
  });
});

describe('a claim', () => {
  const claim = (spec: JsonObject) => make('v1', 'PersistentVolumeClaim', 'data', { spec });
  const SIZE = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

  it('without a class keeps having none', () => {
    const result = run('PersistentVolumeClaim', claim(SIZE));
    expect(result.refused).toEqual([]);
    expect(result.host('spec')).toEqual(SIZE);
  });

  it('chooses no volume of the host: by name, by label, by a class that is not allowed', () => {
    expect(run('PersistentVolumeClaim', claim({ ...SIZE, volumeName: 'pv-of-other' })).refused).toEqual(['VolumeNamePinned']);
    expect(run('PersistentVolumeClaim', claim({ ...SIZE, selector: { matchLabels: { a: 'b' } } })).refused).toEqual(['VolumeNamePinned']);
    expect(run('PersistentVolumeClaim', claim({ ...SIZE, selector: {} })).refused).toEqual(['VolumeNamePinned']);
    expect(run('PersistentVolumeClaim', claim({ ...SIZE, storageClassName: 'fast' })).refused).toEqual(['StorageClassBlocked']);
    const allowed = run('PersistentVolumeClaim', claim({ ...SIZE, storageClassName: 'fast' }), { allow: { storageClasses: ['fast'] } });
    expect(allowed.refused).toEqual([]);
    expect(allowed.host('spec', 'storageClassName')).toBe('fast');
  });

  it('is copied from the tenant’s own claim in both fields', () => {
    const source = { kind: 'PersistentVolumeClaim', name: 'old' };
    const result = run('PersistentVolumeClaim', claim({ ...SIZE, dataSource: source, dataSourceRef: source }));
    expect(result.refused).toEqual([]);
    expect(result.host('spec', 'dataSource', 'name')).toBe('old-x-default-x-dev');
    expect(result.host('spec', 'dataSourceRef', 'name')).toBe('old-x-default-x-dev');
    expect(result.references).toEqual(['PersistentVolumeClaim default/old', 'PersistentVolumeClaim default/old']);
  });

  it('is copied from a set’s claim under the name that the set on the host gave it', () => {
    const set = make('apps/v1', 'StatefulSet', 'db', { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] } });
    const result = run('PersistentVolumeClaim', claim({ ...SIZE, dataSource: { kind: 'PersistentVolumeClaim', name: 'data-db-0' } }), {
      objects: [set],
    });
    expect(result.host('spec', 'dataSource', 'name')).toBe('data-db-x-default-x-dev-0');
  });

  it.each<[string, JsonObject]>([
    ['another namespace', { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'x', namespace: 'kube-system' } }],
    ['a snapshot', { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'x' } }],
  ])('is not copied from %s (CVE-2025-13281)', (_, spec) => {
    expect(run('PersistentVolumeClaim', claim({ ...SIZE, ...spec })).refused).toContain('VolumeNamePinned');
  });
});
