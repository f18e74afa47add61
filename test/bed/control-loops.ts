import type { ApiServer } from './api-server.ts';
import { buildTool, type Tool } from './build-tool.ts';
import type { Cluster, ClusterOptions } from './cluster.ts';
import { type Server, startServer, untilReady } from './server.ts';

/** kube-controller-manager and, where nodes are asked for, scheduler and kwok; each is in `servers` as soon as it runs. */
export async function startControlLoops(cluster: Cluster, api: ApiServer, servers: Server[], options: ClusterOptions): Promise<void> {
  const { kwok: nodes = 0, version, podCIDR = '10.244.0.0/16', typeChecking = false } = options;
  const start = async (tool: Tool, args: readonly string[]): Promise<Server> => {
    const server = startServer({ name: tool, binary: await buildTool(tool, version), args, folder: cluster.folder });
    servers.push(server);
    return server;
  };
  const { serviceAccountKey, certificate } = api.credentials;
  const controllers = await start('kube-controller-manager', [
    `--kubeconfig=${cluster.kubeconfigFor('system:kube-controller-manager')}`,
    // as on real clusters: admission policies see which controller asks
    '--use-service-account-credentials=true',
    // its thirty controllers all start at once here, and would wait seconds for their accounts
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    ...(typeChecking ? [] : ['--controllers=*,-validatingadmissionpolicy-status-controller']),
    `--service-account-private-key-file=${serviceAccountKey}`,
    `--root-ca-file=${certificate}`,
    ...ALONE,
  ]);
  if (nodes > 0 || options.kubelet === true)
    await start('kube-scheduler', [`--kubeconfig=${cluster.kubeconfigFor('system:kube-scheduler')}`, ...ALONE]);
  if (nodes > 0) {
    const kubeconfig = cluster.kubeconfigFor('kwok', ['system:masters']);
    const kwok = await start('kwok', [`--kubeconfig=${kubeconfig}`, `--cidr=${podCIDR}`, ...KWOK]);
    const created = await cluster.kubectl(['create', '-f', '-'], { input: nodeList(nodes) });
    if (created.status !== 0) throw new Error(`cannot create nodes: ${created.stderr}`);
    await untilReady(kwok, async () => (await readyNodes(api)) === nodes);
  }
  await untilReady(controllers, async () => (await api.get('/api/v1/namespaces/default/serviceaccounts/default'))?.status === 200);
}

/** No second instance to elect a leader with, and metrics are not read. */
const ALONE = ['--leader-elect=false', '--secure-port=0'];

/** kwok's own stages for every node and pod: nodes get Ready, pods Running with an address. It serves nothing itself. */
const KWOK = ['--manage-all-nodes', '--node-ip=10.0.0.1', '--node-port=0', '--node-lease-duration-seconds=40'];

/** What a kubelet reports when it registers; kwok alone would leave local disk out, and pods that ask for it would wait. */
const SIZE = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '500' };

function nodeList(count: number): string {
  const items = Array.from({ length: count }, (_, index) => {
    const name = `node-${index}`;
    const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
    return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status: { capacity: SIZE, allocatable: SIZE } };
  });
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

interface NodeList {
  readonly items: readonly { readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] } }[];
}

export async function readyNodes(api: ApiServer): Promise<number> {
  const answer = await api.get('/api/v1/nodes');
  if (answer?.status !== 200) return 0;
  const { items } = JSON.parse(answer.body) as NodeList;
  return items.filter(({ status }) => status?.conditions?.some(({ type, status: met }) => type === 'Ready' && met === 'True')).length;
}
