import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { at } from '../../../src/core/kube/json.ts';
import { parseDocument } from '../../../src/krm/yaml/parse.ts';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import { fixedCredentials } from '../../../src/kube/connection/connection.ts';
import { inCluster } from '../../../src/kube/connection/in-cluster.ts';
import { readOperatorKubeconfig } from '../../../src/kube/connection/operator-kubeconfig.ts';
import type { Failure, Result } from '../../../src/kube/failure.ts';
import { parseJson } from '../../../src/kube/parse-json.ts';
import { sendJson } from '../../../src/kube/transport/send-json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { startConnectProxy } from '../../support/connect-proxy.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { scratch } from '../workspace.ts';
import { authorityOf, clientOf, connectionOf, httpProxyOf, valueIn } from './cluster-connection.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const NEVER = new AbortController().signal;
const VERSION = { path: '/version', signal: NEVER };

function failureOf<T>(result: Result<T>): Failure {
  if (!('failure' in result)) throw new Error('it went through');
  return result.failure;
}

async function faultProxy() {
  const proxy = await startFaultProxy(cluster.url);
  onTestFinished(() => proxy.stop());
  return { proxy, connection: connectionOf(cluster, `https://127.0.0.1:${proxy.port}`) };
}

describe('requests to a real API server', () => {
  test('two hundred share the few connections that are allowed, and one after another share one', async () => {
    const { proxy, connection } = await faultProxy();
    const one = clientOf(connection);
    for (let n = 0; n < 50; n += 1) valueIn(await one.send(VERSION));
    expect(proxy.connections()).toBe(1);
    const four = clientOf(connection, 4);
    await Promise.all(Array.from({ length: 200 }, () => four.send(VERSION)));
    expect(proxy.connections()).toBe(5);
  });

  test('what is refused comes as a Status with its reason and details', async () => {
    const failure = failureOf(await clientOf(connectionOf(cluster)).send({ path: '/api/v1/namespaces/None', signal: NEVER }));
    expect(failure).toMatchObject({
      kind: 'status',
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "None" not found',
      details: { name: 'None', kind: 'namespaces' },
    });
  });

  test('paths keep their case: RBAC names hold capitals', async () => {
    const client = clientOf(connectionOf(cluster));
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'MyRole:a%b' }, rules: [] };
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const failure = await client.send({ method: 'POST', path, body: { type: 'application/json', value: role }, signal: NEVER });
    expect(failure).toMatchObject({ failure: { reason: 'Invalid' } }); // % is refused as a path segment
    role.metadata.name = 'MyRole:ab';
    valueIn(await client.send({ method: 'POST', path, body: { type: 'application/json', value: role }, signal: NEVER }));
    expect(valueIn(await sendJson(client, { path: `${path}/MyRole%3Aab`, signal: NEVER }))).toMatchObject({
      metadata: { name: 'MyRole:ab' },
    });
    expect(failureOf(await client.send({ path: `${path}/myrole%3Aab`, signal: NEVER }))).toMatchObject({ reason: 'NotFound' });
  });

  test('int64 goes there and back with every digit', async () => {
    const client = clientOf(connectionOf(cluster));
    const most = 9223372036854775807n;
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'int64', namespace: 'default' },
      spec: {
        activeDeadlineSeconds: 5,
        terminationGracePeriodSeconds: most,
        containers: [{ name: 'a', image: 'a' }],
        automountServiceAccountToken: false,
      },
    };
    await cluster.kubectl(['create', 'serviceaccount', 'default']);
    const made = valueIn(
      await sendJson(client, {
        method: 'POST',
        path: '/api/v1/namespaces/default/pods',
        body: { type: 'application/json', value: pod },
        signal: NEVER,
      }),
    );
    expect(made).toMatchObject({ spec: { terminationGracePeriodSeconds: most } });
    const put = valueIn(
      await sendJson(client, {
        method: 'PUT',
        path: '/api/v1/namespaces/default/pods/int64',
        body: { type: 'application/json', value: made },
        signal: NEVER,
      }),
    );
    expect(put).toMatchObject({ spec: { terminationGracePeriodSeconds: most } });
  });

  test('impersonation is carried, each group in a header of its own', async () => {
    const client = clientOf({ ...connectionOf(cluster), impersonate: { user: 'jane', groups: ['a', 'b'], uid: '7' } });
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const told = valueIn(
      await sendJson(client, { method: 'POST', path, body: { type: 'application/json', value: review }, signal: NEVER }),
    );
    expect(told).toMatchObject({ status: { userInfo: { username: 'jane', uid: '7', groups: ['a', 'b', 'system:authenticated'] } } });
  });

  test('a body larger than is allowed is not kept', async () => {
    const client = clientOf(connectionOf(cluster));
    expect(failureOf(await client.send({ path: '/openapi/v2', most: 10_000, signal: NEVER }))).toMatchObject({
      kind: 'too-large',
      limit: 10_000,
    });
    valueIn(await client.send(VERSION));
  });

  test('what is aborted is thrown, before it is sent, while it waits and while it is read', async () => {
    const { proxy, connection } = await faultProxy();
    const client = clientOf(connection);
    await expect(client.send({ ...VERSION, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    proxy.freeze();
    const stop = new AbortController();
    const waiting = expect(client.send({ ...VERSION, signal: stop.signal })).rejects.toThrow('enough');
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await waiting;
    proxy.thaw();
    proxy.slow(20);
    const reading = new AbortController();
    const read = expect(client.send({ path: '/openapi/v2', signal: reading.signal })).rejects.toThrow('enough');
    setTimeout(() => reading.abort(new Error('enough')), 500);
    await read;
  });

  test('once it is closed, what is under way ends, and nothing can be asked', async () => {
    const client = clientOf(connectionOf(cluster));
    const { chunks } = valueIn(await client.stream({ path: '/api/v1/namespaces?watch=1', signal: NEVER }));
    const read = expect(
      (async () => {
        for await (const _ of chunks);
      })(),
    ).rejects.toThrow();
    client.close();
    await read;
    await expect(client.send(VERSION)).rejects.toThrow('is closed');
  });
});

describe('faults on the way', () => {
  test('a server that is not there', async () => {
    const { proxy, connection } = await faultProxy();
    await proxy.stop();
    expect(failureOf(await clientOf(connection).send(VERSION))).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
  });

  test('a route that takes everything and gives nothing back is given up', async () => {
    const { proxy, connection } = await faultProxy();
    proxy.freeze();
    const failure = failureOf(await clientOf(connection).send({ ...VERSION, within: 300 }));
    expect(failure).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/did not begin to answer GET \/version within 0\.3 s/),
    });
  });

  test('an answer that comes too slowly is given up', async () => {
    const { proxy, connection } = await faultProxy();
    const client = clientOf(connection);
    valueIn(await client.send(VERSION));
    proxy.slow(50);
    const failure = failureOf(await client.send({ path: '/openapi/v2', within: 1000, signal: NEVER }));
    expect(failure).toMatchObject({ kind: 'timeout', message: expect.stringMatching(/did not end its answer within 1 s/) });
  });

  test('a connection that is cut in the middle of an answer', async () => {
    const { proxy, connection } = await faultProxy();
    const client = clientOf(connection);
    proxy.slow(20);
    setTimeout(() => proxy.cut(), 700);
    expect(failureOf(await client.send({ path: '/openapi/v2', signal: NEVER }))).toMatchObject({ kind: 'unreachable', code: 'ECONNRESET' });
    proxy.slow(undefined);
    valueIn(await client.send(VERSION));
  });

  test('a connection that ended while it idled costs no request', async () => {
    const { proxy, connection } = await faultProxy();
    const client = clientOf(connection);
    valueIn(await client.send(VERSION));
    proxy.cut();
    valueIn(await client.send(VERSION));
    expect(proxy.connections()).toBe(2);
  });

  test.each([
    [
      429,
      { 'retry-after': '7' },
      '{"kind":"Status","reason":"TooManyRequests","message":"busy"}',
      { reason: 'TooManyRequests', retryAfterSeconds: 7 },
    ],
    [
      500,
      {},
      '{"kind":"Status","reason":"InternalError","message":"etcdserver: leader changed","details":{"retryAfterSeconds":2}}',
      { reason: 'InternalError', retryAfterSeconds: 2 },
    ],
    [502, {}, '<html>Bad Gateway</html>', { reason: '', message: 'The server answered 502 without a word of why.' }],
    [302, { location: 'https://127.0.0.1:1/' }, '', { reason: '' }],
  ])('%i', async (code, headers, body, expected) => {
    const proxy = await httpProxyOf(cluster);
    proxy.rule = () => ({ code, headers, body });
    expect(failureOf(await clientOf(connectionOf(cluster, proxy.url)).send(VERSION))).toMatchObject({ kind: 'status', code, ...expected });
    expect(proxy.seen.length).toBe(1);
  });
});

