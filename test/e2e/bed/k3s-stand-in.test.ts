// The stand-in itself, which every suite of the reconciler runs.
// @module-tag release
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import { type Cluster, type Ran, startCluster } from '../../bed/cluster.ts';
import { importK3sImage } from '../../bed/k3s-image.ts';
import { startPostgres } from '../../bed/postgres.ts';
import { scratch } from '../workspace.ts';
import { type Answer, ControlPlane } from './control-plane.ts';

const TOOLS = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kine',
  'k3s-stand-in',
] as const;

let cluster: Cluster;
beforeAll(async () => {
  for (const tool of TOOLS) await buildTool(tool);
  cluster = await startCluster({ kubelet: true });
  await importK3sImage(cluster, ['1.34.2', '1.35.1']);
});
afterAll(() => cluster?.stop());

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { kept: 'yes' } });

describe('a control plane of its image', () => {
  let tenant: ControlPlane;
  const kept = '/api/v1/namespaces/default/configmaps/kept';
  beforeAll(async () => {
    tenant = await ControlPlane.make(cluster);
    const begin = performance.now();
    await tenant.create('1.34.2');
    await tenant.ready();
    process.stderr.write(`a control plane was ready ${((performance.now() - begin) / 1000).toFixed(1)} s after it was applied\n`);
  });

  test('runs under the strictest Pod Security, with its files where k3s has them', async () => {
    const files = ['db/state.db', 'tls/serving-kube-apiserver.crt', 'tls/client-admin.crt', 'cred/encryption-config.json'];
    await tenant.exec(files.map((file) => `test -s /data/server/${file}`).join(' && '));
    expect(await tenant.exec('stat -c "%a %u" /data/k3s.yaml')).toBe('600 65532\n');
    expect(await tenant.exec('k3s kubectl get namespaces -o name')).toContain('namespace/kube-system');
  });

  test('says /ping and /cacerts to everybody, and nothing else', async () => {
    expect(await tenant.ask('/ping', { as: null })).toEqual({ status: 200, body: 'pong' });
    expect(await tenant.ask('/cacerts', { as: null })).toEqual({ status: 200, body: tenant.authorities['server-ca.crt'] });
    for (const path of ['/version', '/readyz', '/api']) expect((await tenant.ask(path, { as: null })).status).toBe(401);
  });

  test('knows a client by its certificate, and by nothing that the client says of itself', async () => {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const whoami = (more: object): Promise<Answer> =>
      tenant.ask('/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: review, ...more });
    const client = await tenant.client('jane', ['team-shop', 'readers']);
    const forged = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' };
    for (const headers of [{}, forged]) {
      const said = JSON.parse((await whoami({ as: client, headers })).body) as { readonly status: { readonly userInfo: object } };
      expect(said.status.userInfo).toMatchObject({ username: 'jane', groups: ['team-shop', 'readers', 'system:authenticated'] });
    }
    expect((await whoami({ as: null, headers: forged })).status).toBe(401);
    const stranger = await (await ControlPlane.make(cluster)).client('admin', ['system:masters']);
    await expect(whoami({ as: stranger })).rejects.toThrow(/unknown|certificate|ECONNRESET|EPIPE/i);
  });

  test('takes a token of a ServiceAccount, and streams watches', async () => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    await tenant.ask('/api/v1/namespaces/default/serviceaccounts', { body: account });
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const made = await tenant.ask('/api/v1/namespaces/default/serviceaccounts/robot/token', { body: asked });
    const { token } = (JSON.parse(made.body) as { readonly status: { readonly token: string } }).status;
    const refused = await tenant.ask('/api/v1/nodes', { as: null, headers: { authorization: `Bearer ${token}` } });
    expect(refused.body).toContain('User \\"system:serviceaccount:default:robot\\" cannot list');
    const watched = tenant.ask('/api/v1/namespaces/default/configmaps?watch=true&timeoutSeconds=3');
    await sleep(1000);
    expect((await tenant.ask('/api/v1/namespaces/default/configmaps', { body: configMap('seen') })).status).toBe(201);
    expect((await watched).body).toContain('"name":"seen"');
  });

  test('keeps its data, its keys and its name for clients when it is started anew; what nears its end is renewed', async () => {
    expect((await tenant.ask('/api/v1/namespaces/default/configmaps', { body: configMap('kept') })).status).toBe(201);
    const read = (file: string): Promise<string> => tenant.exec(`cat /data/server/tls/${file}`);
    const key = await read('serving-kube-apiserver.key');
    const short = await tenant.client('system:admin', ['system:masters']);
    await tenant.exec(`cat >/data/server/tls/client-admin.crt <<'EOF'\n${short.certificate}EOF\n`);
    await tenant.exec(`cat >/data/server/tls/client-admin.key <<'EOF'\n${short.key}EOF\n`);
    const before = await tenant.uid();
    await tenant.kubectl(['delete', 'pod', 'control-plane-0', '--wait=false']);
    await tenant.ready(before);
    expect((await tenant.ask(kept)).status).toBe(200);
    expect(await read('serving-kube-apiserver.key')).toBe(key);
    const days = (Date.parse(new X509Certificate(await read('client-admin.crt')).validTo) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
  });

  test('has controllers, who take the arguments that the product gives them', async () => {
    const account = '/api/v1/namespaces/default/serviceaccounts/default';
    for (let tries = 0; tries < 200 && (await tenant.ask(account)).status !== 200; tries += 1) await sleep(200);
    expect((await tenant.ask(account)).status).toBe(200);
  });

  test('is another version with another image, on the same data', async () => {
    const version = async (): Promise<string> => (JSON.parse((await tenant.ask('/version')).body) as { gitVersion: string }).gitVersion;
    expect(await version()).toBe('v1.34.2+k3s1');
    const before = await tenant.uid();
    await tenant.apply('1.35.1');
    await tenant.ready(before);
    expect(await version()).toBe('v1.35.1+k3s1');
    expect((await tenant.ask(kept)).status).toBe(200);
  });

  test('does not start with another token on data that it has', async () => {
    await tenant.kubectl(['patch', 'secret', 'control-plane-token', '-p', JSON.stringify({ stringData: { token: 'second' } })]);
    await tenant.kubectl(['delete', 'pod', 'control-plane-0', '--wait=false']);
    const said = ['logs', 'control-plane-0', '-c', 'k3s', '--tail=5'];
    const words = 'bootstrap data already found and encrypted with different token';
    for (let tries = 0; tries < 200 && !(await tenant.kubectl(said).catch(() => '')).includes(words); tries += 1) await sleep(200);
    expect(await tenant.kubectl(said)).toContain(words);
  });
});

describe('arguments', () => {
  const k3s = async (...args: readonly string[]): Promise<Ran> => {
    const { status, stdout, stderr } = spawnSync(await buildTool('k3s-stand-in'), ['server', ...args], { encoding: 'utf8' });
    return { status: status ?? -1, stdout, stderr };
  };

  test('that name other authorities than those of the data are refused', async () => {
    const folder = scratch();
    const [first, second] = [await ControlPlane.make(cluster), await ControlPlane.make(cluster)];
    const place = (name: string, { authorities }: ControlPlane): void =>
      writeFileSync(join(folder, 'server/tls', name.replace('etcd.', 'etcd/')), authorities[name] ?? '');
    mkdirSync(join(folder, 'server/tls/etcd'), { recursive: true });
    for (const name of Object.keys(first.authorities)) place(name, first);
    const start = ['--disable-agent', `--data-dir=${folder}`, '--token=first', `--write-kubeconfig=${folder}/k3s.yaml`];
    // there is no kine on this machine, so it comes no further
    expect((await k3s(...start)).stderr).toContain('/bin/kine');
    place('client-ca.crt', second);
    expect((await k3s(...start)).stderr).toContain('client-ca.crt newer than datastore');
  });

  test.each([
    [['--disable-agent', '--data-directory=/data'], 'flag provided but not defined: -data-directory'],
    [['--data-dir=/data'], '--disable-agent is missing'],
    [['--disable-agent', '--tls-san'], 'flag needs an argument: -tls-san'],
    [['--disable-agent', '--cluster-init=maybe'], 'invalid boolean value'],
    [['--disable-agent', '--token=a', '--token=b'], '--token is given twice'],
    [['--disable-agent', '--disable-apiserver'], 'the stand-in does not do what --disable-apiserver says'],
    [['--disable-agent', '--etcd-s3'], 'the stand-in does not do what --etcd-s3 says'],
    [['--disable-agent', '--data-dir=/nowhere'], 'the stand-in chooses no token'],
  ])('%j are refused', async (args, words) => {
    expect(await k3s(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(words) });
  });
});

test('two servers on one PostgreSQL are one control plane', async () => {
  const database = await startPostgres(cluster.node().gateway);
  onTestFinished(() => database.stop());
  const spec = { controlPlane: { replicas: 2, datastore: { type: 'postgres', secretRef: { name: 'database' } } } };
  const tenant = await ControlPlane.make(cluster, spec, { name: 'shop', namespace: 'team-shop' });
  await tenant.create('1.34.2', { database: { endpoint: database.url } });
  for (const server of [0, 1]) await tenant.ready('', server);
  expect((await tenant.ask('/api/v1/namespaces/default/configmaps', { body: configMap('both'), server: 0 })).status).toBe(201);
  expect((await tenant.ask('/api/v1/namespaces/default/configmaps/both', { server: 1 })).status).toBe(200);
  expect(await tenant.exec('ls /data/server/db')).not.toContain('state.db');
  expect(await tenant.kubectl(['logs', 'control-plane-0', '-c', 'k3s'])).not.toContain(new URL(database.url).password);
}, 300_000);

test('an etcd of one member keeps its data too', async () => {
  const spec = { controlPlane: { replicas: 1, datastore: { type: 'etcd' } } };
  const tenant = await ControlPlane.make(cluster, spec, { name: 'etcd', namespace: 'team-etcd' });
  await tenant.create('1.34.2');
  await tenant.ready();
  expect((await tenant.ask('/api/v1/namespaces/default/configmaps', { body: configMap('kept') })).status).toBe(201);
  await tenant.exec('test -d /data/server/db/etcd/member');
  const before = await tenant.uid();
  await tenant.kubectl(['delete', 'pod', 'control-plane-0', '--wait=false']);
  await tenant.ready(before);
  expect((await tenant.ask('/api/v1/namespaces/default/configmaps/kept')).status).toBe(200);
}, 300_000);
