import { mkdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildTool } from './build-tool.ts';
import type { Cluster } from './cluster.ts';
import { onFreePort } from './free-port.ts';
import { moduleFolder } from './module-folder.ts';
import { type Server, startServer, untilReady } from './server.ts';

const MODULE: string = fileURLToPath(new URL('argocd', import.meta.url));

export interface ArgoCdOptions {
  readonly applicationSets?: boolean;
  /** the source hydrator, with the server that commits what it renders */
  readonly hydrator?: boolean;
  /** folder that holds the `plugin.yaml` of a config management plugin */
  readonly plugin?: string;
  /** stands before the PATH of the plugin's commands */
  readonly bin?: string;
}

export interface ArgoCd {
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
  stop(): Promise<void>;
}

/**
 * Starts a real Argo CD on a cluster, as its manifests install it but for its UI, API and notifications. It watches the cluster it
 * is told of as its own, so that `https://kubernetes.default.svc` means this one.
 */
export async function startArgoCd(cluster: Cluster, options: ArgoCdOptions = {}): Promise<ArgoCd> {
  await install(cluster);
  const argocd = await buildTool('argocd');
  const { folder } = cluster;
  const kubeconfig = cluster.kubeconfigFor('argocd', ['system:masters']);
  await kubectl(cluster, ['config', 'set-context', '--current', '--namespace=argocd', `--kubeconfig=${kubeconfig}`]);
  const servers: Server[] = [];
  const stop = async (): Promise<void> => {
    for (const server of servers.toReversed()) await server.end();
  };
  const env = environment(folder, kubeconfig);
  const start = (name: string, args: readonly string[], more: readonly string[] = []): Server => {
    const argv = [...env, ...more, `ARGOCD_BINARY_NAME=argocd-${name}`, argocd, ...args];
    const server = startServer({ name: `argocd-${name}`, binary: 'env', args: argv, folder });
    servers.push(server);
    return server;
  };
  const serve = (starting: (port: number) => Server): Promise<string> =>
    onFreePort(async (port) => {
      const server = starting(port);
      await untilReady(server, () => accepts(port));
      return `127.0.0.1:${port}`;
    });
  try {
    const redis = await serve((port) => {
      const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      const server = startServer({ name: 'redis', binary: 'redis-server', args, folder });
      servers.push(server);
      return server;
    });
    if (options.plugin !== undefined) {
      const more = options.bin === undefined ? [] : [`PATH=${options.bin}:${process.env['PATH']}`];
      start('cmp-server', ['--config-dir-path', options.plugin], more);
    }
    const local = ['--metrics-address', '127.0.0.1', '--metrics-port', '0'];
    const repo = await serve((port) =>
      start('repo-server', ['--address', '127.0.0.1', '--port', `${port}`, '--redis', redis, '--disable-tls', ...local]),
    );
    const hydrating: string[] = [];
    if (options.hydrator === true) {
      const commit = await serve((port) => start('commit-server', ['--address', '127.0.0.1', '--port', `${port}`, ...local]));
      hydrating.push('--hydrator-enabled', '--commit-server', commit);
    }
    const controlled = ['--redis', redis, '--repo-server', repo, '--repo-server-plaintext', '--metrics-port', '0'];
    start('application-controller', [...controlled, ...hydrating]);
    if (options.applicationSets === true) {
      const addresses = ['--metrics-addr', '127.0.0.1:0', '--probe-addr', '127.0.0.1:0', '--webhook-addr', '127.0.0.1:0'];
      const args = ['--namespace', 'argocd', '--enable-leader-election=false', '--argocd-repo-server', repo, '--repo-server-plaintext'];
      start('applicationset-controller', [...args, ...addresses]);
    }
    return { processes: servers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** CRDs and settings from Argo CD's own module, in a namespace that is named as everybody names it. */
async function install(cluster: Cluster): Promise<void> {
  const manifests = join(moduleFolder(MODULE, 'github.com/argoproj/argo-cd/v3'), 'manifests');
  const crds = ['application', 'applicationset', 'appproject'].flatMap((kind) => ['-f', join(manifests, `crds/${kind}-crd.yaml`)]);
  await kubectl(cluster, ['apply', '--server-side', ...crds]);
  await kubectl(cluster, ['wait', '--for=condition=Established', ...crds]);
  await kubectl(cluster, ['create', 'namespace', 'argocd']);
  await kubectl(cluster, ['apply', '--server-side', '-n', 'argocd', '-k', join(manifests, 'base/config')]);
  // these two are made by its API server, which is not here
  await kubectl(cluster, ['create', '-f', '-'], JSON.stringify(DEFAULT_PROJECT));
  await kubectl(cluster, ['patch', '-n', 'argocd', 'secret/argocd-secret', '-p', '{"stringData":{"server.secretkey":"for-this-test"}}']);
}

/** Assignments for `env`: folders that its image has, and a cluster that it takes for its own. */
function environment(folder: string, kubeconfig: string): string[] {
  const place = (name: string): string => {
    const path = join(folder, 'argocd', name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return [
    `KUBECONFIG=${kubeconfig}`,
    'ARGOCD_FAKE_IN_CLUSTER=true',
    'ARGOCD_GPG_ENABLED=false',
    `ARGOCD_TLS_DATA_PATH=${place('tls')}`,
    `ARGOCD_SSH_DATA_PATH=${place('ssh')}`,
    `ARGOCD_GNUPGHOME=${place('gnupg')}`,
    `ARGOCD_GPG_DATA_PATH=${place('gpg')}`,
    `ARGOCD_PLUGINSOCKFILEPATH=${place('plugins')}`,
    `TMPDIR=${place('tmp')}`,
    'HOSTNAME=argocd',
    // what it holds is measured
    'GOGC=100',
  ];
}

const DEFAULT_PROJECT = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: 'argocd' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
};

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.on('connect', () => settle(true)).on('error', () => settle(false));
  });
}

async function kubectl(cluster: Cluster, args: readonly string[], input = ''): Promise<void> {
  const ran = await cluster.kubectl(args, { input });
  if (ran.status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${ran.stderr}`);
}

/** Resident memory of a process in MiB. */
export function memoryOf(pid: number): number {
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
}
