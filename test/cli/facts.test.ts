import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'js-yaml';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gatherFacts } from '../../src/cli/facts/gather-facts.ts';
import { SYSTEM_CLOCK } from '../../src/kube/clock.ts';
import { execCredentials } from '../../src/kube/connection/exec-credential.ts';
import { openTransport, type Transport } from '../../src/kube/transport/transport.ts';
import { makeAuthorities } from '../../src/reconciler/pki/make-authorities.ts';
import { masked } from '../../src/report/mask-credentials.ts';
import { type Answers, answeringHost, groups, kubeconfig } from './answering-host.ts';
import { start, tenantplane, twoTenants } from './harness.ts';
import { scratch } from './tree/disk.ts';

// What a real host answers is in test/e2e/facts.test.ts; here are answers that it does not give on demand.

const named = (...names: string[]): string => JSON.stringify({ items: names.map((name) => ({ metadata: { name } })) });

async function facts(answers: Answers): Promise<{ spec: Record<string, unknown>; err: string }> {
  const { code, out, err } = await tenantplane(['facts', '--kubeconfig', await answeringHost(answers)]);
  expect(code).toBe(0);
  return { spec: (load(out) as { spec: Record<string, unknown> }).spec, err };
}

describe('an answer that is no fact is unknown, and the others stand', () => {
  test('an API version', async () => {
    const { spec, err } = await facts({ '/apis': groups('Warning: odd'), '/apis/networking.k8s.io/v1/ingressclasses': named('nginx') });
    expect(spec).toMatchObject({ version: 'v1.34.1', ingressClasses: ['nginx'] });
    expect(spec).not.toHaveProperty('apiVersions');
    expect(err).toMatch(/^unknown: apiVersions \(.*Warning: odd/m);
  });

  test('a name', async () => {
    const { spec, err } = await facts({ '/apis/storage.k8s.io/v1/storageclasses': named('fast', 'Not A Name') });
    expect(spec).toMatchObject({ apiVersions: expect.arrayContaining(['v1']), defaultStorageClass: '' });
    expect(spec).not.toHaveProperty('storageClasses');
    expect(err).toMatch(/^unknown: storageClasses \(.*Not A Name/m);
  });

  test('what is no JSON', async () => {
    const { spec, err } = await facts({ '/apis/networking.k8s.io/v1/ingressclasses': 'none' });
    expect(spec).not.toHaveProperty('ingressClasses');
    expect(err).toContain('unknown: ingressClasses (');
  });

  test('a class of the system as the default of all pods', async () => {
    const classes = JSON.stringify({ items: [{ metadata: { name: 'system-node-critical' }, globalDefault: true }] });
    const { spec, err } = await facts({ '/apis/scheduling.k8s.io/v1/priorityclasses': classes });
    expect(spec).toMatchObject({ priorityClasses: ['system-node-critical'] });
    expect(spec).not.toHaveProperty('defaultPriorityClass');
    expect(err).toContain('unknown: defaultPriorityClass (it is system-node-critical, which no tenant may have)');
  });

  test('a kind that the host does not serve', async () => {
    const { spec, err } = await facts({ '/apis': '{"kind": "APIGroupDiscoveryList", "items": []}' });
    expect(spec).toEqual({ version: 'v1.34.1', apiVersions: ['v1'] });
    expect(err).toContain('unknown: serviceCIDRs (the host serves no servicecidrs.networking.k8s.io)');
  });
});

describe('a kubeconfig that names no host is said', () => {
  test.each<[string, string, string, string]>([
    ['that is not there', '/nowhere/config', '/nowhere/config: there is no such file', 'Name a file that is there with --kubeconfig'],
    ['that is empty', '/dev/null', '/dev/null: current-context: no context is named', 'kubectl config get-contexts --kubeconfig /dev/null'],
  ])('%s', async (_, path, why, remedy) => {
    const { code, out, err } = await tenantplane(['facts', '--kubeconfig', path]);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain(`The host cannot be reached: ${why}.`);
    expect(err).toContain(remedy);
  });

  test('without a kubeconfig at all', async () => {
    const { code, err } = await tenantplane(['facts'], { env: { HOME: scratch() } });
    expect(code).toBe(3);
    expect(err).toMatch(/The host cannot be reached: .*\.kube\/config: there is no such file\./);
    expect(err).toMatch(/try: .*\$KUBECONFIG.*npm run up/);
  });

  test('by a context that is not in it', async () => {
    const { code, err } = await tenantplane(['facts', '--kubeconfig', await answeringHost(), '--context', 'prod']);
    expect(code).toBe(3);
    expect(err).toContain('there is no context "prod"; there is "x".');
  });

  test('the one that KUBECONFIG names is taken, from where the command runs', async () => {
    const path = await answeringHost();
    const { code } = await tenantplane(['facts'], { cwd: dirname(path), env: { KUBECONFIG: basename(path) } });
    expect(code).toBe(0);
  });
});

test('a host that another authority signed for is not asked for by name again', async () => {
  const path = await answeringHost();
  const config = JSON.parse(readFileSync(path, 'utf8')) as { clusters: [{ cluster: Record<string, string> }] };
  const { 'server-ca.crt': other = '' } = await makeAuthorities({ name: 'a', namespace: 'b' }, Date.now());
  config.clusters[0].cluster['certificate-authority-data'] = Buffer.from(other).toString('base64');
  writeFileSync(path, JSON.stringify(config));
  const { code, err } = await tenantplane(['facts', '--kubeconfig', path, '--context', 'x']);
  expect(code).toBe(3);
  expect(err).toContain('try: The certificate authority in that kubeconfig did not sign it');
});

describe('a credential plugin that waits', () => {
  function script(does: string): string {
    const path = join(scratch(), 'plugin');
    writeFileSync(path, `#!/bin/sh\n${does}\n`);
    chmodSync(path, 0o755);
    return path;
  }
  /** Leaves the process id of what it started, which waits for a login. */
  function waiting(): { readonly program: string; plugin(): number } {
    const file = join(scratch(), 'pid');
    const program = script(`sleep 600 & echo $! > ${file}.new; mv ${file}.new ${file}; wait`);
    const plugin = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
    onTestFinished(() => {
      if (plugin() > 0 && runs(plugin())) process.kill(plugin(), 'SIGKILL');
    });
    return { program, plugin };
  }
  function hostOf(command: string): Transport {
    const env = { PATH: process.env['PATH'] ?? '' };
    const credentials = execCredentials({ command, args: [], env }, SYSTEM_CLOCK, () => undefined);
    return openTransport({ server: 'https://127.0.0.1:1', credentials }, { clock: SYSTEM_CLOCK });
  }
  async function until(holds: () => boolean): Promise<void> {
    for (let tries = 0; tries < 200 && !holds(); tries += 1) await sleep(50);
    expect(holds()).toBe(true);
  }
  const runs = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      // one that ended and that nobody has asked about yet
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };

  test('is ended with all that it started once the time is up', async () => {
    const { program, plugin } = waiting();
    await expect(gatherFacts(hostOf(program), new AbortController().signal, 1500)).rejects.toThrow(
      'The host did not answer everything within 1.5 s.',
    );
    expect(plugin()).toBeGreaterThan(0);
    await until(() => !runs(plugin()));
  });

  test('is waited for no longer where what it started cannot be ended', async () => {
    const program = script('setsid sleep 20 & wait');
    const before = Date.now();
    await expect(gatherFacts(hostOf(program), new AbortController().signal, 500)).rejects.toThrow('within 0.5 s');
    expect(Date.now() - before).toBeLessThan(10_000);
  });

  test('is ended with all that it started on an interrupt', async () => {
    const { program, plugin } = waiting();
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: program };
    const child = start(['facts', '--kubeconfig', kubeconfig('https://127.0.0.1:1', { exec })], '/');
    await until(() => plugin() > 0);
    expect(runs(plugin())).toBe(true);
    child.kill('SIGINT');
    await until(() => child.exitCode !== null);
    expect(child.exitCode).toBe(130);
    await until(() => !runs(plugin()));
  });
});

