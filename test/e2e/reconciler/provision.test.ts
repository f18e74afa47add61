import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { at, type JsonObject, objectAt, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import { nameOf } from '../../../src/core/kube/object.ts';
import { eventually } from '../delivery/eventually.ts';
import { type ReconcilerProcess, startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost, VERSIONS } from './tenant-host.ts';

let host: TenantHost;
beforeAll(async () => {
  host = await startTenantHost();
});
afterAll(() => host?.stop());

function reconciler(): ReconcilerProcess {
  return startReconciler({
    kubeconfig: host.reconciler,
    flags: [`--releases=${host.releases}`, '--leader-elect=false', '--log-level=info'],
  });
}

const place = (name: string): string => `cp-x-${name}-x-team-${name}`;
const tenant = (name: string): Promise<JsonObject | undefined> => host.get('tenantcluster', name, `team-${name}`);
const condition = (object: JsonObject | undefined, type: string): JsonObject | undefined =>
  objectsOf(at(object, 'status', 'conditions')).find((each) => each['type'] === type);
const phase = (object: JsonObject | undefined): string | undefined => stringAt(object, 'status', 'phase');
const version = (object: JsonObject | undefined): string | undefined => stringAt(object, 'status', 'kubernetesVersion');
const untilReady = (name: string, limit = 90): Promise<{ readonly seen: JsonObject | undefined; readonly seconds: number }> =>
  eventually(
    () => tenant(name),
    (object) => phase(object) === 'Ready',
    limit,
  );

/** Names and digests of what may never change: data of the two Secrets, by their keys. */
async function material(name: string): Promise<string> {
  const secrets = await Promise.all(
    ['control-plane-authorities', 'control-plane-token'].map((each) => host.get('secret', each, place(name))),
  );
  return JSON.stringify(secrets.map((secret) => [stringAt(secret, 'metadata', 'uid'), objectAt(secret, 'data')]));
}

/** The published kubeconfig, for somebody on this machine: the pod's address instead of a name of the cluster's DNS. */
async function kubeconfigOf(name: string): Promise<string> {
  const secret = await host.get('secret', 'kubeconfig', place(name));
  const pod = await host.get('pod', 'control-plane-0', place(name));
  const text = Buffer.from(stringAt(secret, 'data', 'value') ?? '', 'base64').toString('utf8');
  const folder = mkdtempSync(join(tmpdir(), 'tenantplane-kubeconfig-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config');
  writeFileSync(file, text.replace(/server: .*/, `server: https://${stringAt(pod, 'status', 'podIP')}:6443`));
  return file;
}

describe('a TenantCluster', { timeout: 300_000 }, () => {
  test('gets an API of its own from apply to Ready, and people get a kubeconfig that no other tenant can use', async () => {
    const process = reconciler();
    await Promise.all([
      host.commit('one', '  kubernetesVersion: "1.34"\n').then(() => host.commit('two', '  kubernetesVersion: "1.34"\n')),
    ]);
    const { seen } = await untilReady('one');
    await untilReady('two');
    expect(version(seen)).toBe('v1.34.2+k3s1');
    expect(stringAt(seen, 'status', 'endpoint')).toBe('https://one-control-plane.cp-x-one-x-team-one.svc.cluster.local:6443');
    expect(at(seen, 'status', 'observedGeneration')).toBe(at(seen, 'metadata', 'generation'));
    expect(
      Object.fromEntries(objectsOf(at(seen, 'status', 'conditions')).map(({ type, status, reason }) => [type, `${status} ${reason}`])),
    ).toEqual({
      Ready: 'True Succeeded',
      ControlPlaneReady: 'True Available',
      IsolationEnforced: 'True Enforced',
      CertificatesValid: 'True Valid',
    });
    const [one, two] = [await kubeconfigOf('one'), await kubeconfigOf('two')];
    const as = (kubeconfig: string, ...args: string[]) => host.cluster.kubectl(args, { as: kubeconfig });
    expect((await as(one, 'create', 'configmap', 'mine', '--from-literal=a=b')).stderr).toBe('');
    expect((await as(one, 'get', 'configmaps', '-o', 'name')).stdout).toContain('configmap/mine');
    expect((await as(two, 'get', 'configmaps', '-o', 'name')).stdout).not.toContain('configmap/mine');
    // the certificate of one is nobody to the server of the other, and the other way round
    const [server] = /server: .*/.exec(String((await import('node:fs')).readFileSync(two))) ?? [''];
    const crossed = join(one, '..', 'crossed');
    writeFileSync(
      crossed,
      String((await import('node:fs')).readFileSync(one))
        .replace(/server: .*/, server)
        .replace(/certificate-authority-data: .*/, 'insecure-skip-tls-verify: true'),
    );
    // a server that hangs up on such a certificate may do so before kubectl has read why
    await expect
      .poll(async () => (await as(crossed, 'get', 'configmaps')).stderr, { timeout: 30_000, interval: 200 })
      .toMatch(/Unauthorized|certificate|provide credentials/);
    // nothing of the material is in the log, in an event or in a status
    const secrets = (
      await Promise.all(
        ['control-plane-authorities', 'control-plane-token', 'kubeconfig'].map((each) => host.get('secret', each, place('one'))),
      )
    ).flatMap((secret) =>
      Object.values(objectAt(secret, 'data') ?? {}).map((value) => Buffer.from(String(value), 'base64').toString('utf8')),
    );
    const told = `${process.stderr()}${JSON.stringify(await host.list('events'))}${JSON.stringify(seen)}`;
    for (const secret of secrets)
      for (const line of secret.split('\n').filter((each) => each.length > 40 && !each.startsWith('-----')))
        expect(told).not.toContain(line);
  });

  test('says that its boundary has drifted while it runs, leaves it running, and is well again when that is mended', async () => {
    reconciler();
    const before = await material('one');
    await host.kubectl(['delete', 'networkpolicy', 'tenantplane-default-deny', '-n', 'team-one']);
    const { seen } = await eventually(
      () => tenant('one'),
      (object) => condition(object, 'IsolationEnforced')?.['status'] === 'False',
      30,
    );
    expect(condition(seen, 'IsolationEnforced')?.['message']).toContain('tenantplane-default-deny');
    expect(phase(seen)).toBe('Degraded');
    expect(stringAt(await host.get('pod', 'control-plane-0', place('one')), 'status', 'phase')).toBe('Running');
    await host.commit('one', '  kubernetesVersion: "1.34"\n');
    await untilReady('one');
    const events = (await host.list('events.events.k8s.io', 'team-one')).map(({ reason }) => reason);
    expect(events).toContain('BoundaryMissing');
    expect(await material('one')).toBe(before);
  });

  test('goes to a newer version one minor at a time, keeps what it holds, and never goes back', async () => {
    reconciler();
    const before = await material('one');
    await host.commit('one', '  kubernetesVersion: "1.36"\n');
    const seenVersions = new Set<string>();
    const { seen } = await eventually(
      async () => {
        const object = await tenant('one');
        const served = version(object);
        if (served !== undefined) seenVersions.add(served);
        return object;
      },
      (object) => phase(object) === 'Ready' && version(object) === 'v1.36.0+k3s1',
      150,
    );
    expect([...seenVersions]).toEqual(VERSIONS.map((each) => `v${each}+k3s1`));
    expect((await host.cluster.kubectl(['get', 'configmaps', '-o', 'name'], { as: await kubeconfigOf('one') })).stdout).toContain(
      'configmap/mine',
    );
    expect(await material('one')).toBe(before);
    expect(phase(seen)).toBe('Ready');

    await host.commit('one', '  kubernetesVersion: "1.35"\n');
    const { seen: refused } = await eventually(
      () => tenant('one'),
      (object) => condition(object, 'Stalled') !== undefined,
      30,
    );
    expect(condition(refused, 'Stalled')).toMatchObject({ reason: 'DowngradeRefused', status: 'True' });
    expect(version(refused)).toBe('v1.36.0+k3s1');
    await host.commit('one', '  kubernetesVersion: "1.36"\n');
    await untilReady('one');
  });

  test('changes from shared to dedicated only with consent, and keeps volume, authorities and token', async () => {
    reconciler();
    const before = await material('one');
    const volume = async (): Promise<string> =>
      JSON.stringify(
        (await host.list('persistentvolumeclaims', place('one'))).map((claim) => [nameOf(claim), stringAt(claim, 'metadata', 'uid')]),
      );
    const volumes = await volume();
    const dedicated = '  kubernetesVersion: "1.36"\n  mode: dedicated\n  nodePool: {nodeSelector: {pool: one}}\n';
    // the API server itself refuses it, so Argo CD or Flux shows it; the reconciler would say ModeChangeRefused
    await expect(host.commit('one', dedicated)).rejects.toThrow('mode may change only where migration.allowModeChange is true');
    await host.commit('one', `${dedicated}  migration: {allowModeChange: true}\n`);
    await untilReady('one');
    expect(stringAt(await host.get('statefulset', 'control-plane', place('one')), 'metadata', 'annotations', 'tenantplane.io/mode')).toBe(
      'dedicated',
    );
    expect([await material('one'), await volume()]).toEqual([before, volumes]);
  });

  test('is left alone while it is paused, and answers to a requested pass', async () => {
    reconciler();
    await untilReady('two');
    await host.kubectl(['annotate', 'tenantcluster', 'two', '-n', 'team-two', 'tenantplane.io/paused=true']);
    await eventually(
      () => tenant('two'),
      (object) => condition(object, 'Paused') !== undefined,
      30,
    );
    await host.kubectl(['delete', 'service', 'two-control-plane', '-n', place('two')]);
    await host.kubectl(['annotate', 'tenantcluster', 'two', '-n', 'team-two', 'tenantplane.io/reconcile-requested-at=now']);
    await eventually(
      () => tenant('two'),
      (object) => stringAt(object, 'status', 'lastHandledReconcileAt') === 'now',
      30,
    );
    expect(await host.get('service', 'two-control-plane', place('two'))).toBeUndefined();
    await host.kubectl(['annotate', 'tenantcluster', 'two', '-n', 'team-two', 'tenantplane.io/paused-']);
    await eventually(
      () => host.get('service', 'two-control-plane', place('two')),
      (object) => object !== undefined,
      30,
    );
    await untilReady('two');
  });

  test('is taken down to the last object, and what is others’ stays', async () => {
    const process = reconciler();
    await untilReady('two');
    await host.kubectl(['create', 'secret', 'generic', 'of-somebody-else', '-n', place('two'), '--from-literal=a=b']);
    await host.kubectl(['delete', 'tenantcluster', 'two', '-n', 'team-two', '--wait=false']);
    await eventually(
      () => tenant('two'),
      (object) => object === undefined,
      60,
    );
    const names = async (kind: string): Promise<readonly string[]> => (await host.list(kind, place('two'))).map(nameOf);
    expect(await names('secrets')).toEqual(['of-somebody-else']);
    expect([await names('statefulsets'), await names('services'), await names('pods')]).toEqual([[], [], []]);
    await eventually(
      () => names('persistentvolumeclaims'),
      (claims) => claims.length === 0,
      30,
    );
    // whoever applied policies and namespaces removes them
    expect(await host.get('networkpolicy', 'tenantplane-default-deny', 'team-two')).toBeDefined();
    expect(phase(await tenant('one'))).toBe('Ready');
    expect(process.log().filter(({ level }) => level === 'error')).toEqual([]);
  });
});
