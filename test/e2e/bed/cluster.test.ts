import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTool } from '../../bed/build-tool.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ETCD, type Etcd, startEtcd, startStore } from '../../bed/etcd.ts';
import { NEWEST, OLDEST } from '../../bed/kubernetes-version.ts';
import { isAlive } from '../../bed/server.ts';
import { serverFolder } from '../../bed/server-folder.ts';
import { scratch } from '../workspace.ts';

/** What kubectl prints; it must succeed. */
async function kubectl(cluster: Cluster, args: readonly string[], options: { input?: unknown; as?: string } = {}): Promise<string> {
  const input = options.input === undefined ? '' : JSON.stringify(options.input);
  const ran = await cluster.kubectl(args, { input, ...(options.as === undefined ? {} : { as: options.as }) });
  expect(ran.status, `kubectl ${args.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

async function json<T>(cluster: Cluster, args: readonly string[]): Promise<T> {
  return JSON.parse(await kubectl(cluster, [...args, '-o', 'json'])) as T;
}

/** Looks until what is asked for is there; the last look is what a failure shows. */
async function eventually<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  const deadline = Date.now() + 40_000;
  let seen = await look();
  while (!holds(seen) && Date.now() < deadline) {
    await sleep(200);
    seen = await look();
  }
  expect(holds(seen), JSON.stringify(seen)).toBe(true);
  return seen;
}

interface Items<T> {
  readonly items: readonly T[];
}

describe('API servers on one etcd', () => {
  let etcd: Etcd;
  let older: Cluster;
  let newer: Cluster;
  beforeAll(async () => {
    etcd = await startEtcd();
    [older, newer] = await Promise.all([startCluster({ version: OLDEST, etcd }), startCluster({ version: NEWEST, etcd })]);
  });
  afterAll(async () => {
    await Promise.all([older?.stop(), newer?.stop()]);
    await etcd?.stop();
  });

  test('are of the version that was asked for, and ready', async () => {
    expect([older.version, newer.version]).toEqual([expect.stringContaining(`v${OLDEST}.`), expect.stringContaining(`v${NEWEST}.`)]);
    for (const cluster of [older, newer]) {
      expect(await kubectl(cluster, ['get', '--raw', '/readyz'])).toBe('ok');
      const { clientVersion, serverVersion } = await json<Record<string, { gitVersion: string }>>(cluster, ['version']);
      expect([clientVersion?.gitVersion, serverVersion?.gitVersion]).toEqual([cluster.version, cluster.version]);
    }
  });

  test('see nothing of each other', async () => {
    await kubectl(older, ['create', 'namespace', 'only-here']);
    const names = async (cluster: Cluster): Promise<string> => kubectl(cluster, ['get', 'namespaces', '-o', 'name']);
    expect(await names(older)).toContain('namespace/only-here');
    expect(await names(newer)).not.toContain('only-here');
  });

  test('take a client for whom its kubeconfig says, with the rights that RBAC gives to that name', async () => {
    const as = newer.kubeconfigFor('jane', ['team-shop']);
    const said = JSON.parse(await kubectl(newer, ['auth', 'whoami', '-o', 'json'], { as })) as { status: { userInfo: unknown } };
    expect(said.status.userInfo).toMatchObject({ username: 'jane', groups: ['team-shop', 'system:authenticated'] });
    const refused = await newer.kubectl(['get', 'configmaps', '-n', 'default'], { as });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('User "jane" cannot list resource "configmaps"');
    await kubectl(newer, ['create', 'role', 'reader', '--verb=list', '--resource=configmaps']);
    await kubectl(newer, ['create', 'rolebinding', 'reader', '--role=reader', '--group=team-shop']);
    await eventually(
      () => newer.kubectl(['get', 'configmaps', '-n', 'default'], { as }),
      ({ status }) => status === 0,
    );
  });

  test('admit as clusters do: Pod Security, admission policies, Priority and Fairness', async () => {
    await kubectl(newer, ['create', 'namespace', 'strict']);
    await kubectl(newer, ['label', 'namespace', 'strict', 'pod-security.kubernetes.io/enforce=restricted']);
    await kubectl(newer, ['create', 'serviceaccount', 'default', '-n', 'strict']);
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'root', namespace: 'strict' },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    };
    const refused = await newer.kubectl(['create', '-f', '-'], { input: JSON.stringify(pod) });
    expect(refused.stderr).toContain('violates PodSecurity "restricted:latest"');
    expect(await kubectl(newer, ['get', 'flowschemas', '-o', 'name'])).toContain('/service-accounts');
    expect(await kubectl(newer, ['get', '--raw', '/debug/api_priority_and_fairness/dump_priority_levels'])).toContain('workload-low');
    expect(await kubectl(newer, ['api-resources', '--api-group=admissionregistration.k8s.io', '-o', 'name'])).toContain(
      'validatingadmissionpolicies',
    );
  });
});

describe('controllers and fake nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ kwok: 2 });
  });
  afterAll(() => cluster?.stop());

  const deployment = (namespace: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    },
  });

  test('a Deployment comes to running Pods, and its Service to their addresses', async () => {
    await kubectl(cluster, ['create', '-f', '-'], { input: deployment('default') });
    await kubectl(cluster, ['create', 'service', 'clusterip', 'web', '--tcp=80:8080']);
    await kubectl(cluster, ['wait', '--for=condition=Available', 'deployment/web', '--timeout=40s']);
    interface Pod {
      readonly metadata: { readonly ownerReferences: readonly { readonly kind: string }[] };
      readonly spec: { readonly nodeName: string };
      readonly status: { readonly phase: string; readonly podIP: string };
    }
    const { items } = await json<Items<Pod>>(cluster, ['get', 'pods', '-l', 'app=web']);
    expect(items.map(({ metadata, status }) => [metadata.ownerReferences[0]?.kind, status.phase])).toEqual(
      Array(3).fill(['ReplicaSet', 'Running']),
    );
    expect(items.every(({ spec }) => /^node-[01]$/.test(spec.nodeName))).toBe(true);
    interface Slice {
      /** null before its controller has written the first */
      readonly endpoints: readonly { readonly addresses: readonly string[] }[] | null;
    }
    const slices = (): Promise<Items<Slice>> => json(cluster, ['get', 'endpointslices', '-l', 'kubernetes.io/service-name=web']);
    const addresses = ({ items: found }: Items<Slice>): string[] =>
      found.flatMap(({ endpoints }) => endpoints?.flatMap((each) => each.addresses) ?? []);
    const seen = await eventually(slices, (found) => addresses(found).length === 3);
    expect(addresses(seen).sort()).toEqual(items.map(({ status }) => status.podIP).sort());
  });

  test('each controller asks under an account of its own, which admission sees', async () => {
    await kubectl(cluster, ['create', 'namespace', 'guarded']);
    const name = 'no-pods-of-replica-sets';
    const policy = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
        validations: [{ expression: "request.userInfo.username != 'system:serviceaccount:kube-system:replicaset-controller'" }],
      },
    };
    const matchResources = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'guarded' } } };
    const binding = {
      ...policy,
      kind: 'ValidatingAdmissionPolicyBinding',
      spec: { policyName: name, validationActions: ['Deny'], matchResources },
    };
    for (const input of [policy, binding]) await kubectl(cluster, ['create', '-f', '-'], { input });
    // until the API server has taken it up
    const probe = ['create', 'deployment', '-n', 'guarded', '--image=a', '--replicas=1'];
    let tries = 0;
    await eventually(
      async () => {
        tries += 1;
        await kubectl(cluster, [...probe, `web-${tries}`]);
        await sleep(1000);
        return kubectl(cluster, ['get', 'replicasets', '-n', 'guarded', '-o', 'jsonpath={.items[*].status.conditions[*].message}']);
      },
      (messages) => messages.includes(`ValidatingAdmissionPolicy '${name}'`),
    );
  });
});

/** Folders of this process that servers keep their data in. */
function folders(place: string): string[] {
  return readdirSync(place).filter((name) => name.startsWith(`tenantplane-bed-${process.pid}-`));
}

test('a port that somebody took in between is left to them: the server starts on another', async () => {
  const somebody = createServer();
  const urls: string[] = [];
  const etcd = await startStore({
    ...ETCD,
    args: (url, folder) => {
      if (urls.push(url) === 1) somebody.listen(Number(new URL(url).port), '127.0.0.1');
      return ETCD.args(url, folder);
    },
  });
  somebody.close();
  await etcd.stop();
  expect(urls.length).toBe(2);
  expect(etcd.url).toBe(urls[1]);
});

test('a start clears up after runs that were killed, and leaves those alone that run', () => {
  const place = scratch();
  const ended = spawnSync('true').pid;
  const left = [`tenantplane-bed-${ended}-abc`, `tenantplane-bed-${process.ppid}-abc`, 'tenantplane-bed-other', 'else'];
  for (const name of left) mkdirSync(join(place, name, 'data'), { recursive: true });
  const made = basename(serverFolder(place));
  expect(readdirSync(place).sort()).toEqual([...left.slice(1), made].sort());
});

describe('the end', () => {
  beforeAll(async () => {
    for (const tool of ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager'] as const) await buildTool(tool);
  });

  test('stop leaves no process and no folder', async () => {
    const cluster = await startCluster({ controllers: true });
    const pids = cluster.processes().map(({ pid }) => pid);
    expect(cluster.processes().map(({ name }) => name)).toEqual(['etcd', 'kube-apiserver', 'kube-controller-manager']);
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    expect(folders(dirname(cluster.folder)).length).toBe(2);
    await cluster.stop();
    expect(pids.map(isAlive)).toEqual([false, false, false]);
    expect(existsSync(cluster.folder)).toBe(false);
    expect(folders(dirname(cluster.folder))).toEqual([]);
  });

  test('a server that does not start says why in its own words, and leaves nothing', async () => {
    const etcd = await startEtcd();
    try {
      await expect(startCluster({ etcd, serviceCIDR: 'ten' })).rejects.toThrow(
        /kube-apiserver ended before it was ready.*service-cluster-ip-range\[0\] is not a valid cidr/s,
      );
      expect(folders(dirname(etcd.folder)).length).toBe(1);
    } finally {
      await etcd.stop();
    }
  });
});
