import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import { isAlive } from '../../bed/server.ts';
import { ok, type Ran, run, scratch } from '../workspace.ts';

beforeAll(async () => {
  for (const tool of ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager'] as const) await buildTool(tool);
});

/** The command for people, with a state of its own. */
function bed(state: string, args: readonly string[]): Ran {
  return run(process.execPath, ['--import', 'tsx', 'test/bed/bed.ts', ...args], { env: { TENANTPLANE_BED: state } });
}

interface State {
  readonly pid: number;
  readonly etcd: { readonly pid: number };
  readonly clusters: readonly { readonly kubeconfig: string; readonly processes: readonly { readonly pid: number }[] }[];
}

function up(...args: readonly string[]): { state: string; said: string; owner: number; pids: number[]; folders: string[] } {
  const state = scratch();
  onTestFinished(() => {
    bed(state, ['down']);
  });
  const { status, stdout, stderr } = bed(state, ['up', ...args]);
  expect(status, stderr).toBe(0);
  const { pid, etcd, clusters } = JSON.parse(readFileSync(join(state, 'bed.json'), 'utf8')) as State;
  return {
    state,
    said: stdout,
    owner: pid,
    pids: [etcd, ...clusters.flatMap(({ processes }) => processes)].map((each) => each.pid),
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
  expect(status.match(/^# (shared etcd|(host|tenant-1) kube-\S+) \d+ \d+ MiB$/gm)?.length).toBe(5);

  expect(bed(state, ['down'])).toMatchObject({ status: 0, stderr: '' });
  expect([owner, ...pids].filter(isAlive)).toEqual([]);
  expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  expect(bed(state, ['status']).stdout).toContain('no bed is up');
});

test('servers end with the process that started them, however that ends', async () => {
  const { state, owner, pids } = up('--tenants', '0');
  expect(pids.filter(isAlive)).toEqual(pids);
  process.kill(owner, 'SIGKILL');
  for (let tries = 0; tries < 100 && pids.some(isAlive); tries += 1) await sleep(50);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(bed(state, ['status']).stdout).toContain('no bed is up');
});
