import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../bed/cluster.ts';
import { ok, type Ran, run } from '../workspace.ts';
import { CLAIM, FLAGS, fleetPackage, prepareHost, render, TENANTS } from './fleet.ts';
import { get, isThere, kubectl, list } from './host.ts';

/** One line of `--output=json`. */
interface Event {
  readonly type: string;
  readonly status?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

interface Delivery {
  root(): string;
  cluster(): Cluster;
  call(...more: string[]): Ran;
  /** the same, and it must succeed */
  apply(...more: string[]): readonly Event[];
}

/** The fleet or some of its tenants as a package that renders itself, and a host where kpt has applied nothing yet. */
function delivery(tenants: RegExp): Delivery {
  let folder: string;
  let root: string;
  let cluster: Cluster;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantplane-kpt-'));
    root = fleetPackage(join(folder, 'fleet'));
    for (const name of readdirSync(join(root, 'tenants')))
      if (!tenants.test(name)) rmSync(join(root, 'tenants', name), { recursive: true });
    // the sources lie in the same package: marked, no tool applies them
    writeFileSync(join(root, 'render.yaml'), `${readFileSync(join(root, 'render.yaml'), 'utf8')}  output: { sources: mark }\n`);
    render(root);
    cluster = await startCluster({ kwok: 5 });
    await prepareHost(cluster);
    ok('kpt', ['live', 'install-resource-group', ...at()]);
    ok('kpt', ['live', 'init', root, '--namespace', 'default', '--name', 'fleet', '--inventory-id', 'fleet', ...at()]);
  });
  afterAll(async () => {
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  const at = (): string[] => ['--kubeconfig', cluster.kubeconfig];
  const call = (...more: string[]): Ran =>
    run('kpt', ['live', 'apply', root, '--output=json', '--server-side', '--reconcile-timeout=5m', ...at(), ...more]);
  const apply = (...more: string[]): readonly Event[] => {
    const ran = call(...more);
    const events = eventsOf(ran);
    expect(ran.status, `${ran.stderr.slice(0, 2000)}\n${told(events, 'apply', 'Failed').join('\n')}`).toBe(0);
    return events;
  };
  return { root: () => root, cluster: () => cluster, call, apply };
}

function eventsOf(ran: Ran): readonly Event[] {
  return ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
}

function told(events: readonly Event[], type: string, status: string): string[] {
  return events
    .filter((event) => event.type === type && event.status === status)
    .map(({ kind, namespace = '', name }) => `${kind} ${namespace}/${name}`);
}

describe('kpt live on a fleet that renders itself', { timeout: 500_000 }, () => {
  const { root, cluster, apply } = delivery(/./);
  const times: Record<string, number> = {};
  afterAll(() => console.info(`kpt live: ${JSON.stringify(times)}`));

  test('applies the fleet and not its sources, until everything is ready', async () => {
    const begin = Date.now();
    const applied = told(apply(), 'apply', 'Successful');
    times['fleet applied and ready'] = (Date.now() - begin) / 1000;
    expect(applied.length).toBeGreaterThan(20 * TENANTS);
    expect(new Set(applied).size).toBe(applied.length);
    expect(await isThere(cluster(), ['tenantcluster/shared', '-n', 'shared-dev'])).toBe(true);
    expect(await list(cluster(), ['deployments', '-n', 'default'])).toEqual([]);
    expect(await list(cluster(), ['pods', '-A', '--field-selector=status.phase!=Running'])).toEqual([]);
  });

  test('a second run changes nothing', async () => {
    const versions = async (): Promise<string[]> =>
      (await list(cluster(), ['networkpolicies,configmaps,services,limitranges', '-A'])).map(
        (item) => `${item.metadata.uid} ${item.metadata.resourceVersion}`,
      );
    const before = await versions();
    const begin = Date.now();
    apply();
    times['second run'] = (Date.now() - begin) / 1000;
    expect(await versions()).toEqual(before);
  });

  test('prunes what left the tree, except claims and what closes the namespace', async () => {
    for (const name of ['web', 'data']) rmSync(join(root(), `tenants/shared/objects/${name}.yaml`));
    render(root());
    rmSync(join(root(), 'host/shared-dev/limitrange_tenantplane-defaults.yaml'));
    const begin = Date.now();
    const events = apply();
    times['pruned'] = (Date.now() - begin) / 1000;
    expect(told(events, 'prune', 'Successful')).toEqual(['Deployment shared-dev/web-x-default-x-shared']);
    expect(told(events, 'prune', 'Skipped').sort()).toEqual([
      'LimitRange shared-dev/tenantplane-defaults',
      'PersistentVolumeClaim shared-dev/data-x-default-x-shared',
    ]);
    expect((await get(cluster(), CLAIM)).metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('kpt live on two tenants that render themselves', { timeout: 500_000 }, () => {
  const { root, cluster, call, apply } = delivery(/^(atlas-dev|shared)$/);
  beforeAll(() => void apply());

  test('puts a drift back', async () => {
    await kubectl(cluster(), ['delete', 'networkpolicy/tenantplane-default-deny', '-n', 'shared-dev']);
    apply();
    expect(await isThere(cluster(), ['networkpolicy/tenantplane-default-deny', '-n', 'shared-dev'])).toBe(true);
  });

  describe('what both sides may change', () => {
    const data = async (): Promise<unknown> => (await get(cluster(), FLAGS)).data;
    const change = (): Promise<string> => kubectl(cluster(), ['patch', ...FLAGS, '--type=merge', '-p', '{"data":{"beta":"on"}}']);

    // kpt knows no object that is written once: the annotation is Config Sync's
    test('is a conflict to a server-side apply: told, and left as the host has it', async () => {
      await change();
      const ran = call();
      expect(ran.status).toBe(1);
      expect(told(eventsOf(ran), 'apply', 'Failed')).toEqual(['ConfigMap shared-dev/flags-x-default-x-shared']);
      expect(await data()).toEqual({ beta: 'on' });
    });

    test('is put back by a forced one', async () => {
      apply('--force-conflicts');
      expect(await data()).toEqual({ beta: 'off' });
    });

    test('is left alone where the package leaves it out, once it is there', async () => {
      await kubectl(cluster(), ['annotate', ...FLAGS, 'config.k8s.io/owning-inventory-', 'client.lifecycle.config.k8s.io/deletion=detach']);
      writeFileSync(join(root(), '.krmignore'), 'host/shared-dev/configmap_flags-x-default-x-shared.yaml\n');
      await change();
      apply();
      expect(await data()).toEqual({ beta: 'on' });
      apply('--force-conflicts');
      expect(await data()).toEqual({ beta: 'on' });
    });
  });
});
