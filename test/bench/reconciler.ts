// npm run bench:reconciler [-- --tenants 10,50,100 --resync 60 --rest 120 --shard SELECTOR]: what one reconciler needs for so many tenants.
// Real: the host's API server, its controllers and scheduler, the command, its rights. Not real: nodes (kwok), so no k3s runs: one API server
// answers for all tenants, through a front that has each tenant's certificate at the address of its pod.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type JsonObject, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../bed/cluster.ts';
import { startEtcd } from '../bed/etcd.ts';
import { freePort } from '../bed/free-port.ts';
import { ACCOUNT, appliedInOrder, GROUPS, RIGHTS, writePlatform, writeTenant } from '../support/tenant-package.ts';
import { startFront } from './tenant-front.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { values: flags } = parseArgs({
  options: {
    tenants: { type: 'string', default: '10,50,100' },
    resync: { type: 'string', default: '60' },
    rest: { type: 'string', default: '120' },
    // label selector of TenantClusters; 'shard!=b' is all of them here, beside which a shard keeps names of all that there are
    shard: { type: 'string' },
  },
});
const STEPS = flags.tenants.split(',').map(Number);
const MOST = Math.max(...STEPS);
const SHIPPED_RESYNC = 600;

const folder = mkdtempSync(join(tmpdir(), 'tenantplane-bench-'));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function kubectl(cluster: Cluster, args: readonly string[], input = ''): Promise<string> {
  const ran = await cluster.kubectl(args, { input });
  if (ran.status !== 0) throw new Error(`kubectl ${args[0]}: ${ran.stderr.slice(0, 2000)}`);
  return ran.stdout;
}

const apply = (cluster: Cluster, files: readonly string[]): Promise<string> =>
  kubectl(cluster, ['apply', '--server-side', ...files.flatMap((file) => ['-f', file])]);

/** Volumes for claims: nobody provisions here. */
function volumes(): string {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const disk = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'disk', annotations } };
  const items = Array.from({ length: MOST }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `disk-${index}` },
    spec: { capacity: { storage: '1Ti' }, accessModes: ['ReadWriteOnce'], storageClassName: 'disk', hostPath: { path: '/data' } },
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ ...disk, provisioner: 'kubernetes.io/no-provisioner' }, ...items] });
}

interface Held {
  readonly cpu: number;
  readonly mib: number;
}

/** CPU seconds so far, and resident memory. */
function held(pid: number): Held {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { cpu: ticks / 100, mib: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024 };
}

/** Requests so far: to the host, and to tenants. */
async function requests(metrics: string): Promise<{ readonly host: number; readonly tenant: number }> {
  const counts = { host: 0, tenant: 0 };
  for (const line of (await (await fetch(metrics)).text()).split('\n')) {
    const [, labels, value] = /^rest_client_requests_total\{(.*)\} (\S+)$/.exec(line) ?? [];
    if (labels !== undefined) counts[labels.includes('host="tenant"') ? 'tenant' : 'host'] += Number(value);
  }
  return counts;
}

async function phases(host: Cluster): Promise<readonly string[]> {
  const list = JSON.parse(await kubectl(host, ['get', 'tenantclusters', '-A', '-o', 'json'])) as JsonObject;
  return objectsOf(list['items']).map((each) => stringAt(each, 'status', 'phase') ?? 'none');
}

async function untilReady(host: Cluster, count: number): Promise<void> {
  const begin = Date.now();
  for (;;) {
    const now = await phases(host);
    if (now.filter((phase) => phase === 'Ready').length === count) return;
    if (Date.now() - begin > 600_000) throw new Error(`not Ready after 10 minutes: ${now.join(' ')}`);
    await sleep(1000);
  }
}

