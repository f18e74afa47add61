import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { at, objectsOf } from '../../../src/core/kube/json.ts';
import { DATASTORES, named, objectsFor } from './tenant-clusters.ts';

const AUTHORITIES_MOUNT = 'authorities';

/** As the pods have it. */
function script(container: string): string {
  const set = named(objectsFor(DATASTORES.etcd), 'StatefulSet', 'control-plane');
  const found = objectsOf(at(set, 'spec', 'template', 'spec', 'initContainers')).find(({ name }) => name === container);
  return String(at(found, 'command', 2));
}
const SCRIPTS = { authorities: script('authorities'), member: script('member') };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  for (const path of ['data', 'authorities', 'etc/rancher', 'etc/tenantplane/config', 'bin'])
    mkdirSync(join(folder, path), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The script of an init container in a folder of the test’s own instead of the container’s root. */
function run(script: string, env: Record<string, string> = {}): { status: number | null; stderr: string } {
  const moved = script.replaceAll(/(?<![\w/])\/(data|authorities|etc\/rancher|etc\/tenantplane)\b/g, (path) => join(folder, path));
  const { status, stderr } = spawnSync('/bin/sh', ['-c', moved], {
    encoding: 'utf8',
    timeout: 20_000,
    env: { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, ...env },
  });
  return { status, stderr };
}
const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');

describe('the authorities', () => {
  /** As a kubelet mounts a Secret: links into a folder that is switched as a whole. */
  function mountSecret(files: Readonly<Record<string, string>>): void {
    const version = join(folder, AUTHORITIES_MOUNT, '..2026');
    mkdirSync(version, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(version, name), text, { mode: 0o440 });
      const link = join(folder, AUTHORITIES_MOUNT, name);
      if (!existsSync(link)) symlinkSync(join('..2026', name), link);
    }
  }
  const FILES = { 'server-ca.crt': 'A\n', 'server-ca.key': 'B\n', 'etcd.peer-ca.key': 'C\n', 'service.key': 'D\n' };

  test('lie where k3s looks for them, for its user alone', () => {
    mountSecret(FILES);
    expect(run(SCRIPTS.authorities)).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(join(folder, 'data/server/tls')).sort()).toEqual(['etcd', 'server-ca.crt', 'server-ca.key', 'service.key']);
    expect([read('data/server/tls/server-ca.key'), read('data/server/tls/etcd/peer-ca.key')]).toEqual(['B\n', 'C\n']);
    for (const path of ['server-ca.key', 'etcd/peer-ca.key', 'service.key'])
      expect(statSync(join(folder, 'data/server/tls', path)).mode & 0o077).toBe(0);
  });

  test('are left as they lie at each further start', () => {
    mountSecret(FILES);
    run(SCRIPTS.authorities);
    const before = statSync(join(folder, 'data/server/tls/server-ca.crt')).mtimeMs;
    chmodSync(join(folder, 'data/server/tls/server-ca.crt'), 0o400);
    expect(run(SCRIPTS.authorities)).toEqual({ status: 0, stderr: '' });
    expect(statSync(join(folder, 'data/server/tls/server-ca.crt')).mtimeMs).toBe(before);
  });

  test('of another control plane on the volume stop it, by the name of the file and not its content', () => {
    mountSecret(FILES);
    run(SCRIPTS.authorities);
    chmodSync(join(folder, AUTHORITIES_MOUNT, '..2026/service.key'), 0o600);
    writeFileSync(join(folder, AUTHORITIES_MOUNT, '..2026/service.key'), 'other\n');
    const { status, stderr } = run(SCRIPTS.authorities);
    expect(status).toBe(1);
    expect(stderr).toContain('The volume holds service.key of another control plane');
    expect(stderr).not.toMatch(/other\n|^D$/m);
    expect(read('data/server/tls/service.key')).toBe('D\n');
  });
});

