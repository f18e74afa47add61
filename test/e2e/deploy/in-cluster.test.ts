import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { at, type JsonObject, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { freePort } from '../../bed/free-port.ts';
import { eventually } from '../delivery/eventually.ts';
import { get, kubectl } from '../delivery/host.ts';
import { ok, ROOT, run, scratch } from '../workspace.ts';

const SYSTEM = ['-n', 'tenantplane-system'];
/** Where the kubelet mounts a pod's account. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

const deployment = load(readFileSync(join(ROOT, 'deploy/base/deployment.yaml'), 'utf8')) as JsonObject;
const container = at(deployment, 'spec', 'template', 'spec', 'containers', 0);
const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

describe('the image, run as the Deployment has it, with a token of its account', { timeout: 240_000 }, () => {
  let cluster: Cluster;
  let name: string | undefined;

  beforeAll(async () => {
    cluster = await startCluster();
    for (const folder of ['crds', 'base']) await kubectl(cluster, ['apply', '--server-side', '-k', join(ROOT, 'deploy', folder)]);
    await kubectl(cluster, ['wait', '--for=condition=Established', '-f', join(ROOT, 'deploy/crds')]);
  });
  afterEach(() => {
    if (name !== undefined) run('podman', ['rm', '--force', '--time', '0', name]);
    name = undefined;
  });
  afterAll(async () => cluster?.stop());

  /** What the kubelet would do: image, arguments, variables and confinement of the manifest, the account's files. @returns its probes' address */
  async function start(): Promise<string> {
    const account = join(scratch(), 'account');
    mkdirSync(account);
    const kubeconfig = load(readFileSync(cluster.kubeconfig, 'utf8')) as JsonObject;
    const authority = stringAt(kubeconfig, 'clusters', 0, 'cluster', 'certificate-authority-data') ?? '';
    writeFileSync(join(account, 'ca.crt'), Buffer.from(authority, 'base64'));
    writeFileSync(join(account, 'token'), (await kubectl(cluster, ['create', 'token', 'tenantplane-reconciler', ...SYSTEM])).trim());
    writeFileSync(join(account, 'namespace'), 'tenantplane-system');
    chmodSync(account, 0o755);
    const { hostname, port } = new URL(cluster.url);
    const probes = `127.0.0.1:${await freePort()}`;
    const literal = objectsOf(at(container, 'env')).flatMap((row) =>
      typeof row['value'] === 'string' ? [`${String(row['name'])}=${row['value']}`] : [],
    );
    const variables = [
      ...literal,
      'POD_NAME=reconciler-0',
      'POD_NAMESPACE=tenantplane-system',
      `KUBERNETES_SERVICE_HOST=${hostname}`,
      `KUBERNETES_SERVICE_PORT=${port}`,
      // the ports of the manifest are a pod's own; here all share one machine
      `TENANTPLANE_HEALTH_PROBE_BIND_ADDRESS=${probes}`,
      'TENANTPLANE_METRICS_BIND_ADDRESS=0',
    ];
    name = `tenantplane-in-cluster-${port}`;
    const confined = [
      '--network',
      'host',
      '--read-only',
      '--read-only-tmpfs=false',
      '--cap-drop',
      'all',
      '--security-opt',
      'no-new-privileges',
    ];
    ok('podman', [
      ...['run', '--detach', '--name', name, ...confined, '--user', '65532:65532', '--volume', `${account}:${ACCOUNT}:ro`],
      ...variables.flatMap((variable) => ['--env', variable]),
      `${inject('images')}/tenantplane`,
      ...strings(at(container, 'args')),
    ]);
    return `http://${probes}`;
  }
  const logs = (): string => {
    const { stdout, stderr } = run('podman', ['logs', name ?? '']);
    return stdout + stderr;
  };
  const readiness = async (address: string): Promise<string> => {
    try {
      return await (await fetch(`${address}/readyz`)).text();
    } catch (error) {
      return `${String(error)}\n${logs()}`;
    }
  };

  test('has all the rights that it needs to become ready and to lead', async () => {
    const address = await start();
    await eventually(
      () => readiness(address),
      (text) => text.includes('ok: leading'),
    );
    const lease = await get<{ spec: { holderIdentity: string } }>(cluster, ['lease/tenantplane-reconciler', ...SYSTEM]);
    expect(lease.spec.holderIdentity).toContain('reconciler-0');
    expect(logs()).not.toMatch(/forbidden/i);
  });

  test('gives its Lease back within the time that it has to end', async () => {
    const address = await start();
    await eventually(
      () => readiness(address),
      (text) => text.includes('ok: leading'),
    );
    const grace = at(deployment, 'spec', 'template', 'spec', 'terminationGracePeriodSeconds');
    ok('podman', ['stop', '--time', String(grace), name ?? '']);
    const code = ok('podman', ['inspect', '--format', '{{.State.ExitCode}}', name ?? '']).stdout.trim();
    const lease = await get<{ spec: { holderIdentity?: string } }>(cluster, ['lease/tenantplane-reconciler', ...SYSTEM]);
    expect([code, lease.spec.holderIdentity ?? '']).toEqual(['0', '']);
  });

  test('does not become ready without one of them, and says which', async () => {
    const role = await get<{ rules: { resources: string[] }[] }>(cluster, ['clusterrole/tenantplane-reconciler']);
    const index = role.rules.findIndex(({ resources }) => resources.includes('storageclasses'));
    const patch = JSON.stringify([{ op: 'remove', path: `/rules/${index}` }]);
    await kubectl(cluster, ['patch', 'clusterrole', 'tenantplane-reconciler', '--type=json', '-p', patch]);
    const address = await start();
    await eventually(
      () => readiness(address),
      (text) => text.includes('storageclasses'),
    );
    expect(await readiness(address)).toContain('not ready');
  });
});
