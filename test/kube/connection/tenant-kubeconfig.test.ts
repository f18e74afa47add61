import { generateKeyPairSync } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/kube/json.ts';
import { readTenantKubeconfig } from '../../../src/kube/connection/tenant-kubeconfig.ts';

const NEVER = new AbortController().signal;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
// any certificate and any key will do: nothing is signed here
const pair = {
  certificate: rootCertificates[0] ?? '',
  key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const CA = base64(pair.certificate);
const CLIENT = { 'client-certificate-data': CA, 'client-key-data': base64(pair.key) };

function kubeconfig(cluster: JsonObject = {}, user: JsonObject = { token: 'abc' }): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'default', cluster: { server: 'https://10.0.0.1:6443', 'certificate-authority-data': CA, ...cluster } }],
    users: [{ name: 'default', user }],
    contexts: [{ name: 'default', context: { cluster: 'default', user: 'default' } }],
    'current-context': 'default',
  };
}

function refusals(config: Json | undefined): string[] {
  const read = readTenantKubeconfig(config);
  return 'refusals' in read ? read.refusals.map(({ path, why }) => `${path}: ${why}`) : [];
}

describe('a tenant’s kubeconfig', () => {
  test.each<[string, JsonObject, object]>([
    ['a token', { token: 'abc' }, { token: 'abc' }],
    ['a client certificate, as k3s writes it', CLIENT, { certificate: pair.certificate, key: pair.key }],
    ['both', { ...CLIENT, token: 'abc' }, { certificate: pair.certificate, key: pair.key, token: 'abc' }],
    ['empty fields, which tools write', { token: 'abc', exec: null, tokenFile: '' }, { token: 'abc' }],
  ])('with %s is taken', async (_, user, credentials) => {
    const read = readTenantKubeconfig(kubeconfig({ 'insecure-skip-tls-verify': false, 'tls-server-name': 'tenant' }, user));
    if ('refusals' in read) throw new Error(JSON.stringify(read.refusals));
    expect(read.value).toMatchObject({ server: 'https://10.0.0.1:6443', authority: pair.certificate, serverName: 'tenant' });
    expect(await read.value.credentials.current(NEVER)).toEqual(credentials);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['clusters[default].cluster.insecure-skip-tls-verify', { 'insecure-skip-tls-verify': true }, { token: 'abc' }],
    ['clusters[default].cluster.proxy-url', { 'proxy-url': 'socks5://10.0.0.9' }, { token: 'abc' }],
    ['clusters[default].cluster.certificate-authority', { 'certificate-authority': '/etc/shadow' }, { token: 'abc' }],
    ['clusters[default].cluster.server', { server: 'http://10.0.0.1' }, { token: 'abc' }],
    ['clusters[default].cluster.server', { server: 'https://me:secret@10.0.0.1' }, { token: 'abc' }],
    ['clusters[default].cluster.server', { server: 'https://10.0.0.1?x=y' }, { token: 'abc' }],
    ['clusters[default].cluster.server', { server: 'nowhere' }, { token: 'abc' }],
    ['clusters[default].cluster.server', { server: '' }, { token: 'abc' }],
    ['clusters[default].cluster.insecureSkipTlsVerify', { insecureSkipTlsVerify: true }, { token: 'abc' }],
    ['clusters[default].cluster.certificate-authority-data', { 'certificate-authority-data': base64('no PEM') }, { token: 'abc' }],
    ['clusters[default].cluster.certificate-authority-data', { 'certificate-authority-data': BROKEN_PEM() }, { token: 'abc' }],
    ['clusters[default].cluster.certificate-authority-data', { 'certificate-authority-data': 5 }, { token: 'abc' }],
    ['users[default].user.exec', {}, { exec: { command: 'sh', apiVersion: 'client.authentication.k8s.io/v1' }, token: 'abc' }],
    ['users[default].user.auth-provider', {}, { 'auth-provider': { name: 'oidc' }, token: 'abc' }],
    ['users[default].user.tokenFile', {}, { tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token', token: 'abc' }],
    ['users[default].user.client-certificate', {}, { 'client-certificate': '/a', token: 'abc' }],
    ['users[default].user.client-key', {}, { 'client-key': '/a', token: 'abc' }],
    ['users[default].user.username', {}, { username: 'a', token: 'abc' }],
    ['users[default].user.password', {}, { password: 'hunter2', token: 'abc' }],
    ['users[default].user.as', {}, { as: 'root', token: 'abc' }],
    ['users[default].user.as-groups', {}, { 'as-groups': ['system:masters'], token: 'abc' }],
    ['users[default].user.constructor', {}, { constructor: 'x', token: 'abc' }],
    ['users[default].user.token', {}, { token: 'abc\r\nimpersonate-user: root' }],
    ['users[default].user', {}, {}],
    ['users[default].user', {}, { 'client-certificate-data': CA }],
    ['users[default].user.client-key-data', {}, { ...CLIENT, 'client-key-data': base64('no key') }],
  ])('is refused for %s', (path, cluster, user) => {
    const said = refusals(kubeconfig(cluster, user));
    expect(said.map((line) => line.split(': ')[0])).toContain(path);
    expect(said.join('\n')).not.toMatch(/hunter2|secret@|etc\/shadow/);
  });

  test('is refused without a CA: the system’s roots know no tenant', () => {
    const config = kubeconfig();
    config['clusters'] = [{ name: 'default', cluster: { server: 'https://10.0.0.1' } }];
    expect(refusals(config)).toEqual([
      'clusters[default].cluster.certificate-authority-data: it is missing: a tenant’s server has a CA of its own',
    ]);
  });

  test.each<[string, Json | undefined]>([
    [': a kubeconfig is a map, and this is a string', 'x'],
    [': a kubeconfig is a map, and this is missing', undefined],
    ['current-context: no context is named', {}],
    ['contexts: there is no context "gone"; there is "default"', { ...kubeconfig(), 'current-context': 'gone' }],
    ['clusters: there is no cluster "default"', { ...kubeconfig(), clusters: [] }],
    ['users: there is no user "default"', { ...kubeconfig(), users: 'x' }],
  ])('%s', (said, config) => {
    expect(refusals(config)).toEqual([said]);
  });

  test('all that is wrong with it is said at once', () => {
    expect(refusals(kubeconfig({ server: 'http://a', 'proxy-url': 'x' }, { exec: {}, tokenFile: 'x' })).length).toBe(5);
  });
});

function BROKEN_PEM(): string {
  return base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
}
