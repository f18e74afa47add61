import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { at, type JsonObject, objectAt, stringAt } from '../../../src/core/kube/json.ts';
import { k3sImageName } from '../../bed/k3s-image.ts';
import { blocksOf } from '../../docs/markdown.ts';
import { eventually } from '../delivery/eventually.ts';
import { ROOT } from '../workspace.ts';
import { type ReconcilerProcess, startReconciler } from './reconciler-process.ts';
import { startTenantHost, type TenantHost } from './tenant-host.ts';
import { condition, phase, type TenantLook, tenantLook } from './tenant-look.ts';

/** A release that no node has, and that none can pull */
const NOWHERE = '1.35.9';

// a control plane takes half a minute to start on a machine that others work on, and a test starts several, one after the other
vi.setConfig({ testTimeout: 300_000 });

let host: TenantHost;
beforeAll(async () => {
  host = await startTenantHost();
  appendFileSync(host.releases, `- {version: ${NOWHERE}, image: '${k3sImageName(NOWHERE)}'}\n`);
});
afterAll(() => host?.stop());

const reconciler = (): ReconcilerProcess =>
  startReconciler({ kubeconfig: host.reconciler, flags: [`--releases=${host.releases}`, '--leader-elect=false', '--log-level=info'] });

const VERSION = '  kubernetesVersion: "1.34"\n';

const server = async (tenant: TenantLook): Promise<JsonObject | undefined> => tenant.get('pod', 'control-plane-0');

/** An object as a backup has it. */
function backup(object: JsonObject | undefined): string {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, managedFields: ____, ...metadata } = objectAt(object, 'metadata') ?? {};
  return JSON.stringify({ ...object, metadata });
}

describe('a tenant that ran', () => {
  test('says that its image cannot be pulled, and runs again when its version is set back', { tags: 'release' }, async () => {
    reconciler();
    const tenant = tenantLook(host, 'ran');
    await host.commit('ran', VERSION);
    await tenant.ready();
    const before = await tenant.material();
    await host.commit('ran', `  kubernetesVersion: "${NOWHERE}"\n`);
    const failing = await tenant.shows('ControlPlaneReady', 'ImagePullFailing', 90);
    expect(failing['message']).toContain(k3sImageName(NOWHERE));
    await tenant.until((object) => phase(object) === 'Degraded', 20);
    expect(condition(await tenant.object(), 'Ready')).toMatchObject({ status: 'False', reason: 'ImagePullFailing' });
    await eventually(
      () => tenant.events(),
      (reasons) => reasons.includes('ImagePullFailing'),
      20,
    );
    await host.commit('ran', VERSION);
    await tenant.ready();
    expect(stringAt(await tenant.object(), 'status', 'kubernetesVersion')).toBe('v1.34.2+k3s1');
    expect(await tenant.material()).toBe(before);
  });

  test('gets no other authorities when they are lost, and goes on by itself with those of a backup', { tags: 'release' }, async () => {
    reconciler();
    const tenant = tenantLook(host, 'ran');
    await tenant.ready();
    const [kept, pod] = [await tenant.get('secret', 'control-plane-authorities'), stringAt(await server(tenant), 'metadata', 'uid')];
    await host.kubectl(['delete', 'secret', 'control-plane-authorities', '-n', tenant.place]);
    await tenant.request();
    const lost = await tenant.shows('Stalled', 'AuthoritiesLost', 30);
    expect(lost['message']).toContain('the Secret of the authorities is gone');
    expect(phase(await tenant.object())).toBe('Degraded');
    // two passes more, and still none are made; what runs is left running
    await sleep(22_000);
    expect(await tenant.get('secret', 'control-plane-authorities')).toBeUndefined();
    expect(stringAt(await server(tenant), 'metadata', 'uid')).toBe(pod);
    expect(await tenant.events()).toContain('AuthoritiesLost');
    await host.kubectl(['create', '-f', '-'], backup(kept));
    expect(await tenant.ready(30)).toBeLessThan(25);
    expect(objectAt(await tenant.get('secret', 'control-plane-authorities'), 'data')).toEqual(objectAt(kept, 'data'));
    expect(stringAt(await server(tenant), 'metadata', 'uid')).toBe(pod);
  });

  test('comes back when its server ends, and when its pod is deleted; that is no refusal', { tags: 'release' }, async () => {
    reconciler();
    const tenant = tenantLook(host, 'ran');
    await host.commit('ran', VERSION);
    await tenant.ready();
    await host.cluster.kubectl(['exec', '-n', tenant.place, 'control-plane-0', '-c', 'k3s', '--', 'sh', '-c', 'kill 1']);
    await eventually(
      () => server(tenant),
      (pod) => Number(at(pod, 'status', 'containerStatuses', 0, 'restartCount')) > 0,
      60,
    );
    await tenant.ready();
    await host.kubectl(['delete', 'pod', 'control-plane-0', '-n', tenant.place]);
    await tenant.until((object) => condition(object, 'ControlPlaneReady')?.['reason'] === 'Starting', 30);
    await tenant.ready();
    expect(await tenant.events()).not.toContain('PodRefused');
  });

  test('says that its pod is refused where a quota has no room, and comes back when it has', { tags: 'release' }, async () => {
    reconciler();
    const tenant = tenantLook(host, 'ran');
    await tenant.ready();
    await host.kubectl(['create', 'quota', 'no-room', '-n', tenant.place, '--hard=pods=0']);
    await host.kubectl(['delete', 'pod', 'control-plane-0', '-n', tenant.place]);
    const refused = await tenant.shows('ControlPlaneReady', 'PodRefused', 90);
    expect(refused['message']).toContain('StatefulSet control-plane');
    await tenant.until((object) => phase(object) === 'Degraded', 20);
    await host.kubectl(['delete', 'quota', 'no-room', '-n', tenant.place]);
    await tenant.ready(180);
  });

  test('keeps its namespace for itself: a second tenant waits until the first is gone', async () => {
    reconciler();
    const [first, second] = [
      tenantLook(host, 'ran'),
      (): Promise<JsonObject | undefined> => host.get('tenantcluster', 'second', 'team-ran'),
    ];
    await host.commit('ran', VERSION);
    await first.ready();
    const spec = { kubernetesVersion: '1.34', isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'applications' } };
    const metadata = { name: 'second', namespace: 'team-ran' };
    await host.kubectl(
      ['apply', '-f', '-'],
      JSON.stringify({ apiVersion: 'tenantplane.io/v1alpha1', kind: 'TenantCluster', metadata, spec }),
    );
    const { seen: shared } = await eventually(second, (object) => condition(object, 'Stalled')?.['reason'] === 'NamespaceShared', 30);
    expect(condition(shared, 'Stalled')?.['message']).toContain('TenantCluster ran has the namespace team-ran');
    expect(phase(await first.object())).toBe('Ready');
    await host.kubectl(['delete', 'tenantcluster', 'ran', '-n', 'team-ran', '--timeout=90s']);
    await eventually(second, (object) => condition(object, 'Stalled') === undefined, 30);
    await host.kubectl(['delete', 'tenantcluster', 'second', '-n', 'team-ran', '--timeout=60s']);
  });
});