describe('through a proxy', () => {
  const through = async (credentials: string) => {
    const proxy = await startConnectProxy('me', 'p@ss');
    onTestFinished(() => proxy.stop());
    return { proxy, connection: { ...connectionOf(cluster), proxy: `http://${credentials}127.0.0.1:${proxy.port}` } };
  };

  test('requests and watches reach the server over connections that are kept, and TLS is the server’s own', async () => {
    const { proxy, connection } = await through('me:p%40ss@');
    const client = clientOf(connection);
    for (let n = 0; n < 5; n += 1) valueIn(await client.send(VERSION));
    const opened = valueIn(await client.stream({ path: '/api/v1/namespaces?watch=1', signal: NEVER }));
    for await (const _ of opened.chunks) break;
    const { host } = new URL(cluster.url);
    expect(proxy.asked).toEqual([host, host]);
    const stranger = { ...connection, authority: makeCertificate({ subject: '/CN=stranger' }).certificate };
    expect(failureOf(await clientOf(stranger).send(VERSION))).toMatchObject({ kind: 'certificate', whose: 'server', problem: 'untrusted' });
  });

  test('that does not know who asks, the server is not reached, and no password is told', async () => {
    const { connection } = await through('me:hunter2@');
    const failure = failureOf(await clientOf(connection).send(VERSION));
    expect(failure).toMatchObject({ kind: 'unreachable', code: 'PROXY_407' });
    expect(JSON.stringify(failure)).not.toContain('hunter2');
  });

  test('that is not there', async () => {
    const { proxy, connection } = await through('');
    await proxy.stop();
    expect(failureOf(await clientOf(connection).send(VERSION))).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
  });
});

