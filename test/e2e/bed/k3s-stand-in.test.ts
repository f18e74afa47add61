import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import { type Cluster, type Ran, startCluster } from '../../bed/cluster.ts';
import { importK3sImage, k3sImageName } from '../../bed/k3s-image.ts';
import { type Authorities, makeAuthorities, signClient } from './authorities.ts';
import { controlPlane } from './control-plane.ts';

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

async function kubectl(args: readonly string[], input: unknown = {}): Promise<string> {
  const ran = await cluster.kubectl(args, { input: JSON.stringify(input) });
  expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Asks a tenant's API where its pod is, by the name that its certificate has. */
class Tenant {
  readonly namespace: string;
  readonly authorities: Authorities = makeAuthorities();
  readonly #admin = signClient(this.authorities, 'client-ca', '/O=system:masters/CN=admin');

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  kubectl(args: readonly string[], input?: unknown): Promise<string> {
    return kubectl(['-n', this.namespace, ...args], input);
  }

  exec(line: string): Promise<string> {
    return this.kubectl(['exec', 'control-plane-0', '-c', 'k3s', '--', 'sh', '-c', line]);
  }

  apply(more: { readonly version?: string; readonly args?: readonly string[] } = {}): Promise<string> {
    const { namespace, authorities } = this;
    const items = controlPlane({ namespace, version: '1.34.2', authorities, token: 'first', ...more });
    return kubectl(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  }

  /** Until its pod, or the one that comes in its place, is ready. */
  async ready(before?: string): Promise<void> {
    const uid = ['get', 'pod', 'control-plane-0', '--ignore-not-found', '-o', 'jsonpath={.metadata.uid}'];
    for (let now = ''; now === '' || now === before; now = await this.kubectl(uid)) await sleep(100);
    await this.kubectl(['wait', '--for=condition=Ready', 'pod/control-plane-0', '--timeout=100s']);
  }

  async restart(): Promise<void> {
    const before = await this.kubectl(['get', 'pod', 'control-plane-0', '-o', 'jsonpath={.metadata.uid}']);
    await this.kubectl(['delete', 'pod', 'control-plane-0', '--wait=false']);
    await this.ready(before);
  }

  async ask(
    path: string,
    options: { as?: { certificate: string; key: string } | null; body?: object; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { as = this.#admin, body, headers = {} } = options;
    const host = await this.kubectl(['get', 'pod', 'control-plane-0', '-o', 'jsonpath={.status.podIP}']);
    const asked = request({
      host,
      port: 6443,
      path,
      method: body === undefined ? 'GET' : 'POST',
      servername: `control-plane.${this.namespace}.svc`,
      ca: this.authorities['server-ca.crt'],
      ...(as === null ? {} : { cert: as.certificate, key: as.key }),
      headers: { 'content-type': 'application/json', ...headers },
      agent: false,
    });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await new Promise<IncomingMessage>((resolve, reject) => asked.on('response', resolve).on('error', reject));
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode ?? 0, body: text };
  }
}

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { kept: 'yes' } });

describe('a control plane of its image', () => {
  const tenant = new Tenant('cp-one');
  const client = signClient(tenant.authorities, 'client-ca', '/O=team-shop/O=readers/CN=jane');
  const kept = '/api/v1/namespaces/default/configmaps/kept';
  beforeAll(async () => {
    const begin = performance.now();
    await tenant.apply();
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
    const forged = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' };
    for (const headers of [{}, forged]) {
      const said = JSON.parse((await whoami({ as: client, headers })).body) as { readonly status: { readonly userInfo: object } };
      expect(said.status.userInfo).toMatchObject({ username: 'jane', groups: ['team-shop', 'readers', 'system:authenticated'] });
    }
    expect((await whoami({ as: null, headers: forged })).status).toBe(401);
    const stranger = signClient(makeAuthorities(), 'client-ca', '/O=system:masters/CN=admin');
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
    const short = signClient(tenant.authorities, 'client-ca', '/O=system:masters/CN=system:admin');
    await tenant.exec(`cat >/data/server/tls/client-admin.crt <<'EOF'\n${short.certificate}EOF\n`);
    await tenant.exec(`cat >/data/server/tls/client-admin.key <<'EOF'\n${short.key}EOF\n`);
    await tenant.restart();
    expect((await tenant.ask(kept)).status).toBe(200);
    expect(await read('serving-kube-apiserver.key')).toBe(key);
    const days = (Date.parse(new X509Certificate(await read('client-admin.crt')).validTo) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
  });

  test('is another version with another image, on the same data', async () => {
    const version = async (): Promise<string> => (JSON.parse((await tenant.ask('/version')).body) as { gitVersion: string }).gitVersion;
    expect(await version()).toBe('v1.34.2+k3s1');
    const before = await tenant.kubectl(['get', 'pod', 'control-plane-0', '-o', 'jsonpath={.metadata.uid}']);
    await tenant.kubectl(['set', 'image', 'statefulset/control-plane', `k3s=${k3sImageName('1.35.1')}`]);
    await tenant.ready(before);
    expect(await version()).toBe('v1.35.1+k3s1');
    expect((await tenant.ask(kept)).status).toBe(200);
  });

  test('does not start with another token, nor with other authorities, on data that it has', async () => {
    const lastWords = async (): Promise<string> =>
      (await cluster.kubectl(['-n', 'cp-one', 'logs', 'control-plane-0', '-c', 'k3s', '--tail=5'])).stdout;
    const says = async (words: string): Promise<void> => {
      for (let tries = 0; tries < 300 && !(await lastWords()).includes(words); tries += 1) await sleep(200);
      expect(await lastWords()).toContain(words);
    };
    const secret = (name: string, data: object): Promise<string> =>
      tenant.kubectl(['patch', 'secret', name, '-p', JSON.stringify({ stringData: data })]);
    await secret('control-plane-token', { token: 'second' });
    await tenant.kubectl(['delete', 'pod', 'control-plane-0', '--wait=false']);
    await says('bootstrap data already found and encrypted with different token');
    await secret('control-plane-token', { token: 'first' });
    await secret('control-plane-authorities', { 'client-ca.crt': makeAuthorities()['client-ca.crt'] });
    await tenant.kubectl(['delete', 'pod', 'control-plane-0', '--wait=false']);
    await says('client-ca.crt newer than datastore');
  });
});

describe('arguments', () => {
  const k3s = async (...args: readonly string[]): Promise<Ran> => {
    const { status, stdout, stderr } = spawnSync(await buildTool('k3s-stand-in'), ['server', ...args], { encoding: 'utf8' });
    return { status: status ?? -1, stdout, stderr };
  };

  test.each([
    [['--disable-agent', '--data-directory=/data'], 'flag provided but not defined: -data-directory'],
    [['--data-dir=/data'], '--disable-agent is missing'],
    [['--disable-agent', '--tls-san'], 'flag needs an argument: -tls-san'],
    [['--disable-agent', '--cluster-init=maybe'], 'invalid boolean value'],
    [['--disable-agent', '--token=a', '--token=b'], '--token is given twice'],
    [['--disable-agent', '--cluster-reset'], 'the stand-in does not do what --cluster-reset says'],
    [['--disable-agent', '--data-dir=/nowhere'], 'the stand-in chooses no token'],
  ])('%j are refused', async (args, words) => {
    expect(await k3s(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(words) });
  });
});
