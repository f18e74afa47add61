import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiServer, startApiServer } from './api-server.ts';
import { type AuditEntry, auditLog } from './audit.ts';
import { buildTool } from './build-tool.ts';
import { startControlLoops } from './control-loops.ts';
import { type Credentials, writeKubeconfig } from './credentials.ts';
import { type Etcd, startEtcd } from './etcd.ts';
import { type KubernetesVersion, NEWEST } from './kubernetes-version.ts';
import { type Node, startNode } from './node/node.ts';
import { type Reader, readerOf } from './reader.ts';
import type { Server } from './server.ts';
import { serverFolder } from './server-folder.ts';

export interface ClusterOptions {
  /** the newest, if not said */
  readonly version?: KubernetesVersion;
  /** kube-controller-manager, each controller under an account of its own */
  readonly controllers?: boolean;
  /** the controller that tells in a policy's status what its CEL gets wrong: where policies are many it takes most of the manager's time */
  readonly typeChecking?: boolean;
  /** so many fake nodes, whose pods get Running; brings controllers and a scheduler */
  readonly kwok?: number;
  /** a node whose pods really run; brings controllers and a scheduler, and needs root */
  readonly kubelet?: boolean;
  /** kube-proxy and CoreDNS, so that pods of the kubelet reach Services by address and by name */
  readonly services?: boolean;
  /** an etcd to share; the cluster starts and stops its own if there is none */
  readonly etcd?: Etcd;
  readonly serviceCIDR?: string;
  /** where pods of fake nodes get addresses from, in order; nobody listens there */
  readonly podCIDR?: string;
  /** user names of whom every request is written down, by the name that they signed in under */
  readonly audit?: readonly string[];
  /** further flags of the API server */
  readonly flags?: readonly string[];
  /** what it shall be known by instead of what the bed makes; it may write files into the folder */
  readonly credentials?: (made: Credentials, folder: string) => Credentials;
}

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Cluster {
  readonly url: string;
  readonly folder: string;
  /** path; an admin in the group system:masters */
  readonly kubeconfig: string;
  /** as the API server says it: v1.37.2 */
  readonly version: string;
  /** where pods really run; an error where no kubelet was asked for */
  node(): Node;
  /** its own: not an etcd that it shares */
  processes(): readonly { readonly name: string; readonly pid: number }[];
  /** path of a kubeconfig of another identity, who has no rights but those that RBAC gives */
  kubeconfigFor(user: string, groups?: readonly string[]): string;
  /** `as`: path of a kubeconfig; admin, if not said */
  kubectl(args: readonly string[], options?: { readonly input?: string; readonly as?: string }): Promise<Ran>;
  /** objects of it, as its admin */
  readonly read: Reader;
  /** what those asked for whom `audit` names, in the order of answers */
  audit(): readonly AuditEntry[];
  /** ends the API server and starts it again on the same data */
  restart(): Promise<void>;
  /** ends every process of the cluster and removes its folder */
  stop(): Promise<void>;
}

/** Starts a real API server on loopback, with what is asked for beside it, and waits until it is ready. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { version, serviceCIDR = '10.96.0.0/16' } = options;
  // kwok would take the kubelet's node for its own
  if (options.kubelet === true && options.kwok !== undefined) throw new Error('a cluster has a kubelet or fake nodes, not both');
  // a kubelet is never newer than its API server
  if (options.kubelet === true && version !== undefined && version !== NEWEST) throw new Error(`the kubelet is of Kubernetes ${NEWEST}`);
  const [binary, kubectl] = [await buildTool('kube-apiserver', version), await buildTool('kubectl', version)];
  const etcd = options.etcd ?? (await startEtcd());
  const folder = serverFolder();
  const servers: Server[] = [];
  let node: Node | undefined;
  const stop = async (): Promise<void> => {
    await node?.stop();
    // the API server before its etcd
    for (const server of servers.toReversed()) await server.end();
    if (options.etcd === undefined) await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const api = await startApiServer({
      binary,
      folder,
      etcd: etcd.url,
      serviceCIDR,
      audit: options.audit,
      flags: options.flags,
      amend: options.credentials,
    });
    servers.push(api.server);
    const kubeconfigFor = kubeconfigs(folder, api);
    const kubeconfig = kubeconfigFor();
    const cluster: Cluster = {
      url: api.url,
      folder,
      kubeconfig,
      version: await api.version(),
      node: () => {
        if (node === undefined) throw new Error('this cluster has no node: start it with `kubelet: true`');
        return node;
      },
      processes: () => [...(options.etcd === undefined ? [etcd] : []), ...servers, ...(node?.processes ?? [])],
      kubeconfigFor,
      read: readerOf(api),
      audit: () => auditLog(folder),
      restart: () => api.restart(),
      kubectl: (args, { input = '', as = kubeconfig } = {}) => runKubectl(kubectl, args, { input, folder, kubeconfig: as }),
      stop,
    };
    const controlled = options.controllers === true || options.kwok !== undefined || options.kubelet === true;
    if (controlled) await startControlLoops(cluster, api, servers, options);
    if (options.kubelet === true) node = await startNode(api, cluster, options.services);
    return cluster;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Paths of kubeconfigs: an admin's where no user is named. */
function kubeconfigs(folder: string, { url, credentials }: ApiServer): (user?: string, groups?: readonly string[]) => string {
  let written = 0;
  return (user, groups = []) => {
    written += 1;
    const path = join(folder, `kubeconfig-${written}.yaml`);
    return writeKubeconfig(path, url, credentials, user === undefined ? undefined : { user, groups });
  };
}

interface KubectlRun {
  readonly input: string;
  readonly folder: string;
  readonly kubeconfig: string;
}

async function runKubectl(binary: string, args: readonly string[], run: KubectlRun): Promise<Ran> {
  for (;;) {
    const ran = await runOnce(binary, args, run);
    // `kubectl wait` ends with an error, and does not wait, for what is so new that it has no conditions yet
    if (args[0] !== 'wait' || ran.status === 0 || !ran.stderr.includes('.status.conditions accessor error')) return ran;
    await sleep(100);
  }
}

function runOnce(binary: string, args: readonly string[], { input, folder, kubeconfig }: KubectlRun): Promise<Ran> {
  // a home of its own: another cluster that had this port must not answer from kubectl's cache
  const env = { ...process.env, HOME: folder, KUBECONFIG: kubeconfig };
  const child = spawn(binary, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.on('error', () => undefined).end(input); // it may end without reading
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (status) => resolve({ status: status ?? 1, ...output })));
}