describe('certificates', () => {
  test.each([
    ['expired', makeCertificate({ subject: '/CN=old', expired: true })],
    ['untrusted', makeCertificate({ subject: '/CN=stranger' })],
  ])('a server’s that is %s', async (problem, certificate) => {
    const proxy = await httpProxyOf(cluster, certificate);
    const authority = problem === 'expired' ? certificate.certificate : authorityOf(cluster).certificate;
    const connection = { ...connectionOf(cluster, proxy.url), authority };
    expect(failureOf(await clientOf(connection).send(VERSION))).toMatchObject({ kind: 'certificate', whose: 'server', problem });
    expect(proxy.seen).toEqual([]);
  });

  test('a server’s that is for another name', async () => {
    const connection = { ...connectionOf(cluster), serverName: 'elsewhere.example' };
    expect(failureOf(await clientOf(connection).send(VERSION))).toMatchObject({
      kind: 'certificate',
      whose: 'server',
      problem: 'wrong-name',
    });
  });

  test('a client’s signs in; once it has ended, that is said and not only that nobody is signed in', async () => {
    const by = authorityOf(cluster);
    const subject = '/O=system:masters/CN=jane';
    const ask = async (expired: boolean) => {
      const { certificate, key } = makeCertificate({ subject, by, expired });
      return clientOf({ ...connectionOf(cluster), credentials: fixedCredentials({ certificate, key }) }).send({
        path: '/api/v1/nodes',
        signal: NEVER,
      });
    };
    expect(await ask(false)).toMatchObject({ value: { code: 200 } });
    expect(failureOf(await ask(true))).toMatchObject({ kind: 'certificate', whose: 'client', problem: 'expired' });
  });

  test('a client’s that is renewed is used from the next request on, without a new client', async () => {
    const by = authorityOf(cluster);
    const [old, young] = [true, false].map((expired) => makeCertificate({ subject: '/O=system:masters/CN=jane', by, expired }));
    let current = old;
    const credentials = { current: async () => current ?? {}, refused: () => false };
    const client = clientOf({ ...connectionOf(cluster), credentials });
    expect(failureOf(await client.send(VERSION))).toMatchObject({ kind: 'certificate' });
    current = young;
    valueIn(await client.send(VERSION));
  });
});