test('words of the host are told without the credentials in them', async () => {
  const words = 'Get "https://admin:hunter2hunter2@api.example.com/version": unauthorized';
  const answer = { code: 502, body: JSON.stringify({ kind: 'Status', message: words }) };
  const { err, code } = await tenantplane(['facts', '--kubeconfig', await answeringHost({ '/version': answer })]);
  expect(code).toBe(3);
  expect(err).toContain('https://***@api.example.com/version');
  expect(err).not.toContain('hunter2');
});

test.each([
  ['proxyconnect http://u:p@ss@proxy:3128: refused', 'proxyconnect http://***@proxy:3128: refused'],
  ['Authorization: Bearer c2VjcmV0LXRva2Vu.x-y_z==', 'Authorization: Bearer ***'],
  ['header Authorization: Basic dXNlcjpwYXNzd29yZA==', 'header Authorization: Basic ***'],
  ['POST https://idp/token?refresh_token=abc123&client_id=me', 'POST https://idp/token?refresh_token=***&client_id=me'],
  ['token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln is expired', 'token *** is expired'],
  ['dial tcp 127.0.0.1:6443: connect: connection refused', 'dial tcp 127.0.0.1:6443: connect: connection refused'],
  ['the bearer token has expired; see https://a.example/x@y', 'the bearer token has expired; see https://a.example/x@y'],
])('%s is told as %s', (text, shown) => {
  expect(masked(text)).toBe(shown);
});

