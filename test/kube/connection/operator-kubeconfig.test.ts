import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseDocument } from '../../../src/krm/yaml/parse.ts';
import type { Connection } from '../../../src/kube/connection/connection.ts';
import { kubeconfigPaths, readOperatorKubeconfig } from '../../../src/kube/connection/operator-kubeconfig.ts';
import { isAlive } from '../../bed/server.ts';
import { manualClock } from '../../support/manual-clock.ts';

const NEVER = new AbortController().signal;

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'tenantplane-kubeconfig-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

const clock = manualClock();
const said: string[] = [];
const read = (paths: readonly string[], context?: string) =>
  readOperatorKubeconfig({
    paths,
    ...(context !== undefined && { context }),
    env: { PATH: process.env['PATH'] },
    clock,
    parse: (text) => parseDocument(text).value,
    talk: (text) => said.push(text),
  });

function taken(paths: readonly string[], context?: string): Connection {
  const result = read(paths, context);
  if ('refusals' in result) throw new Error(JSON.stringify(result.refusals));
  return result.value;
}

function refusals(paths: readonly string[], context?: string): string[] {
  const result = read(paths, context);
  return 'refusals' in result ? result.refusals.map(({ path, why }) => `${path}: ${why}`) : [];
}

const config = (user: string, cluster = ''): string => `
clusters: [{name: c, cluster: {server: "https://c:6443"${cluster}}}]
users: [{name: u, user: {${user}}}]
contexts: [{name: x, context: {cluster: c, user: u}}, {name: nobody, context: {cluster: c}}]
current-context: x
`;

describe('a person’s own kubeconfig', () => {
  test('files are named from where it lies', async () => {
    const path = folder({
      'sub/config': config('client-certificate: me.crt, client-key: ../me.key', ', certificate-authority: ca.crt'),
      'sub/ca.crt': 'CA',
      'sub/me.crt': 'CRT',
      'me.key': 'KEY',
    });
    const connection = taken([join(path, 'sub/config')]);
    expect(connection).toMatchObject({ server: 'https://c:6443', authority: 'CA' });
    expect(await connection.credentials.current(NEVER)).toEqual({ certificate: 'CRT', key: 'KEY' });
  });

  test('a token file is read again once a minute has gone, or its token was refused', async () => {
    const path = folder({ config: config('tokenFile: token'), token: 'one\n' });
    const { credentials } = taken([join(path, 'config')]);
    expect(await credentials.current(NEVER)).toEqual({ token: 'one' });
    writeFileSync(join(path, 'token'), 'two\n');
    expect(await credentials.current(NEVER)).toEqual({ token: 'one' });
    await clock.advance(60_001);
    expect(await credentials.current(NEVER)).toEqual({ token: 'two' });
    writeFileSync(join(path, 'token'), 'three\n');
    expect(credentials.refused({ token: 'two' })).toBe(true);
    expect(await credentials.current(NEVER)).toEqual({ token: 'three' });
    // a late refusal of an old token does not throw the new one away
    writeFileSync(join(path, 'token'), 'four\n');
    credentials.refused({ token: 'two' });
    expect(await credentials.current(NEVER)).toEqual({ token: 'three' });
  });

  test('of several files the first entry of a name counts, and one that is not there is passed over', async () => {
    const path = folder({
      one: 'users: [{name: u, user: {token: one}}]\n',
      two: config('token: two, as: jane, as-groups: [a, b]'),
    });
    const merged = taken([join(path, 'one'), join(path, 'gone'), join(path, 'two')]);
    expect(merged).not.toHaveProperty('impersonate');
    expect(await merged.credentials.current(NEVER)).toEqual({ token: 'one' });
    expect(taken([join(path, 'two')])).toMatchObject({ impersonate: { user: 'jane', groups: ['a', 'b'] } });
  });

  test('a context without a user asks as nobody', async () => {
    const path = folder({ config: config('token: t') });
    expect(await taken([join(path, 'config')], 'nobody').credentials.current(NEVER)).toEqual({});
  });

  test('where it is, kubectl decides', () => {
    expect(kubeconfigPaths({ KUBECONFIG: '/a:/b:' })).toEqual(['/a', '/b']);
    expect(kubeconfigPaths({ KUBECONFIG: '', HOME: '/me' })).toEqual(['/me/.kube/config']);
  });

  test.each([
    ['users[u].user.auth-provider', 'auth-provider: {name: oidc}', ''],
    ['users[u].user.username', 'username: me', ''],
    ['users[u].user.client-key', 'client-certificate-data: QQ==, client-key: gone.key', ''],
    ['users[u].user.exec', 'exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1}', ''],
    ['users[u].user.exec', 'exec: {apiVersion: client.authentication.k8s.io/v1}', ''],
    ['users[u].user.exec', 'exec: {command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always}', ''],
    ['clusters[c].cluster.insecure-skip-tls-verify', 'token: t', ', insecure-skip-tls-verify: true'],
    ['clusters[c].cluster.proxy-url', 'token: t', ', proxy-url: socks5://a'],
    ['clusters[c].cluster.proxy-url', 'token: t', ', proxy-url: a'],
  ])('%s is refused', (path, user, cluster) => {
    const place = folder({ config: config(user, cluster) });
    expect(refusals([join(place, 'config')]).map((line) => line.split(': ')[0])).toEqual([path]);
  });

  test('what cannot be read is said', () => {
    const path = folder({ list: '- a\n', broken: 'a: [' });
    expect(refusals([join(path, 'gone')])[0]).toMatch(/gone: there is no such file$/);
    expect(refusals([join(path, 'list')])[0]).toMatch(/list: it is no YAML map$/);
    expect(refusals([join(path, 'broken')])[0]).toMatch(/broken: it is no YAML map$/);
    expect(refusals([join(path, 'gone'), join(path, 'away')])[0]).toMatch(/none of these files is there$/);
  });
});

