import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type JsonObject, stringAt } from '../../../src/core/kube/json.ts';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import type { Failure, Result } from '../../../src/kube/failure.ts';
import { applyObject } from '../../../src/kube/objects/apply.ts';
import { createObject } from '../../../src/kube/objects/create.ts';
import { deleteObject } from '../../../src/kube/objects/delete.ts';
import { fieldConflicts, isConflict } from '../../../src/kube/objects/field-conflicts.ts';
import { getObject } from '../../../src/kube/objects/get.ts';
import { type ObjectRef, refOf } from '../../../src/kube/objects/object-path.ts';
import { jsonPatch, mergePatch, replaceObject } from '../../../src/kube/objects/patch.ts';
import { openTransport, type Transport } from '../../../src/kube/transport/transport.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { clientOf, connectionOf, httpProxyOf, valueIn } from './cluster-connection.ts';
import { CONFIG_MAP } from './follow.ts';

let cluster: Cluster;
let transport: Transport;
beforeAll(async () => {
  cluster = await startCluster();
  transport = openTransport(connectionOf(cluster), { clock: SYSTEM_CLOCK });
});
afterAll(async () => {
  transport.close();
  await cluster.stop();
});

let namespace = '';
let count = 0;
beforeEach(async () => {
  count += 1;
  namespace = `written-${count}`;
  expect((await cluster.kubectl(['create', 'namespace', namespace])).status).toBe(0);
});

const signal = new AbortController().signal;
const call = () => ({ transport, signal });
const map = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace, ...metadata },
  data,
});
const ref = (): ObjectRef => refOf(CONFIG_MAP, map({}));

function failureIn<T>(result: Result<T>): Failure {
  if (!('failure' in result)) throw new Error('it went through');
  return result.failure;
}

