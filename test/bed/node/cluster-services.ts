import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server as Listener } from 'node:net';
import { join } from 'node:path';
import { buildTool } from '../build-tool.ts';
import { type Server, startServer, untilReady } from '../server.ts';
import type { Containerd } from './containerd.ts';
import { CLUSTER_DOMAIN, NODE_NAME } from './kubelet.ts';
import type { PodNetwork } from './pod-network.ts';

interface Options {
  readonly folder: string;
  readonly network: PodNetwork;
  /** of the API server, on loopback */
  readonly url: string;
  readonly kubeconfigFor: (user: string, groups?: readonly string[]) => string;
  /** each is in it as soon as it runs */
  readonly processes: Server[];
}

/** Makes the addresses of Services and their names work for pods: kube-proxy in the node's network, CoreDNS at the machine's end of the link. */
export async function startClusterServices(containerd: Containerd, options: Options): Promise<{ stop(): void }> {
  const { folder, network, url, kubeconfigFor, processes } = options;
  // kube-proxy is not where the API server's loopback is
  const relay = await listen(network.gateway, Number(new URL(url).port));
  const address = relay.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const kubeconfig = join(folder, 'kube-proxy.kubeconfig');
  writeFileSync(kubeconfig, throughRelay(kubeconfigFor('system:kube-proxy'), `https://${network.gateway}:${port}`), { mode: 0o600 });
  const config = join(folder, 'kube-proxy.json');
  writeFileSync(config, JSON.stringify(kubeProxyConfig(kubeconfig, network)));
  const proxy = containerd.machine.start(
    { name: 'kube-proxy', binary: await buildTool('kube-proxy'), args: [`--config=${config}`], folder },
    'own',
  );
  processes.push(proxy);
  const corefile = join(folder, 'Corefile');
  writeFileSync(corefile, corefileFor(kubeconfigFor('coredns', ['system:masters']), network));
  const dns = startServer({ name: 'coredns', binary: await buildTool('coredns'), args: ['-conf', corefile], folder });
  processes.push(dns);
  await untilReady(proxy, () => isOk(`http://${network.router}:10256/healthz`));
  await untilReady(dns, () => isOk(`http://${network.gateway}:8181/ready`));
  return { stop: () => void relay.close() };
}

function kubeProxyConfig(kubeconfig: string, { subnet, router }: PodNetwork): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'nftables',
    clientConnection: { kubeconfig },
    hostnameOverride: NODE_NAME,
    bindAddress: router,
    clusterCIDR: subnet,
    // limits of connections are the machine's
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    // tests wait for what it writes
    nftables: { minSyncPeriod: '0s', syncPeriod: '5s' },
  };
}

/** As clusters have it, but for what is not of the cluster: no other name is answered. */
const corefileFor = (kubeconfig: string, { gateway }: PodNetwork): string => `.:53 {
  bind ${gateway}
  errors
  ready ${gateway}:8181
  kubernetes ${CLUSTER_DOMAIN} in-addr.arpa {
    kubeconfig ${kubeconfig}
    ttl 1
  }
}
`;

function throughRelay(kubeconfig: string, server: string): string {
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as { readonly clusters: readonly { readonly cluster: object }[] };
  const clusters = config.clusters.map((each) => ({ ...each, cluster: { ...each.cluster, server, 'tls-server-name': 'localhost' } }));
  return JSON.stringify({ ...config, clusters });
}

async function listen(host: string, port: number): Promise<Listener> {
  const relay = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    client.pipe(server).pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve, reject) => relay.on('error', reject).listen(0, host, resolve));
  relay.unref();
  return relay;
}

async function isOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined))?.ok === true;
}