async function measure(host: Cluster, reconciler: ChildProcess, metrics: string): Promise<void> {
  const pid = reconciler.pid ?? 0;
  for (;;) {
    const ready = await fetch(metrics).then(
      async (answer) => (await answer.text()).includes('leader_election_master_status'),
      () => false,
    );
    if (ready) break;
    await sleep(200);
  }
  await sleep(5000);
  const empty = held(pid);
  say('\n| tenants | MiB resident | MiB more a tenant | s from apply to the last Ready | CPU s of the reconciler for it |');
  say('| ---: | ---: | ---: | ---: | ---: |');
  say(`| 0 | ${empty.mib.toFixed(0)} |  |  | ${empty.cpu.toFixed(1)} |`);
  const tree = join(folder, 'package');
  writePlatform(tree);
  let standing = 0;
  const done = new Set<string>();
  for (const count of STEPS) {
    for (let index = standing + 1; index <= count; index += 1) writeTenant(tree, `t-${String(index).padStart(3, '0')}`, '');
    const rendered = spawnSync(process.execPath, [join(ROOT, 'dist/tenantplane.mjs'), 'render', tree, '--quiet', '--fail-on', 'rejected']);
    if (rendered.status !== 0) throw new Error(String(rendered.stderr));
    const [namespaces = [], between = [], tenants = []] = appliedInOrder(tree).map((files) => files.filter((file) => !done.has(file)));
    for (const files of [namespaces, between]) await apply(host, files);
    const before = held(pid);
    const begin = Date.now();
    await apply(host, tenants);
    for (const file of [...namespaces, ...between, ...tenants]) done.add(file);
    await untilReady(host, count);
    const seconds = (Date.now() - begin) / 1000;
    const after = held(pid);
    const cpu = after.cpu - before.cpu;
    say(
      `| ${count} | ${after.mib.toFixed(0)} | ${((after.mib - empty.mib) / count).toFixed(2)} | ${seconds.toFixed(0)} (${count - standing} new) | ${cpu.toFixed(1)} |`,
    );
    standing = count;
  }
  await sleep(30_000);
  const rest = Number(flags.rest);
  const [before, first] = [held(pid), await requests(metrics)];
  await sleep(rest * 1000);
  const [after, second] = [held(pid), await requests(metrics)];
  const passes = rest / Number(flags.resync);
  const each = (which: 'host' | 'tenant'): number => (second[which] - first[which]) / standing;
  const shipped = (requests: number): string => ((requests / passes) * (60 / SHIPPED_RESYNC)).toFixed(2);
  say(
    `\nat rest, ${rest} s with a resync of ${flags.resync} s:\n\n| what | measured, a tenant | a minute with the resync as shipped (10 min) |`,
  );
  say('| --- | ---: | ---: |');
  for (const which of ['host', 'tenant'] as const)
    say(`| requests to the ${which} | ${each(which).toFixed(2)} | ${shipped(each(which))} |`);
  const cpu = after.cpu - before.cpu;
  say(
    `\nCPU: ${((cpu / rest) * 100).toFixed(1)} % of a core, ${((cpu / passes / standing) * 1000).toFixed(1)} ms a pass; resident: ${after.mib.toFixed(0)} MiB`,
  );
}

const etcd = await startEtcd();
const octet = randomInt(64, 127);
const host = await startCluster({ etcd, kwok: 3, podCIDR: `127.${octet}.0.0/16` });
const behind = await startCluster({ etcd });
const front = await startFront(
  Array.from({ length: MOST + 20 }, (_, index) => `127.${octet}.0.${index}`),
  host,
  behind,
);
let reconciler: ChildProcess | undefined;
try {
  await kubectl(host, ['create', '-f', '-'], volumes());
  await apply(host, [join(ROOT, 'deploy/crds'), ...RIGHTS.map((file) => join(ROOT, `deploy/base/${file}.yaml`))]);
  await kubectl(host, ['wait', '--for=condition=Established', 'crd', '--all']);
  const releases = join(folder, 'releases.yaml');
  writeFileSync(releases, `- {version: ${host.version.slice(1)}, image: 'registry.example.com/k3s:1'}\n`);
  const address = `127.0.0.1:${await freePort()}`;
  const args = [
    join(ROOT, 'dist/tenantplane.mjs'),
    'reconciler',
    `--kubeconfig=${host.kubeconfigFor(ACCOUNT, GROUPS)}`,
    `--releases=${releases}`,
    `--resync=${flags.resync}s`,
    `--metrics-bind-address=${address}`,
    '--health-probe-bind-address=0',
    '--log-level=error',
    ...(flags.shard === undefined ? [] : [`--shard-selector=${flags.shard}`]),
  ];
  reconciler = spawn('setpriv', ['--pdeathsig', 'KILL', '--', process.execPath, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  await measure(host, reconciler, `http://${address}/metrics`);
  say(`\nrequests that the front passed on: ${front.passed()}`);
} finally {
  reconciler?.kill('SIGTERM');
  front.close();
  for (const cluster of [behind, host]) await cluster.stop();
  await etcd.stop();
  rmSync(folder, { recursive: true, force: true });
}
