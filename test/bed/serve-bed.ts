// Started by `npm run bed -- up`: holds the servers until SIGTERM. They end with this process, however it ends.
import { once } from 'node:events';
import { buildTool } from './build-tool.ts';
import { startCluster } from './cluster.ts';
import { startEtcd } from './etcd.ts';
import type { KubernetesVersion } from './kubernetes-version.ts';
import { forgetBed, recordBed, stateFolder } from './running-bed.ts';

/** What is asked of it, as JSON in its one argument. */
export interface BedRequest {
  readonly version: KubernetesVersion;
  readonly tenants: number;
  readonly kwok: number;
}

const ended = once(process, 'SIGTERM');
const { version, tenants, kwok } = JSON.parse(process.argv[2] ?? '') as BedRequest;
const folder = stateFolder();
const kubectl = await buildTool('kubectl', version);
const etcd = await startEtcd();
const names = ['host', ...Array.from({ length: tenants }, (_, index) => `tenant-${index + 1}`)];
const clusters = await Promise.all(
  names.map(async (name) => {
    const cluster = await startCluster({ version, etcd, controllers: true, ...(name === 'host' && kwok > 0 ? { kwok } : {}) });
    return { name, ...cluster };
  }),
);
recordBed(folder, {
  pid: process.pid,
  kubectl,
  etcd: { name: etcd.name, pid: etcd.pid },
  clusters: clusters.map(({ name, url, version: served, kubeconfig, processes }) => ({
    name,
    url,
    version: served,
    kubeconfig,
    processes: processes().map((each) => ({ name: each.name, pid: each.pid })),
  })),
});

const alive = setInterval(() => undefined, 60_000);
await ended;
clearInterval(alive);
await Promise.all(clusters.map((cluster) => cluster.stop()));
await etcd.stop();
forgetBed(folder);