describe('a tenant that is to start', () => {
  test('waits for its StorageClass', async () => {
    reconciler();
    const tenant = tenantLook(host, 'disk');
    await host.commit('disk', `${VERSION}  controlPlane: {storage: {className: fast}}\n`);
    expect((await tenant.shows('Stalled', 'StorageClassMissing'))['message']).toBe('The host has no StorageClass fast.');
    expect(phase(await tenant.object())).toBe('Pending');
    const local = await host.get('storageclass', 'local');
    await host.kubectl(['create', '-f', '-'], backup({ ...local, metadata: { name: 'fast' } }));
    await tenant.until((object) => condition(object, 'Stalled') === undefined, 20);
    await eventually(
      () => tenant.get('pvc', 'data-control-plane-0'),
      (claim) => stringAt(claim, 'spec', 'storageClassName') === 'fast',
      30,
    );
    expect(await tenant.events()).toContain('StorageClassMissing');
    await host.kubectl(['delete', 'tenantcluster', 'disk', '-n', tenant.namespace, '--timeout=90s']);
  });

  test('touches nothing that is somebody else’s, and goes on when that is gone', async () => {
    const tenant = tenantLook(host, 'names');
    await host.commit('names', VERSION);
    await host.kubectl(['create', 'service', 'clusterip', 'names-control-plane', '-n', tenant.place, '--tcp=80:80']);
    await host.kubectl(['create', 'service', 'clusterip', 'theirs', '-n', tenant.place, '--tcp=80:80']);
    await host.kubectl(['create', 'secret', 'generic', 'kubeconfig', '-n', tenant.place, '--from-literal=value=theirs']);
    const theirs = async (): Promise<unknown> =>
      (await Promise.all([tenant.get('service', 'names-control-plane'), tenant.get('secret', 'kubeconfig')])).map((object) =>
        stringAt(object, 'metadata', 'resourceVersion'),
      );
    const untouched = await theirs();
    reconciler();
    const foreign = await tenant.shows('Stalled', 'ObjectForeign');
    expect(foreign['message']).toContain('Service names-control-plane, the Secret of the kubeconfig');
    expect(foreign['message']).not.toContain('theirs');
    await sleep(11_000);
    expect(await theirs()).toEqual(untouched);
    expect(await tenant.names('secrets')).toEqual(['kubeconfig']);
    await host.kubectl(['delete', 'service/names-control-plane', 'secret/kubeconfig', '-n', tenant.place]);
    await tenant.ready();
    expect(await tenant.names('services')).toContain('theirs');
    await host.kubectl(['delete', 'tenantcluster', 'names', '-n', tenant.namespace, '--timeout=90s']);
    expect(await tenant.names('services')).toEqual(['theirs']);
  });

  test('never takes a namespace that is not its own', async () => {
    reconciler();
    const tenant = tenantLook(host, 'squat');
    await host.kubectl(['create', 'namespace', tenant.place]);
    const untouched = objectAt(await host.get('namespace', tenant.place), 'metadata');
    await host.commit('squat', VERSION, (_, text) => !text.includes(tenant.place));
    const foreign = await tenant.shows('Stalled', 'NamespaceForeign');
    expect(foreign['message']).toContain(tenant.place);
    expect(objectAt(await host.get('namespace', tenant.place), 'metadata')).toEqual(untouched);
    expect(await tenant.names('secrets')).toEqual([]);
    await host.kubectl(['delete', 'tenantcluster', 'squat', '-n', tenant.namespace, '--timeout=60s']);
  });
});

