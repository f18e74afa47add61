// npm run bench:bed [-- --runs 5]: how long a test waits for real Kubernetes on a warm machine, and what each process holds.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Cluster, type ClusterOptions, startCluster } from '../bed/cluster.ts';
import { startEtcd } from '../bed/etcd.ts';
import { median } from './measure.ts';

const { values: flags } = parseArgs({ options: { runs: { type: 'string', default: '3' } } });

interface Row {
  readonly what: string;
  readonly clusters: readonly ClusterOptions[];
}

const ROWS: readonly Row[] = [
  { what: 'host', clusters: [{}] },
  { what: 'host, Kubernetes 1.34', clusters: [{ version: '1.34' }] },
  { what: 'host and one tenant', clusters: [{}, {}] },
  { what: 'host with controllers', clusters: [{ controllers: true }] },
  { what: 'host and one tenant, both with controllers', clusters: [{ controllers: true }, { controllers: true }] },
  { what: 'host with controllers, scheduler and 3 fake nodes', clusters: [{ kwok: 3 }] },
];

/** Resident memory in MiB, with the part that is not shared with others that run the same binary. */
function memory(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string): string => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024).toFixed(0);
  return `${mib('VmRSS')} (${mib('RssAnon')})`;
}

const holds = new Map<string, string>();

async function once(options: readonly ClusterOptions[]): Promise<number> {
  const begin = performance.now();
  const etcd = await startEtcd();
  const clusters: Cluster[] = await Promise.all(options.map((each) => startCluster({ ...each, etcd })));
  const seconds = (performance.now() - begin) / 1000;
  for (const { name, pid } of [etcd, ...clusters.flatMap((cluster) => cluster.processes())]) holds.set(name, memory(pid));
  await Promise.all(clusters.map((cluster) => cluster.stop()));
  await etcd.stop();
  return seconds;
}

process.stdout.write(`${flags.runs} runs\n\n| what | ready after s, median | slowest |\n| --- | ---: | ---: |\n`);
for (const { what, clusters } of ROWS) {
  const times: number[] = [];
  for (let run = 0; run < Number(flags.runs); run += 1) times.push(await once(clusters));
  process.stdout.write(`| ${what} | ${median(times).toFixed(1)} | ${Math.max(...times).toFixed(1)} |\n`);
}
process.stdout.write('\n| process | MiB when ready (not shared) |\n| --- | ---: |\n');
for (const [name, mib] of holds) process.stdout.write(`| ${name} | ${mib} |\n`);
