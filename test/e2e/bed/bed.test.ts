import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../bed/server.ts';
import { ok, type Ran, run, scratch } from '../workspace.ts';

/** The command for people, with a state of its own. */
function bed(state: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
  return run(process.execPath, ['--import', 'tsx', 'test/bed/bed.ts', ...args], { env: { TENANTPLANE_BED: state, ...env } });
}

interface State {
  readonly pid: number;
  readonly clusters: readonly { readonly kubeconfig: string; readonly processes: readonly { readonly pid: number }[] }[];
}

function up(...args: readonly string[]): { state: string; said: string; owner: number; pids: number[]; folders: string[] } {
  const state = scratch();
  onTestFinished(() => {
    bed(state, ['down']);
  });
  const { status, stdout, stderr } = bed(state, ['up', ...args]);
  expect(status, stderr).toBe(0);
  const { pid, clusters } = JSON.parse(readFileSync(join(state, 'bed.json'), 'utf8')) as State;
  return {
    state,
    said: stdout,
    owner: pid,
    pids: clusters.flatMap(({ processes }) => processes.map((each) => each.pid)),
    folders: clusters.map(({ kubeconfig }) => dirname(kubeconfig)),
  };
}

test('up leaves a host and a tenant running, which the printed lines reach; status shows and down ends them', () => {
  const { state, said, owner, pids, folders } = up();
  const [host, tenant] = [...said.matchAll(/^export KUBECONFIG=(.+)$/gm)].map((match) => match[1] ?? '');
  const path = /^export PATH="(.+):\$PATH"$/m.exec(said)?.[1] ?? '';
  ok(join(path, 'kubectl'), ['--kubeconfig', host ?? '', 'create', 'namespace', 'on-host']);
  const seen = ok(join(path, 'kubectl'), ['--kubeconfig', tenant ?? '', 'get', 'namespaces', '-o', 'name']).stdout;
  expect(seen).toContain('namespace/default');
  expect(seen).not.toContain('on-host');

  const again = bed(state, ['up']);
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('a bed is up already')]);
  const status = bed(state, ['status']).stdout;
  expect(status).toContain(said);
  expect(status.match(/^# (host|tenant-1) kube-\S+ \d+ \d+ MiB$/gm)?.length).toBe(4);

  expect(bed(state, ['down'])).toMatchObject({ status: 0, stderr: '' });
  expect([owner, ...pids].filter(isAlive)).toEqual([]);
  expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  expect(bed(state, ['status']).stdout).toContain('no bed is up');
});

test('servers end with the process that started them, however that ends; the next start clears up after it', async () => {
  const { state, owner, pids, folders } = up('--tenants', '0');
  expect(pids.filter(isAlive)).toEqual(pids);
  process.kill(owner, 'SIGKILL');
  for (let tries = 0; tries < 100 && pids.some(isAlive); tries += 1) await sleep(50);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(bed(state, ['status']).stdout).toContain('no bed is up');
  expect(folders.every((folder) => existsSync(folder))).toBe(true);
  up('--tenants', '0');
  expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
});

test('without Go it says that Go is missing', () => {
  const bin = join(scratch(), 'bin');
  mkdirSync(bin);
  symlinkSync('/usr/bin/flock', join(bin, 'flock'));
  const cache = scratch();
  const { status, stderr } = run(process.execPath, ['--import', 'tsx', 'test/bed/bed.ts', 'build', 'etcd'], {
    env: { PATH: bin, TENANTPLANE_CACHE: cache },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/cannot build etcd in test\/bed\/etcd: .*is Go 1\.26 or newer installed\?/);
  expect(readdirSync(cache, { recursive: true }).filter((name) => String(name).includes('building'))).toEqual([]);
});