describe('delivery: controller', () => {
  const delivered = `${VERSION}  delivery: controller\n`;
  const own = (name: string) => (file: string) => file.endsWith(`/namespace_team-${name}.yaml`);

  test('without its rights says what it may not do', async () => {
    const running = reconciler();
    const tenant = tenantLook(host, 'self');
    await host.commit('self', delivered, own('self'));
    await eventually(
      async () => running.log().find(({ msg, failure }) => msg === 'an action failed' && String(failure).includes('forbidden')),
      (line) => line !== undefined,
      30,
    );
    const waits = condition(await tenant.object(), 'Reconciling');
    expect(waits).toMatchObject({ reason: 'DependencyNotReady', message: 'The boundary is being applied (spec.delivery: controller).' });
    expect(condition(await tenant.object(), 'IsolationEnforced')?.['reason']).toBe('BoundaryMissing');
  });

  test('makes namespace and boundary, mends a drift by itself, and takes away what it made', async () => {
    for (const file of ['admission', 'clusterrole', 'clusterrolebinding'])
      await host.kubectl(['apply', '-f', join(ROOT, `deploy/overlays/controller-delivery/${file}.yaml`)]);
    reconciler();
    const tenant = tenantLook(host, 'self');
    await tenant.ready();
    const policy = () => host.get('networkpolicy', 'tenantplane-default-deny', tenant.namespace);
    const before = objectAt(await policy(), 'spec');
    await host.kubectl([
      'patch',
      'networkpolicy',
      'tenantplane-default-deny',
      '-n',
      tenant.namespace,
      '--type=merge',
      '-p',
      '{"spec":{"policyTypes":["Ingress"]}}',
    ]);
    await eventually(policy, (now) => JSON.stringify(objectAt(now, 'spec')) === JSON.stringify(before), 30);
    await tenant.ready();

    await host.kubectl(['delete', 'tenantcluster', 'self', '-n', tenant.namespace, '--timeout=90s']);
    expect(await policy()).toBeUndefined();
    expect(await tenant.names('networkpolicies')).toEqual([]);
    expect(await tenant.names('rolebindings')).toEqual([]);
    expect(await host.get('namespace', tenant.place)).toBeDefined();
    const { seen: notes } = await eventually(deletions(tenant), (found) => found.length > 0, 20);
    expect(notes.at(-1)).toContain(`Namespace ${tenant.place}`);
  });

  test('leaves the boundary around workloads that are left, and says so', { tags: 'release' }, async () => {
    reconciler();
    const tenant = tenantLook(host, 'left');
    // no file of its folder: the namespace was there, and says whose it is by the commands of the docs
    const blocks = blocksOf(readFileSync(join(ROOT, 'docs/install-reconciler.md'), 'utf8'));
    const labelled = blocks.find(({ info }) => info === 'labelled')?.lines ?? [];
    expect(labelled).toHaveLength(2);
    await host.kubectl(['create', 'namespace', tenant.namespace]);
    for (const line of labelled) await host.kubectl(line.replaceAll('dev', 'left').split(' ').slice(1));
    await host.commit('left', delivered, () => false);
    await tenant.ready();
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: tenant.namespace, labels: { 'tenantplane.io/tenant': 'left' } },
      spec: {
        serviceAccountName: 'tenantplane-workload',
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            name: 'web',
            image: k3sImageName('1.34.2'),
            command: ['/bin/sleep', '3600'],
            resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '10m', memory: '16Mi' } },
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          },
        ],
      },
    };
    await host.kubectl(['create', '-f', '-'], JSON.stringify(pod));
    await sleep(2000);
    await host.kubectl(['delete', 'tenantcluster', 'left', '-n', tenant.namespace, '--timeout=90s']);
    expect(await host.get('networkpolicy', 'tenantplane-default-deny', tenant.namespace)).toBeDefined();
    const { seen: notes } = await eventually(deletions(tenant), (found) => found.length > 0, 20);
    expect(notes.at(-1)).toContain('the boundary around them');
    expect(notes.at(-1)).toContain(`1 pod of its workloads in ${tenant.namespace}`);
  });

  function deletions(tenant: TenantLook): () => Promise<readonly string[]> {
    return async () =>
      (await host.list('events.events.k8s.io', tenant.namespace))
        .filter(({ reason }) => reason === 'Deleted')
        .map((event) => stringAt(event, 'note') ?? '');
  }
});
