import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { PAUSE } from '../../bed/node/pause-image.ts';
import { eventually } from '../delivery/eventually.ts';

const rules = (): string => spawnSync('nft', ['list', 'tables'], { encoding: 'utf8' }).stdout;
const forwards = (): string => readFileSync('/proc/sys/net/ipv4/ip_forward', 'utf8');
const before = [rules(), forwards()];

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ kubelet: true, services: true });
});
afterAll(() => cluster?.stop());

async function kubectl(args: readonly string[], input: object = {}): Promise<string> {
  const ran = await cluster.kubectl(args, { input: JSON.stringify(input) });
  expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

const pod = (name: string, line: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: name } },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'it', image: PAUSE.name, command: ['/bin/busybox', 'sh', '-c', line] }],
  },
});

/** What a pod hears that asks a server at an address. */
const ask = (name: string, address: string): Promise<string> =>
  kubectl([
    'exec',
    name,
    '--',
    '/bin/busybox',
    'sh',
    '-c',
    `printf 'GET /cgi-bin/who HTTP/1.0\\r\\n\\r\\n' | /bin/busybox nc ${address} 80`,
  ]);

test('pods reach a Service by its name and its address, and as who they are; so does the pod behind it', async () => {
  const spec = { selector: { app: 'web' }, publishNotReadyAddresses: true, ports: [{ port: 80, targetPort: 8080 }] };
  await kubectl(['create', '-f', '-'], { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec });
  const say = 'printf "#!/bin/busybox sh\\necho; echo from \\$REMOTE_ADDR\\n" >/tmp/cgi-bin/who; /bin/busybox chmod +x /tmp/cgi-bin/who';
  await kubectl(['create', '-f', '-'], pod('web', `/bin/busybox mkdir /tmp/cgi-bin; ${say}; /bin/busybox httpd -f -p 8080 -h /tmp`));
  await kubectl(['create', '-f', '-'], pod('client', '/bin/busybox sleep 3600'));
  await kubectl(['wait', '--for=condition=Ready', 'pod/web', 'pod/client', '--timeout=60s']);
  const address = await kubectl(['get', 'service', 'web', '-o', 'jsonpath={.spec.clusterIP}']);
  const client = await kubectl(['get', 'pod', 'client', '-o', 'jsonpath={.status.podIP}']);
  expect(await kubectl(['exec', 'client', '--', '/bin/busybox', 'nslookup', 'web.default.svc.cluster.local'])).toContain(
    `Address: ${address}`,
  );
  await eventually(
    () => ask('client', address),
    (answer) => answer.includes(`:${client}]`),
    20,
  );
  expect(await ask('web', address)).toContain('from ');
});

test('nothing of it is in the machine’s own network', () => {
  expect([rules(), forwards()]).toEqual(before);
});
