import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GUARDS, guardName } from '../../../deploy/install/guard-objects.ts';
import { buildTool } from '../../bed/build-tool.ts';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { eventually } from '../delivery/eventually.ts';
import { get, kubectl, type Live, list } from '../delivery/host.ts';
import { onEachKubernetes } from '../on-each-kubernetes.ts';
import { ok, ROOT, scratch } from '../workspace.ts';

const SYSTEM = ['-n', 'tenantplane-system'];
const OVERLAYS = readdirSync(join(ROOT, 'deploy/overlays'));
/** Kinds of the Prometheus operator, which is not here: its objects are held against the shape that it documents. */
const FOREIGN = /^monitoring\.coreos\.com\//;

interface Placed extends Live {
  readonly spec: { readonly nodeName?: string };
}
interface Checked extends Live {
  readonly status?: { readonly typeChecking?: { readonly expressionWarnings?: readonly unknown[] } };
}
interface Scaled extends Live {
  readonly spec: { readonly replicas: number };
  readonly status?: { readonly availableReplicas?: number };
}

const built = (folder: string): string => ok('kustomize', ['build', join(ROOT, 'deploy', folder)]).stdout;
const objectsOf = (text: string): Live[] => loadAll(text) as Live[];
const named = ({ kind, metadata }: Live): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

vi.setConfig({ testTimeout: 200_000 });

