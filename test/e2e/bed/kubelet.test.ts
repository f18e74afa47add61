import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { makeCgroup, removeCgroup } from '../../bed/node/cgroup.ts';
import { PAUSE } from '../../bed/node/pause-image.ts';
import { makePodNetwork } from '../../bed/node/pod-network.ts';
import { isAlive } from '../../bed/server.ts';
import { serverFolder } from '../../bed/server-folder.ts';

const TOOLS = ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager', 'kube-scheduler', 'kubelet'] as const;

let cluster: Cluster;
beforeAll(async () => {
  for (const tool of TOOLS) await buildTool(tool);
  cluster = await startCluster({ kubelet: true });
});
afterAll(() => cluster?.stop());

async function kubectl(args: readonly string[], input: object = {}): Promise<string> {
  const ran = await cluster.kubectl(args, { input: JSON.stringify(input) });
  expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await holds()) return;
    await sleep(100);
  }
  throw new Error(`not in 30 s: ${what}`);
}

/** Runs a line of shell as somebody without rights, in the one image that each node has. */
const pod = (name: string, line: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 0,
    securityContext: { runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532 },
    containers: [{ name: 'it', image: PAUSE.name, command: ['/bin/busybox', 'sh', '-c', line], ...more }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  },
});

test('the node is ready, and says what runs its pods', async () => {
  const node = JSON.parse(await kubectl(['get', 'node', 'localhost', '-o', 'json'])) as {
    readonly status: { readonly nodeInfo: object; readonly conditions: readonly object[] };
  };
  expect(node.status.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  expect(node.status.nodeInfo).toMatchObject({
    kubeletVersion: cluster.version,
    containerRuntimeVersion: expect.stringMatching(/^containerd:/),
  });
});

test('a pod runs: this machine reaches it, and so do logs and exec; its volume is its group’s and goes with its claim', async () => {
  const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
  await kubectl(['create', '-f', '-'], { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, ...claim });
  const line = 'echo hello >/data/said; echo started; /bin/busybox httpd -f -p 8080 -h /data';
  await kubectl(['create', '-f', '-'], pod('web', line, { volumeMounts: [{ name: 'data', mountPath: '/data' }] }));
  await kubectl(['wait', '--for=condition=Ready', 'pod/web', '--timeout=60s']);
  const address = await kubectl(['get', 'pod', 'web', '-o', 'jsonpath={.status.podIP}']);
  expect(address.replace(/\d+$/, '1')).toBe(cluster.node().gateway);
  await until('an answer', async () => (await fetch(`http://${address}:8080/said`).catch(() => undefined))?.ok === true);
  expect(await (await fetch(`http://${address}:8080/said`)).text()).toBe('hello\n');
  expect(await kubectl(['logs', 'web'])).toBe('started\n');
  expect(await kubectl(['exec', 'web', '--', '/bin/busybox', 'stat', '-c', '%u:%g %A', '/data'])).toBe('0:65532 drwxrwsr-x\n');

  const volumes = join(cluster.node().folder, 'volumes');
  const [volume = ''] = readdirSync(volumes);
  expect(statSync(join(volumes, volume, 'said')).uid).toBe(65532);
  await kubectl(['delete', 'pod/web', 'pvc/data']);
  await until('the volume is gone', () => readdirSync(volumes).length === 0);
  await until('its object too', async () => (await kubectl(['get', 'persistentvolumes', '-o', 'name'])) === '');
});

test('a cluster that was not asked for a kubelet has no node', async () => {
  const plain = await startCluster();
  try {
    expect(() => plain.node()).toThrow('kubelet: true');
  } finally {
    await plain.stop();
  }
});

/** Processes of this machine, of every namespace, that name a folder in their arguments. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || !isAlive(Number(name))) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder) ? [Number(name)] : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

const groups = (name: string): string[] =>
  readdirSync('/sys/fs/cgroup')
    .map((each) => join('/sys/fs/cgroup', each, name))
    .filter((path) => existsSync(path));

test('of a run that is killed nothing is left that the next start does not remove', async () => {
  const script = fileURLToPath(new URL('start-node.ts', import.meta.url));
  const owner = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  const { folder, cgroup, gateway } = JSON.parse(line) as { readonly folder: string; readonly cgroup: string; readonly gateway: string };
  const shims = (): number[] => processesOf(`${folder}/containerd.sock`);
  const bridge = (): boolean => existsSync(`/sys/class/net/tpb${owner.pid}-${gateway.split('.')[2]}`);
  expect(shims().length).toBeGreaterThan(0);
  expect([groups(cgroup).length > 0, bridge(), existsSync(folder)]).toEqual([true, true, true]);

  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await until('the kernel has ended its processes', () => processesOf(folder).length === 0);
  expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(folder);

  // what a start does first; a group stays with the kernel for a moment after its last process
  await until('a start finds its groups empty, and removes them', () => {
    makeCgroup(`tenantplane-bed-${process.pid}-next`);
    removeCgroup(`tenantplane-bed-${process.pid}-next`);
    return groups(cgroup).length === 0;
  });
  makePodNetwork().remove();
  rmSync(serverFolder(join(folder, '..')), { recursive: true });
  expect([bridge(), existsSync(folder)]).toEqual([false, false]);
});