describe('--output-file', () => {
  const silent = (): Promise<string> => answeringHost({ '/version': { code: 403, body: '{}' } });
  const written = (path: string): Record<string, unknown> => (load(readFileSync(path, 'utf8')) as { spec: Record<string, unknown> }).spec;

  test('writes there, and keeps what only a person can know', async () => {
    const cwd = scratch();
    const path = join(cwd, 'facts.yaml');
    const argv = ['facts', '--kubeconfig', await answeringHost(), '--output-file', 'facts.yaml'];
    expect(await tenantplane(argv, { cwd })).toMatchObject({ code: 0, out: '' });
    expect(written(path)).toMatchObject({ version: 'v1.34.1' });
    writeFileSync(path, readFileSync(path, 'utf8').replace('v1.34.1', 'v1.33.0').replace(/$/, '  networkPolicies: enforced\n'));
    const { code, err } = await tenantplane(argv, { cwd });
    expect({ code, told: err.includes('networkPolicies') }).toEqual({ code: 0, told: false });
    expect(written(path)).toMatchObject({ version: 'v1.34.1', networkPolicies: 'enforced' });
    expect(readdirSync(cwd)).toEqual(['facts.yaml']);
  });

  test('leaves the file as it is where the host does not answer', async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, 'facts.yaml'), 'as it was');
    for (const file of ['facts.yaml', 'new.yaml'])
      expect((await tenantplane(['facts', '--kubeconfig', await silent(), '--output-file', file], { cwd })).code).not.toBe(0);
    expect(readFileSync(join(cwd, 'facts.yaml'), 'utf8')).toBe('as it was');
    expect(readdirSync(cwd)).toEqual(['facts.yaml']);
  });

  test('takes an empty file for none, and says where one cannot be written', async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, 'facts.yaml'), '');
    expect((await tenantplane(['facts', '--kubeconfig', await answeringHost(), '--output-file', 'facts.yaml'], { cwd })).code).toBe(0);
    const nowhere = await tenantplane(['facts', '--kubeconfig', await answeringHost(), '--output-file', 'no/facts.yaml'], { cwd });
    expect(nowhere).toMatchObject({ code: 3, err: expect.stringContaining('no/facts.yaml cannot be written') });
  });

  test.each(['', '# nothing\n', '---\n'])('a facts.yaml that holds nothing (%j) is warned of by a render', async (text) => {
    const cwd = twoTenants({ 'facts.yaml': text });
    const { code, out } = await tenantplane(['render'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/\? facts\.yaml.* TP2021 NotAnObject\n.*nothing is known of the host.*\n.*--output-file/);
  });
});