describe('who asks', () => {
  test('nobody, where the token is nobody’s', async () => {
    const connection = { ...connectionOf(cluster), credentials: fixedCredentials({ token: 'wrong' }) };
    expect(failureOf(await clientOf(connection).send(VERSION))).toMatchObject({ kind: 'status', code: 401, reason: 'Unauthorized' });
  });

  test('a pod’s own account: its token is read again when it is refused', async () => {
    const folder = scratch();
    writeFileSync(join(folder, 'ca.crt'), authorityOf(cluster).certificate);
    writeFileSync(join(folder, 'token'), 'stale');
    const proxy = await httpProxyOf(cluster);
    const { hostname, port } = new URL(proxy.url);
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const connection = await inCluster(env, SYSTEM_CLOCK, folder);
    if (connection === undefined) throw new Error('no cluster');
    const client = clientOf(connection);
    expect(failureOf(await client.send(VERSION))).toMatchObject({ code: 401 });
    // the file holds what it held: asking again would not help
    expect(proxy.seen.length).toBe(1);
    await cluster.kubectl(['create', 'serviceaccount', 'robot']);
    const token = await cluster.kubectl(['create', 'token', 'robot']);
    writeFileSync(join(folder, 'token'), token.stdout);
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const answer = valueIn(await client.send({ method: 'POST', path, body: { type: 'application/json', value: review }, signal: NEVER }));
    expect(proxy.codes).toEqual([401, 401, 201]);
    expect(parseJson(answer.text)).toMatchObject({ status: { userInfo: { username: 'system:serviceaccount:default:robot' } } });
  });

  test('a person, by the kubeconfig that kubectl reads: somebody else in whose name to ask, and a credential plugin', async () => {
    const folder = scratch();
    const whoAmI = async (path: string): Promise<unknown> => {
      const options = {
        paths: [path],
        env: process.env,
        clock: SYSTEM_CLOCK,
        parse: (text: string) => parseDocument(text).value,
        talk: () => undefined,
      };
      const read = readOperatorKubeconfig(options);
      if ('refusals' in read) throw new Error(JSON.stringify(read.refusals));
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const request = {
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        body: { type: 'application/json', value: review },
      } as const;
      return at(valueIn(await sendJson(clientOf(read.value), { ...request, signal: NEVER })), 'status', 'userInfo');
    };
    expect(await whoAmI(cluster.kubeconfigFor('jane', ['team']))).toMatchObject({
      username: 'jane',
      groups: ['team', 'system:authenticated'],
    });

    const { certificate, key } = makeCertificate({ subject: '/O=team/CN=joe', by: authorityOf(cluster) });
    const status = { clientCertificateData: certificate, clientKeyData: key };
    writeFileSync(
      join(folder, 'credential'),
      JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }),
    );
    writeFileSync(join(folder, 'ca.crt'), authorityOf(cluster).certificate);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'cat', args: [join(folder, 'credential')] };
    const config = {
      clusters: [{ name: 'c', cluster: { server: cluster.url, 'certificate-authority': 'ca.crt' } }],
      users: [{ name: 'u', user: { exec } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFileSync(join(folder, 'config'), JSON.stringify(config));
    expect(await whoAmI(join(folder, 'config'))).toMatchObject({ username: 'joe', groups: ['team', 'system:authenticated'] });
  });

  test('no token file is a failure of the credentials, outside of a cluster there is none', async () => {
    const folder = scratch();
    writeFileSync(join(folder, 'ca.crt'), 'CA');
    const env = { KUBERNETES_SERVICE_HOST: '::1', KUBERNETES_SERVICE_PORT: '1' };
    const connection = await inCluster(env, SYSTEM_CLOCK, folder);
    expect(connection?.server).toBe('https://[::1]:1');
    if (connection === undefined) throw new Error('no cluster');
    expect(failureOf(await clientOf(connection).send(VERSION))).toMatchObject({ kind: 'credentials' });
    expect(await inCluster({}, SYSTEM_CLOCK)).toBeUndefined();
    await expect(inCluster(env, SYSTEM_CLOCK, scratch())).rejects.toThrow('does the pod mount its ServiceAccount token?');
  });
});
