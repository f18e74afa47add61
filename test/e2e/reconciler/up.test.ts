import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import { freePort } from '../../bed/free-port.ts';
import { blocksOf } from '../../docs/markdown.ts';
import { ok, ROOT, run, scratch } from '../workspace.ts';

const PATH = 'examples/first-tenant';

let up: ChildProcess;
let said = '';
let kubeconfig = '';
let kubectl = '';
beforeAll(async () => {
  kubectl = await buildTool('kubectl');
  up = spawn(process.execPath, ['--import', 'tsx', 'test/bed/up.ts', PATH], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [up.stdout, up.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  // what to do next is said last
  while (!/^ {2}tenantplane kubeconfig .*\n/m.test(said)) {
    if (up.exitCode !== null) throw new Error(said);
    await sleep(200);
  }
  process.stderr.write(said);
  kubeconfig = /^export KUBECONFIG=(.+)$/m.exec(said)?.[1] ?? '';
});
afterAll(async () => {
  if (up.exitCode !== null) return;
  up.kill('SIGTERM');
  await once(up, 'exit');
});

const onHost = (...args: readonly string[]): string => ok(kubectl, [`--kubeconfig=${kubeconfig}`, ...args]).stdout;

describe('npm run up', () => {
  test('ends with a tenant that kubectl works on, by the kubeconfig that it names', () => {
    const command = /^ {2}tenantplane (kubeconfig .*)$/m.exec(said)?.[1]?.split(' ') ?? [];
    const address = onHost('get', 'pod', '-n', 'cp-x-dev-x-team-dev', 'control-plane-0', '-o', 'jsonpath={.status.podIP}');
    const tenant = join(scratch(), 'tenant.yaml');
    ok('tenantplane', [...command, '--server', `https://${address}:6443`, '--output-file', tenant]);
    const onTenant = (...args: readonly string[]): string => ok(kubectl, [`--kubeconfig=${tenant}`, ...args]).stdout;
    onTenant('create', 'namespace', 'first');
    onTenant('create', 'configmap', 'it', '-n', 'first', '--from-literal=a=b');
    expect(onTenant('get', 'configmap', 'it', '-n', 'first', '-o', 'jsonpath={.data.a}')).toBe('b');
    // it is another cluster than the host
    expect(onHost('get', 'namespaces', '-o', 'name')).not.toContain('namespace/first\n');
  });

  test('begins again on the same host where its reconciler lost the Lease', async () => {
    const ready = (): number => said.split('ready: team-dev/dev\n').length - 1;
    const before = onHost('get', 'namespace', 'kube-system', '-o', 'jsonpath={.metadata.uid}');
    onHost('delete', 'lease', '-n', 'tenantplane-system', 'tenantplane-reconciler');
    await expect.poll(() => said, { timeout: 60_000 }).toContain('its reconciler lost the Lease: tenantplane up begins again on this host');
    await expect.poll(ready, { timeout: 60_000 }).toBe(2);
    expect(onHost('get', 'namespace', 'kube-system', '-o', 'jsonpath={.metadata.uid}')).toBe(before);
    expect(up.exitCode).toBeNull();
  });

  test('leaves the package as it is, and can be said again: nothing changes', () => {
    expect(ok('tenantplane', ['render', PATH, '--check']).stdout).toContain('is up to date');
    const versions = (): string =>
      onHost('get', 'namespaces,networkpolicies,clusterroles,deployments,isolationprofiles', '-A', '-o', VERSIONS);
    const before = versions();
    expect(before).toContain('tenantplane-reconciler');
    const again = ok('tenantplane', ['up', PATH, '--kubeconfig', kubeconfig, '--until-ready', '--timeout', '60s']);
    expect(again.stderr).toMatch(/ready: team-dev\/dev\n/);
    expect(versions()).toBe(before);
  });

  test('leaves a host on which the commands of docs/install-reconciler.md work as well', async () => {
    const blocks = blocksOf(readFileSync(join(ROOT, 'docs/install-reconciler.md'), 'utf8'));
    const [apply = '', reach = ''] = ['first-tenant', 'reach'].map((name) => blocks.find(({ info }) => info === name)?.lines.join('\n'));
    const folder = scratch();
    symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
    const forwarded = reach.replaceAll('16443', `${await freePort()}`);
    const script = `trap 'kill %1' EXIT\n${apply}\n${forwarded}`;
    const env = { KUBECONFIG: kubeconfig, PATH: [dirname(kubectl), inject('bin'), process.env['PATH']].join(delimiter) };
    const { stdout } = ok('bash', ['-meuo', 'pipefail', '-c', script], { cwd: folder, env });
    expect(stdout).toMatch(/^kube-system +Active/m);
  });

  test('refuses a host that is not on this machine and was not named', () => {
    const elsewhere = join(scratch(), 'elsewhere.yaml');
    writeFileSync(elsewhere, readFileSync(kubeconfig, 'utf8').replace(/https:\/\/127\.0\.0\.1:\d+/, 'https://host.example.com:6443'));
    const refused = run('tenantplane', ['up', PATH, '--kubeconfig', elsewhere, '--until-ready', '--timeout', '5s']);
    expect([refused.status, refused.stdout]).toEqual([5, '']);
    expect(refused.stderr).toContain('not on this machine: https://host.example.com:6443.\n  try: Name it with --context');
  });

  test('takes nothing from another field manager, and says who it is', () => {
    onHost('label', 'namespace', 'team-dev', 'tenantplane.io/tenant=other', '--overwrite', '--field-manager=somebody');
    const refused = run('tenantplane', ['up', PATH, '--kubeconfig', kubeconfig, '--until-ready', '--timeout', '60s']);
    expect(refused.status).toBe(3);
    expect(refused.stderr).toMatch(/Namespace team-dev was not applied: .*\n {2}try: somebody applied it with other values/);
  });

  test('says what is the matter where a tenant does not get ready in time', () => {
    onHost('label', 'namespace', 'team-dev', 'tenantplane.io/tenant=dev', '--overwrite', '--field-manager=somebody');
    onHost('patch', 'tenantcluster', '-n', 'team-dev', 'dev', '--type=merge', '-p', '{"spec":{"kubernetesVersion":"1.99"}}');
    const late = run('tenantplane', ['up', PATH, '--kubeconfig', kubeconfig, '--until-ready', '--timeout', '10s']);
    expect(late.status).toBe(1);
    expect(late.stderr).toMatch(/team-dev\/dev {2}\w+ \(VersionUnsupported\): /);
    expect(late.stderr).toContain('not ready after 10 s: team-dev/dev\n');
    expect(late.stderr).toMatch(/ {2}Stalled is True \(VersionUnsupported\): .+\n {4}try: Use a version that the message lists/);
    // that of npm run up leads all the while
    expect(late.stderr).toMatch(/the reconciler here stands by: \S+ leads/);
  });

  test('ends all that it started when it is interrupted', async () => {
    up.kill('SIGINT');
    expect(await once(up, 'exit')).toEqual([0, null]);
    expect(existsSync(kubeconfig)).toBe(false);
  });
});

const VERSIONS = 'jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