onEachKubernetes('the install manifests on Kubernetes %s', (version) => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ version, kwok: 2, typeChecking: true });
    await kubectl(cluster, ['wait', '--for=condition=Ready', 'nodes', '--all']);
  });
  afterAll(async () => cluster?.stop());

  /** What kubectl says on stderr are the API server's warnings, such as Pod Security's and those of fields that it does not know. */
  const apply = async (folder: string, ...flags: string[]): Promise<string> => {
    const ran = await cluster.kubectl(['apply', '--server-side', '-k', join(ROOT, 'deploy', folder), ...flags]);
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    return ran.stdout;
  };
  /** Versions of what the manifests hold; of what a controller writes a status to, the generation. */
  const standing = async (folder: string): Promise<string[]> => {
    const live = await Promise.all(
      objectsOf(built(folder)).map(({ kind, metadata: { name, namespace = 'default' } }) =>
        get<{ metadata: { resourceVersion: string; generation?: number; uid: string } }>(cluster, [kind, name, '-n', namespace]),
      ),
    );
    return live.map(({ metadata }) => `${metadata.uid} ${metadata.generation ?? metadata.resourceVersion}`);
  };

  test('the definitions are taken, and established', async () => {
    await apply('crds');
    await kubectl(cluster, ['wait', '--for=condition=Established', '-f', join(ROOT, 'deploy/crds')]);
  });

  test('the base is taken without a warning, and its pods run under restricted Pod Security, a node each', async () => {
    await apply('base');
    const deployment = (): Promise<Scaled> => get<Scaled>(cluster, ['deployment/tenantplane-reconciler', ...SYSTEM]);
    await eventually(deployment, ({ status }) => status?.availableReplicas === 2);
    const pods = await list<Placed>(cluster, ['pods', ...SYSTEM, '-l', 'app.kubernetes.io/name=tenantplane-reconciler']);
    expect(new Set(pods.map(({ spec }) => spec.nodeName)).size).toBe(2);
    const events = await list<{ reason: string }>(cluster, ['events.events.k8s.io', ...SYSTEM]);
    expect(events.map(({ reason }) => reason).filter((reason) => reason.startsWith('Failed'))).toEqual([]);
    // the same namespace takes no pod of less care
    const careless = await cluster.kubectl(['run', 'careless', '--image=tenantplane', ...SYSTEM]);
    expect(careless.stderr).toContain('violates PodSecurity "restricted:latest"');
  });

  test('the admission policies compile without a warning', async () => {
    await kubectl(cluster, ['apply', '--server-side', '-f', join(ROOT, 'deploy/overlays/controller-delivery/admission.yaml')]);
    for (const name of GUARDS.map(guardName)) {
      const { seen } = await eventually(
        () => get<Checked>(cluster, ['validatingadmissionpolicy', name]),
        ({ status }) => status?.typeChecking !== undefined,
      );
      expect([name, seen.status?.typeChecking?.expressionWarnings ?? []]).toEqual([name, []]);
    }
  });

  test('the Services, the budget and the policy find the pods', async () => {
    const slices = await list<{ endpoints: unknown[] }>(cluster, ['endpointslices', ...SYSTEM]);
    expect(slices.flatMap(({ endpoints }) => endpoints)).toHaveLength(2);
    const budget = await eventually(
      () => get<{ status?: { currentHealthy?: number } }>(cluster, ['pdb/tenantplane-reconciler', ...SYSTEM]),
      ({ status }) => status?.currentHealthy === 2,
    );
    expect(budget.seen.status).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 });
    const policy = await get<{ spec: { podSelector: { matchLabels: Record<string, string> } } }>(cluster, [
      'networkpolicy/tenantplane-reconciler',
      ...SYSTEM,
    ]);
    const selector = Object.entries(policy.spec.podSelector.matchLabels).map((pair) => pair.join('='));
    expect(await list(cluster, ['pods', ...SYSTEM, '-l', selector.join(',')])).toHaveLength(2);
  });

  test('a second apply changes nothing', async () => {
    for (const folder of ['crds', 'base']) {
      const before = await standing(folder);
      expect(before.length).toBeGreaterThan(3);
      await apply(folder);
      expect(await standing(folder)).toEqual(before);
      expect((await cluster.kubectl(['diff', '--server-side', '-k', join(ROOT, 'deploy', folder)])).stdout).toBe('');
    }
  });

  test.each(OVERLAYS)('the API server takes overlay %s', async (overlay) => {
    const known = objectsOf(built(`overlays/${overlay}`)).filter(({ apiVersion }) => !FOREIGN.test(apiVersion));
    expect(known.length).toBeGreaterThan(8);
    const ran = await cluster.kubectl(['apply', '--server-side', '--dry-run=server', '-f', '-'], {
      input: known.map((object) => JSON.stringify(object)).join('\n---\n'),
    });
    expect([ran.status, ran.stderr]).toEqual([0, '']);
  });

  test('the script of docs/install-reconciler.md runs as it stands', async () => {
    const [, script = ''] = /```sh install\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/install-reconciler.md'), 'utf8')) ?? [];
    expect(script).toContain('deploy/base');
    const path = [dirname(await buildTool('kubectl', version)), process.env['PATH']].join(':');
    const env = { KUBECONFIG: cluster.kubeconfig, TENANTPLANE: ROOT, PATH: path };
    expect(ok('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: scratch(), env }).stderr).toBe('');
  });

  test('single-replica has one, which still lets a node be drained', async () => {
    const objects = objectsOf(built('overlays/single-replica'));
    expect(objects.map(named)).not.toContain('PodDisruptionBudget tenantplane-system/tenantplane-reconciler');
    await kubectl(cluster, ['delete', 'pdb/tenantplane-reconciler', ...SYSTEM]);
    await apply('overlays/single-replica');
    const { seen } = await eventually(
      () => list<Placed>(cluster, ['pods', ...SYSTEM, '-l', 'app.kubernetes.io/name=tenantplane-reconciler']),
      (pods) => pods.length === 1,
    );
    const node = seen[0]?.spec.nodeName ?? '';
    await kubectl(cluster, ['drain', node, '--ignore-daemonsets', '--pod-selector=app.kubernetes.io/name=tenantplane-reconciler']);
  });

  test('what is installed goes, and the definitions stay', async () => {
    await kubectl(cluster, ['delete', '-k', join(ROOT, 'deploy/base'), '--ignore-not-found', '--wait=false']);
    expect(await list(cluster, ['crds', '-l', 'app.kubernetes.io/name=tenantplane-reconciler'])).toEqual([]);
    expect((await list(cluster, ['crds'])).map(({ metadata }) => metadata.name)).toContain('tenantclusters.tenantplane.io');
  });
});

describe('kustomize', () => {
  test.each(['crds', 'base', ...OVERLAYS.map((name) => `overlays/${name}`)])('builds %s to the same bytes', (folder) => {
    expect(built(folder)).toBe(built(folder));
  });

  test('sets another image, by its digest', () => {
    const image = `registry.example.com/tenantplane@sha256:${'0'.repeat(64)}`;
    const folder = scratch();
    writeFileSync(join(folder, 'kustomization.yaml'), `resources: [${relative(realpathSync(folder), join(ROOT, 'deploy/base'))}]\n`);
    ok('kustomize', ['edit', 'set', 'image', `tenantplane=${image}`], { cwd: folder });
    expect(built('base')).toMatch(/image: tenantplane:\d+\.\d+\.\d+\n/);
    expect(ok('kustomize', ['build', folder]).stdout).toContain(`image: ${image}\n`);
  });
});