describe('an etcd member', () => {
  const OTHERS = ['control-plane-0.s', 'control-plane-1.s', 'control-plane-2.s'].join(' ');
  const env = (ordinal: number): Record<string, string> => ({
    POD_NAME: `control-plane-${ordinal}`,
    OTHERS,
    CONTROL_PLANE_0_SERVICE_HOST: '10.96.0.10',
    CONTROL_PLANE_1_SERVICE_HOST: '10.96.0.11',
  });
  /** A `k3s` that says who answers to a ping, from which attempt on. */
  function answering(hosts: readonly string[], from = 1): void {
    const cases = hosts.map((host) => `*//${host}:6443*) [ "$n" -ge ${from} ] ;;`).join('\n');
    const k3s = `#!/bin/sh\necho "$*" >> ${folder}/asked\nn=$(wc -l < ${folder}/asked)\ncase "$*" in\n${cases}\n*) exit 1 ;;\nesac\n`;
    writeFileSync(join(folder, 'bin/k3s'), k3s, { mode: 0o755 });
  }
  const member = (): string => read('etc/rancher/member.yaml').trim();

  test('the first one begins the cluster where nobody answers', () => {
    answering([]);
    expect(run(SCRIPTS.member, env(0))).toEqual({ status: 0, stderr: '' });
    expect(member()).toBe('node-ip: 10.96.0.10\ncluster-init: true');
  });

  test('the first one joins where its volume was lost and others answer', () => {
    answering(['control-plane-2.s']);
    expect(run(SCRIPTS.member, env(0)).status).toBe(0);
    expect(member()).toBe('node-ip: 10.96.0.10\nserver: https://control-plane-2.s:6443');
  });

  test('the first one never begins a second cluster: it waits for others as long as it takes', () => {
    writeFileSync(join(folder, 'etc/tenantplane/config/etcd-was-begun'), 'true');
    answering(['control-plane-1.s'], 5);
    expect(run(SCRIPTS.member, env(0)).status).toBe(0);
    expect(member()).toBe('node-ip: 10.96.0.10\nserver: https://control-plane-1.s:6443');
  });

  test('the first one says what is to be done where all others stay silent', () => {
    writeFileSync(join(folder, 'etc/tenantplane/config/etcd-was-begun'), 'true');
    answering([]);
    writeFileSync(join(folder, 'bin/sleep'), '#!/bin/sh\n', { mode: 0o755 });
    const { status, stderr } = run(SCRIPTS.member, env(0));
    expect(status).toBe(1);
    expect(stderr).toContain('no other member answers: restore it from a backup');
    expect(existsSync(join(folder, 'etc/rancher/member.yaml'))).toBe(false);
  });

  test('a further one waits for one that answers, and never asks itself', () => {
    answering(['control-plane-0.s', 'control-plane-1.s'], 3);
    expect(run(SCRIPTS.member, env(1)).status).toBe(0);
    expect(member()).toBe('node-ip: 10.96.0.11\nserver: https://control-plane-0.s:6443');
    expect(read('asked')).not.toContain('//control-plane-1.s:');
    // without any, kubectl would ask for a user's name
    expect(read('asked')).toContain('--token=');
    expect(read('asked')).toContain(`--certificate-authority=${join(folder, AUTHORITIES_MOUNT)}/server-ca.crt`);
  });

  test('one with data comes back as it was, whoever answers', () => {
    answering([]);
    mkdirSync(join(folder, 'data/server/db/etcd/member'), { recursive: true });
    expect(run(SCRIPTS.member, env(1)).status).toBe(0);
    expect(member()).toBe('node-ip: 10.96.0.11');
    expect(existsSync(join(folder, 'asked'))).toBe(false);
  });

  test('without an address it fails, to be started again', () => {
    answering([]);
    const { status, stderr } = run(SCRIPTS.member, env(2));
    expect(status).not.toBe(0);
    expect(stderr).toContain('CONTROL_PLANE_2_SERVICE_HOST: is not known yet');
  });
});
