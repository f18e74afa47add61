// Run by kubelet.test.ts: a cluster with a pod that runs, until somebody kills this process.
import { basename } from 'node:path';
import { startCluster } from '../../bed/cluster.ts';
import { PAUSE } from '../../bed/node/pause-image.ts';

const cluster = await startCluster({ kubelet: true });
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'it' }, spec: { containers: [{ name: 'it', image: PAUSE.name }] } };
await cluster.kubectl(['create', '-f', '-'], { input: JSON.stringify(pod) });
await cluster.kubectl(['wait', '--for=condition=Ready', 'pod/it', '--timeout=60s']);
const { folder, gateway } = cluster.node();
process.stdout.write(`${JSON.stringify({ folder, cgroup: basename(folder), gateway })}\n`);
setInterval(() => undefined, 60_000);
