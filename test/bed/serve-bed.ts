// Started by `npm run bed -- up`: holds the servers until SIGTERM. They end with this process, however it ends.
import { once } from 'node:events';
import { KUBERNETES_RELEASES } from '../../src/core/controlplane/kubernetes-versions.ts';
import { buildTool } from './build-tool.ts';
import { startCluster } from './cluster.ts';
import { startEtcd } from './etcd.ts';
import { importK3sImage } from './k3s-image.ts';
import type { KubernetesVersion } from './kubernetes-version.ts';
import { forgetBed, recordBed, stateFolder } from './running-bed.ts';

/** What is asked of it, as JSON in its one argument. */
export interface BedRequest {
  readonly version: KubernetesVersion;
  readonly tenants: number;
  readonly kwok: number;
  readonly kubelet: boolean;
}

const ended = once(process, 'SIGTERM');
const { version, tenants, kwok, kubelet } = JSON.parse(process.argv[2] ?? '') as BedRequest;
const folder = stateFolder();
const kubectl = await buildTool('kubectl', version);
const etcd = await startEtcd();
const names = ['host', ...Array.from({ length: tenants }, (_, index) => `tenant-${index + 1}`)];
const clusters = await Promise.all(
  names.map(async (name) => {
    const nodes = name === 'host' ? { kubelet, ...(kwok > 0 ? { kwok } : {}) } : {};
    const cluster = await startCluster({ version, etcd, controllers: true, ...nodes });
    if (name === 'host' && kubelet) {
      await importK3sImage(
        cluster,
        KUBERNETES_RELEASES.map((release) => release.version),
      );
    }
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
