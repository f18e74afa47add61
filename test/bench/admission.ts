// npx tsx test/bench/admission.ts [--pods 400] [--version 1.36]: what admission policies add to the creation of a pod, as a Markdown
// table. The same compliant pods are created (as dry runs, one after the other) before the policies are there, then by turns in the
// tenant's namespace and in one that no policy selects. The server's own count of what policies took stands beside it.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Cluster, startCluster } from '../bed/cluster.ts';
import { KUBERNETES_VERSIONS, NEWEST } from '../bed/kubernetes-version.ts';
import { type ApiClient, apiClient } from '../e2e/isolation/api-client.ts';
import { apply, makeTenants } from '../e2e/isolation/tenants.ts';
import { container, pod, podSpec, REQUESTERS } from '../support/admission-cases/case.ts';
import { namespaceName, POLICIES } from '../support/admission-cases/evaluate.ts';
import { median } from './measure.ts';

const { values: flags } = parseArgs({
  options: { pods: { type: 'string', default: '400' }, version: { type: 'string', default: NEWEST } },
});
const COUNT = Number(flags.pods);
const VERSION = KUBERNETES_VERSIONS.find((version) => version === flags.version) ?? NEWEST;
const BAR_MS = 2;
const OTHER = 'nobodys';

/** A pod as applications have it: an init container, a sidecar, probes, ten volumes, labels and annotations. */
const POD = pod(
  {
    ...podSpec({
      initContainers: [
        container({ name: 'init' }),
        container({ name: 'side', restartPolicy: 'Always', startupProbe: { tcpSocket: { port: 80 } } }),
      ],
      containers: [
        container({ livenessProbe: { httpGet: { port: 80, path: '/' } }, readinessProbe: { httpGet: { port: 80, path: '/' } } }),
        container({ name: 'proxy', lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } } }),
      ],
      volumes: Array.from({ length: 10 }, (_, index) => ({ name: `v${index}`, configMap: { name: `settings-${index}` } })),
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }],
    }),
  },
  { annotations: Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`example.com/a${index}`, 'value'])) },
);

async function create(api: ApiClient, namespace: string): Promise<number> {
  const start = performance.now();
  const { status, message } = await api.send('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, POD, REQUESTERS.argocd);
  if (status !== 201) throw new Error(`${status} ${message}`);
  return performance.now() - start;
}

/** Seconds that the server says its admission policies took so far, over all creations that they let through. */
async function policySeconds(api: ApiClient): Promise<number> {
  const { object } = await api.send('GET', '/metrics');
  const lines = String(object['message'] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('apiserver_admission_controller_admission_duration_seconds_sum{'))
    .filter((line) => /name="ValidatingAdmissionPolicy",operation="CREATE",rejected="false"/.test(line));
  if (lines.length === 0) throw new Error('the server does not count its admission policies');
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/** CPU milliseconds of the API server so far: on a busy machine they say more than a clock. */
function cpu(cluster: Cluster): number {
  const pid = cluster.processes().find(({ name }) => name === 'kube-apiserver')?.pid;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const TICK_MS = 10;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

interface Series {
  readonly what: string;
  readonly times: readonly number[];
  /** of the API server, a pod */
  readonly cpu: number;
}

async function series(cluster: Cluster, api: ApiClient, namespace: string, what: string): Promise<Series> {
  const times: number[] = [];
  const before = cpu(cluster);
  for (let index = 0; index < COUNT; index += 1) times.push(await create(api, namespace));
  return { what, times, cpu: (cpu(cluster) - before) / COUNT };
}

const cluster = await startCluster({ version: VERSION });
const api = apiClient(cluster);
try {
  await makeTenants(cluster);
  await apply(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: OTHER } }]);
  await apply(cluster, [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'tenantplane-workload', namespace: OTHER } }]);
  const tenant = namespaceName('restricted');
  await series(cluster, api, tenant, 'the server warms up');
  const without = await series(cluster, api, tenant, 'no policy on the host');
  await apply(
    cluster,
    POLICIES.map(({ object }) => object),
  );
  await untilLive(tenant);
  await series(cluster, api, tenant, 'the policies warm up');
  const other = await series(cluster, api, OTHER, 'policies, in a namespace of nobody’s');
  const before = await policySeconds(api);
  const selected = await series(cluster, api, tenant, 'policies, in a tenant’s namespace');
  const counted = ((await policySeconds(api)) - before) / COUNT;
  report([without, other, selected]);
  const added = median([...selected.times]) - median([...without.times]);
  process.stdout.write(
    `\nKubernetes ${cluster.version}, ${COUNT} pods each. Added: ${added.toFixed(2)} ms by the medians, ${(selected.cpu - without.cpu).toFixed(2)} ms of CPU, ` +
      `${(counted * 1000).toFixed(2)} ms on average by the server’s own clock. Bar: ${BAR_MS} ms by the medians, ${added <= BAR_MS ? 'met' : 'missed'}.\n`,
  );
} finally {
  api.close();
  await cluster.stop();
}

async function untilLive(namespace: string): Promise<void> {
  for (;;) {
    const denied = await api.send(
      'POST',
      `/api/v1/namespaces/${namespace}/pods?dryRun=All`,
      pod({ nodeName: 'node-1' }),
      REQUESTERS.argocd,
    );
    if (denied.message.includes("-pods'")) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function report(rows: readonly Series[]): void {
  const at = (times: readonly number[], share: number): string =>
    ([...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(2);
  process.stdout.write('| creating a pod | median ms | 95th percentile ms | CPU ms |\n| --- | ---: | ---: | ---: |\n');
  for (const { what, times, cpu: used } of rows)
    process.stdout.write(`| ${what} | ${median([...times]).toFixed(2)} | ${at(times, 0.95)} | ${used.toFixed(2)} |\n`);
}