describe('server-side apply', () => {
  const apply = (data: JsonObject, fieldManager: string, force = false) =>
    applyObject(CONFIG_MAP, map(data), { ...call(), fieldManager, force });

  test('makes the object, changes it, and takes away what is no longer applied', async () => {
    const made = valueIn(await apply({ a: '1', b: '2' }, 'me'));
    expect(valueIn(await apply({ a: '1', b: '2' }, 'me'))).toEqual(made); // nothing new, not even a version
    valueIn(await apply({ a: '3' }, 'me'));
    expect(valueIn(await getObject(ref(), call()))).toMatchObject({
      data: { a: '3' },
      metadata: { managedFields: [{ manager: 'me', operation: 'Apply' }] },
    });
    expect(valueIn(await getObject(ref(), call()))).not.toHaveProperty('data.b');
  });

  test('says whose field it is, and takes it only when it is told to', async () => {
    valueIn(await apply({ color: 'red', size: 's' }, 'somebody "else"'));
    const failure = failureIn(await apply({ color: 'blue', own: 'x' }, 'me'));
    expect(fieldConflicts(failure)).toEqual([{ field: '.data.color', manager: 'somebody "else"' }]);
    expect(isConflict(failure)).toBe(false);
    expect(valueIn(await apply({ color: 'blue' }, 'me', true))).toMatchObject({ data: { color: 'blue', size: 's' } });
  });

  test('can be tried without being done', async () => {
    expect(
      valueIn(await applyObject(CONFIG_MAP, map({ a: '1' }), { ...call(), fieldManager: 'me', force: false, dryRun: true })),
    ).toMatchObject({ data: { a: '1' } });
    expect(failureIn(await getObject(ref(), call()))).toMatchObject({ reason: 'NotFound' });
  });

  test('takes what was read as it is, managed fields and all', async () => {
    const read = valueIn(await apply({ a: '1' }, 'me'));
    valueIn(await applyObject(CONFIG_MAP, read, { ...call(), fieldManager: 'me', force: false }));
  });

  test('writes the status alone through its subresource', async () => {
    const resource = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
    const status = {
      conditions: [{ type: 'Tried', status: 'True', reason: 'Test', message: 'seen', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    };
    const object = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
      spec: { finalizers: ['example.com/not-written'] },
      status,
    };
    const written = valueIn(
      await applyObject(resource, object, { ...call(), fieldManager: 'status', force: false, subresource: 'status' }),
    );
    expect(written).toMatchObject({ status });
    expect(written).toMatchObject({ spec: { finalizers: ['kubernetes'] } });
  });
});

describe('the other verbs', () => {
  test('create makes what is not there, and nothing else', async () => {
    expect(valueIn(await createObject(CONFIG_MAP, map({ a: '1' }), { ...call(), fieldManager: 'me' }))).toMatchObject({ data: { a: '1' } });
    expect(failureIn(await createObject(CONFIG_MAP, map({ a: '2' }), { ...call(), fieldManager: 'me' }))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
    });
  });

  test('a merge patch changes what it names, with its resourceVersion only that state', async () => {
    const made = valueIn(await createObject(CONFIG_MAP, map({ a: '1', b: '2' }), { ...call(), fieldManager: 'me' }));
    const options = { ...call(), fieldManager: 'me' };
    expect(valueIn(await mergePatch(ref(), { data: { a: null, c: '3' } }, options))).toMatchObject({ data: { b: '2', c: '3' } });
    const stale = { metadata: { resourceVersion: stringAt(made, 'metadata', 'resourceVersion') }, data: { d: '4' } };
    expect(isConflict(failureIn(await mergePatch(ref(), stale, options)))).toBe(true);
  });

  test('a JSON patch is done whole or not at all', async () => {
    valueIn(await createObject(CONFIG_MAP, map({ a: '1' }), { ...call(), fieldManager: 'me' }));
    const options = { ...call(), fieldManager: 'me' };
    const steps = [
      { op: 'replace', path: '/data/a', value: '2' },
      { op: 'test', path: '/data/a', value: '1' },
    ] as const;
    expect(failureIn(await jsonPatch(ref(), steps, options))).toMatchObject({ kind: 'status', code: 422 });
    expect(valueIn(await getObject(ref(), call()))).toMatchObject({ data: { a: '1' } });
    expect(valueIn(await jsonPatch(ref(), [steps[1], steps[0]], options))).toMatchObject({ data: { a: '2' } });
  });

  test('replacing what has changed since it was read is a conflict', async () => {
    const read = valueIn(await createObject(CONFIG_MAP, map({ a: '1' }), { ...call(), fieldManager: 'me' }));
    const options = { ...call(), fieldManager: 'me' };
    valueIn(await replaceObject(ref(), { ...read, data: { a: '2' } }, options));
    expect(isConflict(failureIn(await replaceObject(ref(), { ...read, data: { a: '3' } }, options)))).toBe(true);
  });

  test('delete takes the one that is meant, and no other of its name', async () => {
    const first = valueIn(
      await createObject(CONFIG_MAP, map({ a: '1' }, { finalizers: ['example.com/wait'] }), { ...call(), fieldManager: 'me' }),
    );
    const uid = stringAt(first, 'metadata', 'uid') ?? '';
    const resourceVersion = stringAt(first, 'metadata', 'resourceVersion') ?? '';
    const remove = (preconditions: { uid: string; resourceVersion?: string }) => deleteObject(ref(), { ...call(), preconditions });
    expect(isConflict(failureIn(await remove({ uid: 'another' })))).toBe(true);
    valueIn(await mergePatch(ref(), { data: { a: '2' } }, { ...call(), fieldManager: 'me' }));
    expect(isConflict(failureIn(await remove({ uid, resourceVersion })))).toBe(true);
    expect(valueIn(await remove({ uid }))).toMatchObject({ kind: 'ConfigMap', metadata: { deletionTimestamp: expect.any(String) } });
    valueIn(await jsonPatch(ref(), [{ op: 'remove', path: '/metadata/finalizers' }], { ...call(), fieldManager: 'me' }));
    expect(failureIn(await remove({ uid }))).toMatchObject({ reason: 'NotFound' });
  });

  test('a creation that lost its quota to other writers is sent again, a few times', async () => {
    const proxy = await httpProxyOf(cluster);
    const client = clientOf(connectionOf(cluster, proxy.url));
    const race = {
      kind: 'Status',
      code: 409,
      reason: 'Conflict',
      message: 'Operation cannot be fulfilled on resourcequotas "few"',
      details: { kind: 'resourcequotas' },
    };
    let posts = 0;
    proxy.rule = ({ method }) => {
      posts += method === 'POST' ? 1 : 0;
      return posts <= 2 ? { code: 409, body: JSON.stringify(race) } : undefined;
    };
    valueIn(await createObject(CONFIG_MAP, map({}), { transport: client, signal, fieldManager: 'me' }));
    expect(posts).toBe(3);
    proxy.rule = () => {
      posts += 1;
      return { code: 409, body: JSON.stringify(race) };
    };
    expect(
      failureIn(await createObject(CONFIG_MAP, map({}, { name: 'n' }), { transport: client, signal, fieldManager: 'me' })),
    ).toMatchObject({ reason: 'Conflict' });
    expect(posts).toBe(8);
  });

  test('a namespaced object without a namespace is a bug, and so is a name that leads elsewhere', () => {
    const nowhere = { resource: CONFIG_MAP, name: 'm' };
    expect(() => getObject(nowhere, call())).toThrow('a ConfigMap has a namespace');
    for (const name of ['', '.', '..']) expect(() => getObject({ ...nowhere, namespace, name }, call())).toThrow(TypeError);
  });
});