describe('a credential plugin', () => {
  const plugin = (script: string): string => {
    const path = folder({
      config: config(
        'exec: {command: ./plugin, apiVersion: client.authentication.k8s.io/v1, args: [a], env: [{name: MINE, value: "1"}], provideClusterInfo: true}',
      ),
      plugin: `#!/bin/sh\n${script}\n`,
    });
    chmodSync(join(path, 'plugin'), 0o755);
    return path;
  };
  const credential = (status: string): string =>
    `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":${status}}'`;

  test('is started from the kubeconfig’s folder with what it has to know, once for requests that wait together', async () => {
    const path = plugin(
      `echo "$KUBERNETES_EXEC_INFO" > "$0.info"; echo "$1 $MINE" >> "$0.runs"; echo sign in >&2; ${credential('{"token":"t"}')}`,
    );
    const { credentials } = taken([join(path, 'config')]);
    const all = await Promise.all([1, 2, 3].map(() => credentials.current(NEVER)));
    expect(all).toEqual([{ token: 't' }, { token: 't' }, { token: 't' }]);
    expect(readFileSync(join(path, 'plugin.runs'), 'utf8')).toBe('a 1\n');
    expect(JSON.parse(readFileSync(join(path, 'plugin.info'), 'utf8'))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: 'https://c:6443' } },
    });
    expect(said.join('')).toContain('sign in\n');
  });

  test('is started again when its credentials have ended, or were refused', async () => {
    const expires = new Date(clock.wall() + 5000).toISOString();
    const path = plugin(`echo x >> "$0.runs"; ${credential(`{"token":"t'"$(wc -l < "$0.runs")"'","expirationTimestamp":"${expires}"}`)}`);
    const { credentials } = taken([join(path, 'config')]);
    const runs = (): number => readFileSync(join(path, 'plugin.runs'), 'utf8').length / 2;
    const first = await credentials.current(NEVER);
    await credentials.current(NEVER);
    expect(runs()).toBe(1);
    credentials.refused(first);
    await credentials.current(NEVER);
    expect(runs()).toBe(2);
    await clock.advance(5001);
    await credentials.current(NEVER);
    expect(runs()).toBe(3);
  });

  test('goes on for those who still wait when the one who started it is aborted', async () => {
    const { credentials } = taken([join(plugin(`sleep 0.3; ${credential('{"token":"t"}')}`), 'config')]);
    const stop = new AbortController();
    const [aborted, waiting] = [credentials.current(stop.signal), credentials.current(NEVER)];
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(await waiting).toEqual({ token: 't' });
  });

  test.each([
    ['that fails', 'echo hunter2; exit 3', /ended with exit code 3/],
    ['that says too much', 'head -c 2000000 /dev/zero | tr "\\0" x; sleep 60', /wrote more than 1048576 bytes/],
    ['that says no JSON', 'echo hunter2', /is no JSON/],
    ['that gives nothing', credential('{"clientKeyData":"hunter2"}'), /neither a token nor a certificate/],
  ])('%s is an error that holds nothing of what it said', async (_, script, words) => {
    const { credentials } = taken([join(plugin(script), 'config')]);
    const error: unknown = await credentials.current(NEVER).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(words);
    expect(String(error)).not.toContain('hunter2');
  });

  test('that waits for ever ends with the request', async () => {
    const { credentials } = taken([join(plugin('exec sleep 60'), 'config')]);
    await expect(credentials.current(AbortSignal.timeout(200))).rejects.toThrow(/timeout/);
  });

  test('that is ended ends with all that it started', async () => {
    const path = plugin('sleep 600 & echo $! > "$0.new"; mv "$0.new" "$0.pid"; wait');
    const file = join(path, 'plugin.pid');
    const { credentials } = taken([join(path, 'config')]);
    const stop = new AbortController();
    const asked = expect(credentials.current(stop.signal)).rejects.toThrow('enough');
    await expect.poll(() => existsSync(file), { timeout: 10_000 }).toBe(true);
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    stop.abort(new Error('enough'));
    await asked;
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });

  test('is waited for no longer where what it started has left it and holds its output', async () => {
    const { credentials } = taken([join(plugin('setsid sleep 20 & wait'), 'config')]);
    const before = performance.now();
    await expect(credentials.current(AbortSignal.timeout(200))).rejects.toThrow(/timeout/);
    expect(performance.now() - before).toBeLessThan(15_000);
  });

  test('that is not there is said', async () => {
    const path = folder({ config: config('exec: {command: ./none, apiVersion: client.authentication.k8s.io/v1}') });
    await expect(taken([join(path, 'config')]).credentials.current(NEVER)).rejects.toThrow(/cannot be run/);
  });
});
