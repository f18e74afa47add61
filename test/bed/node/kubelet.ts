import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTool } from '../build-tool.ts';
import type { Server } from '../server.ts';
import type { Containerd } from './containerd.ts';

export interface KubeletOptions {
  readonly folder: string;
  readonly kubeconfig: string;
  /** path of the certificate of the authority of its clients, which is the API server's */
  readonly authority: string;
  readonly port: number;
  /** parent of every container */
  readonly cgroup: string;
  /** address of the cluster's DNS; pods have this machine's, if there is none */
  readonly dns?: string | undefined;
}

/** The API server knows the kubelet by this name alone: its address is one of loopback, which a node must not have. */
export const NODE_NAME = 'localhost';
export const CLUSTER_DOMAIN = 'cluster.local';

/** Starts a kubelet that listens on 127.0.0.1 and runs pods by this containerd. */
export async function startKubelet({ machine, socket }: Containerd, options: KubeletOptions): Promise<Server> {
  const { folder, kubeconfig } = options;
  const config = join(folder, 'kubelet.json');
  writeFileSync(config, JSON.stringify(kubeletConfig(socket, options)));
  const root = join(folder, 'kubelet');
  const args = [
    `--kubeconfig=${kubeconfig}`,
    `--config=${config}`,
    `--root-dir=${root}`,
    `--cert-dir=${root}/pki`,
    `--hostname-override=${NODE_NAME}`,
  ];
  return machine.start({ name: 'kubelet', binary: await buildTool('kubelet'), args, folder });
}

function kubeletConfig(socket: string, { authority, port, cgroup, dns }: KubeletOptions): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: `unix://${socket}`,
    address: '127.0.0.1',
    port,
    readOnlyPort: 0,
    healthzPort: 0,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: false }, x509: { clientCAFile: authority } },
    authorization: { mode: 'AlwaysAllow' },
    // this machine is other people's too: no rules of its firewall, no settings of its kernel, no limits for others
    makeIPTablesUtilChains: false,
    protectKernelDefaults: false,
    enforceNodeAllocatable: [],
    ...(dns !== undefined && { clusterDNS: [dns], clusterDomain: CLUSTER_DOMAIN }),
    failSwapOn: false,
    oomScoreAdj: 0,
    // cgroups of version 1 are what some machines still have
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: cgroup,
    // a disk that others fill must not end our pods
    evictionHard: { 'imagefs.available': '0%', 'nodefs.available': '0%', 'nodefs.inodesFree': '0%', 'memory.available': '0%' },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    // tests wait for what it sees
    syncFrequency: '5s',
    nodeStatusUpdateFrequency: '10s',
    shutdownGracePeriod: '0s',
  };
}
