import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServer } from '../api-server.ts';
import type { Cluster } from '../cluster.ts';
import { readyNodes } from '../control-loops.ts';
import { onFreePort } from '../free-port.ts';
import { type Server, untilReady } from '../server.ts';
import { serverFolder } from '../server-folder.ts';
import { makeCgroup, removeCgroup } from './cgroup.ts';
import { startClusterServices } from './cluster-services.ts';
import { startContainerd } from './containerd.ts';
import { NODE_NAME, startKubelet } from './kubelet.ts';
import { provisionVolumes } from './local-volumes.ts';
import { makePodNetwork } from './pod-network.ts';
import type { Watch } from './watch-objects.ts';

/** A node that runs pods: a kubelet, its containerd and a network. */
export interface Node {
  /** on disk: images and volumes are too big for memory */
  readonly folder: string;
  /** the address of this machine for its pods */
  readonly gateway: string;
  readonly processes: readonly Server[];
  importImages(archive: string): Promise<void>;
  stop(): Promise<void>;
}

/** `services`: whether addresses and names of Services work for its pods. */
export async function startNode(api: ApiServer, { kubeconfigFor, kubectl }: Cluster, services = false): Promise<Node> {
  const folder = serverFolder(tmpdir());
  const cgroup = basename(folder);
  makeCgroup(cgroup);
  const network = makePodNetwork();
  const processes: Server[] = [];
  let volumes: Watch | undefined;
  let routing: { stop(): void } | undefined;
  const stop = async (): Promise<void> => {
    volumes?.stop();
    routing?.stop();
    for (const server of processes.toReversed()) await server.end();
    // the kernel ends the containers now, each in its own time
    for (let tries = 0; tries < 100 && !removeCgroup(cgroup); tries += 1) await sleep(50);
    network.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const containerd = await startContainerd(folder, network);
    processes.push(containerd.machine.server);
    const kubeconfig = kubeconfigFor(`system:node:${NODE_NAME}`, ['system:nodes']);
    const authority = api.credentials.certificate;
    await onFreePort(async (port) => {
      const dns = services ? network.gateway : undefined;
      const kubelet = await startKubelet(containerd, { folder, kubeconfig, authority, port, cgroup: `/${cgroup}`, dns });
      processes.push(kubelet);
      await untilReady(kubelet, async () => (await readyNodes(api)) === 1);
    });
    if (services) routing = await startClusterServices(containerd, { folder, network, url: api.url, kubeconfigFor, processes });
    volumes = await provisionVolumes(api, kubectl, join(folder, 'volumes'));
    return { folder, gateway: network.gateway, processes, importImages: containerd.importImages, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
