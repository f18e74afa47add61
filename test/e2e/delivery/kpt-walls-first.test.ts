import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { blocksOf, readPage } from '../../docs/markdown.ts';
import { ok, ROOT } from '../workspace.ts';
import { type Creation, createdSince, now } from './creations.ts';
import { prepareHost } from './fleet.ts';
import { isThere, kubectl, rendered } from './host.ts';

const WORKLOADS = ['apps/v1/deployments', 'apps/v1/replicasets', 'v1/pods'];
const WALLS = [
  'v1/namespaces',
  'v1/resourcequotas',
  'v1/limitranges',
  'networking.k8s.io/v1/networkpolicies',
  'admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  'admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
];

/** The commands of the page, as it has them: what is done once, and what at each apply. */
const [once = '', each = ''] = blocksOf(readPage('docs/delivery.md').split('### Walls first')[1] ?? '')
  .filter(({ language }) => language === 'sh')
  .map(({ lines }) => lines.join('\n'));

describe('kpt live, walls first', { timeout: 300_000 }, () => {
  let folder: string;
  let cluster: Cluster;
  let begin: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-kpt-walls-'));
    cpSync(join(ROOT, 'examples/delivery/kpt'), join(folder, 'fleet'), { recursive: true });
    cluster = await startCluster({ kwok: 3 });
    await prepareHost(cluster);
    sh('kpt live install-resource-group');
    begin = await now(cluster);
  });
  afterEach(async () => {
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const sh = (script: string): string =>
    ok('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: folder, env: { KUBECONFIG: cluster.kubeconfig } }).stdout;
  const order = async (): Promise<{ readonly walls: readonly Creation[]; readonly workloads: readonly Creation[] }> => {
    const [walls, workloads] = [await createdSince(cluster, begin, WALLS), await createdSince(cluster, begin, WORKLOADS)];
    expect(workloads.length).toBeGreaterThan(3);
    return { walls, workloads };
  };
  const addTenant = (name: string): void => {
    const [from, to] = [join(folder, 'fleet/tenants/dev'), join(folder, `fleet/tenants/${name}`)];
    mkdirSync(to);
    cpSync(join(from, 'objects'), join(to, 'objects'), { recursive: true });
    const text = readFileSync(join(from, 'tenant.yaml'), 'utf8');
    writeFileSync(join(to, 'tenant.yaml'), text.replace(/name: dev/, `name: ${name}`).replace(/team-dev/g, `team-${name}`));
  };

  test('the commands of the page put every wall before the first workload, for a tenant that comes later too', async () => {
    sh(once);
    sh(each);
    const first = await order();
    expect(new Set(first.walls.map(({ name }) => name.split(' ')[0])).size).toBe(WALLS.length);
    expect(first.walls.at(-1)?.at).toBeLessThan(first.workloads[0]?.at ?? 0);

    addTenant('qa');
    begin = await now(cluster);
    sh(each);
    const then = await order();
    expect(then.walls.map(({ name }) => name)).toContain('NetworkPolicy team-qa/tenantplane-default-deny');
    expect(then.walls.at(-1)?.at).toBeLessThan(then.workloads[0]?.at ?? 0);
    expect(then.workloads.every(({ name }) => name.includes(' team-qa/'))).toBe(true);

    // each of the two prunes what is its own, and nothing of the other
    rmSync(join(folder, 'fleet/tenants/qa/objects/web.yaml'));
    sh(each);
    expect(await isThere(cluster, ['deployment/web-x-default-x-qa', '-n', 'team-qa'])).toBe(false);
    for (const kept of ['deployment/api-x-default-x-qa', 'networkpolicy/tenantplane-default-deny'])
      expect(await isThere(cluster, [kept, '-n', 'team-qa'])).toBe(true);
  });

  // what they are for
  test('one run for all of it puts network policies behind Deployments', { tags: 'release' }, async () => {
    sh('kpt live init fleet --namespace default --name fleet --inventory-id fleet && kpt live apply fleet --server-side');
    const { walls, workloads } = await order();
    const policies = walls.filter(({ name }) => name.startsWith('NetworkPolicy team-dev/'));
    expect(policies[0]?.at).toBeGreaterThan(workloads[0]?.at ?? Number.POSITIVE_INFINITY);

    // and the page's own way from there: nothing is made anew
    const before = (await rendered(cluster)).map(({ metadata }) => metadata.uid).sort();
    expect(before.length).toBeGreaterThan(15);
    sh(once);
    sh(each.replaceAll('--server-side', '--server-side --inventory-policy=force-adopt'));
    await kubectl(cluster, ['delete', 'resourcegroup', 'fleet', '--namespace', 'default']);
    sh(each);
    expect((await rendered(cluster)).map(({ metadata }) => metadata.uid).sort()).toEqual(before);
  });
});
