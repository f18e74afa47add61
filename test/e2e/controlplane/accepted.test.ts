import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlPlaneSettings } from '../../../src/core/controlplane/control-plane-settings.ts';
import { immutableChanges } from '../../../src/core/controlplane/immutable-changes.ts';
import { AUTHORITIES_SECRET, KUBECONFIG_SECRET, TOKEN_SECRET } from '../../../src/core/controlplane/names.ts';
import { controlPlaneObjects } from '../../../src/core/controlplane/objects.ts';
import { at, type JsonObject, stringAt } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf, labelsOf, nameOf } from '../../../src/core/kube/object.ts';
import { emitYaml } from '../../../src/krm/yaml/emit.ts';
import { readDocuments } from '../../../src/krm/yaml/read.ts';
import { checkConfigOf } from '../../../src/schema/check-config.ts';
import { type Files, planFiles, policy, profile, tenant } from '../../support/observe.ts';
import { applyPlan, type Host, must, startHost } from '../isolation/host.ts';
import { list, until } from '../isolation/running.ts';

const RECONCILER = 'system:serviceaccount:tenantplane-system:tenantplane-reconciler';
const ACCOUNT_GROUPS = ['system:serviceaccounts', 'system:serviceaccounts:tenantplane-system', 'system:authenticated'];
const RELEASE = { version: '1.34.11', image: 'rancher/k3s:v1.34.11-k3s1' };

const LEVELS = ['baseline', 'restricted', 'sandboxed'] as const;
const DATASTORES = {
  sqlite: '  controlPlane: {expose: {loadBalancer: true}}\n',
  etcd: '  controlPlane: {replicas: 3, datastore: {type: etcd}, storage: {className: fast}}\n',
  postgres:
    '  controlPlane: {replicas: 2, datastore: {type: postgres, secretRef: {name: database}, egress: {cidrs: [10.20.0.5/32]}}}\n  networking: {podCIDR: 10.1.0.0/16}\n',
} as const;
type DatastoreType = keyof typeof DATASTORES;
const CASES = LEVELS.flatMap((level) => (Object.keys(DATASTORES) as DatastoreType[]).map((type) => [level, type] as const));

const source = (level: string, type: DatastoreType): string => tenant(`${level}-${type}`, { profile: level, spec: DATASTORES[type] });
const namespaceOf = (level: string, type: DatastoreType): string => `cp-x-${level}-${type}-x-team-${level}-${type}`;
const FILES: Files = {
  'platform/policy.yaml': policy(),
  ...Object.fromEntries(LEVELS.map((level) => [`platform/${level}.yaml`, profile(level, level)])),
  ...Object.fromEntries(CASES.map(([level, type]) => [`tenants/${level}-${type}/tenant.yaml`, source(level, type)])),
};

function objectsFor(level: string, type: DatastoreType): readonly KubeObject[] {
  const [document = {}] = readDocuments(source(level, type), 'tenant.yaml').objects.map(({ object }) => object);
  const { value } = checkConfigOf(document, 'TenantCluster');
  const settings = controlPlaneSettings(value as unknown as KubeObject, { clusterDomain: 'cluster.local', serviceCIDRs: ['10.96.0.0/16'] });
  return controlPlaneObjects({ settings, release: RELEASE, authorities: 'digest', restartedAt: '2026-01-01T00:00:00Z' });
}

function secret(namespace: string, name: string, immutable: boolean): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, immutable, stringData: { value: 'x' } };
}

let host: Host;
let reconciler = '';
beforeAll(async () => {
  host = await startHost({ controllers: true });
  reconciler = host.kubeconfigFor(RECONCILER, ACCOUNT_GROUPS);
  expect(await applyPlan(host, planFiles(FILES))).toBe('');
  // somebody with every right that RBAC gives, whom no policy trusts; a policy takes effect a moment after it was applied
  await must(host, ['create', 'clusterrolebinding', 'intruder', '--clusterrole=cluster-admin', '--user=intruder']);
  await until(async () => {
    const stderr = await beside();
    return stderr.includes(BESIDE) ? [] : [`a refusal: ${stderr}`];
  });
});
afterAll(() => host.stop());

const BESIDE = 'pods beside a control plane could read its keys';

/** What somebody hears who would run pods of his own beside a control plane. */
async function beside(): Promise<string> {
  const container = { name: 'mine', image: 'mine:1' };
  const spec = {
    selector: { matchLabels: { app: 'mine' } },
    template: { metadata: { labels: { app: 'mine' } }, spec: { containers: [container] } },
  };
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'mine', namespace: namespaceOf('restricted', 'etcd') },
    spec,
  };
  const args = ['create', '--dry-run=server', '-f', '-'];
  return (await host.kubectl(args, { input: JSON.stringify(set), as: host.kubeconfigFor('intruder') })).stderr;
}

/** By server-side apply, as strictly as the API server can. */
function send(level: string, type: DatastoreType, as: string): Promise<{ status: number; stderr: string }> {
  const input = objectsFor(level, type)
    .map((object) => emitYaml(object))
    .join('---\n');
  return host.kubectl(['apply', '--server-side', '--validate=strict', '--field-manager=tenantplane-provision', '-f', '-'], { input, as });
}

describe('a real API server, with the rendered boundary around it, lets the reconciler', () => {
  test.each(CASES)('make a control plane at level %s on %s, whose pods Kubernetes makes', async (level, type) => {
    const namespace = namespaceOf(level, type);
    for (const name of [AUTHORITIES_SECRET, TOKEN_SECRET, KUBECONFIG_SECRET]) {
      const input = emitYaml(secret(namespace, name, name !== KUBECONFIG_SECRET));
      expect(await must(host, ['create', '-f', '-'], input, reconciler)).toContain('created');
    }
    // once more: a second apply finds nothing wrong either
    for (const _ of [1, 2]) expect(await send(level, type, reconciler)).toMatchObject({ status: 0, stderr: '' });

    // members of an etcd start together, the others in order, the second when the first is ready
    const expected = type === 'etcd' ? ['control-plane-0', 'control-plane-1', 'control-plane-2'] : ['control-plane-0'];
    await until(async () => {
      const pods = (await list(host, 'pods', namespace)).map(nameOf);
      const refused = (await list(host, 'events', namespace)).flatMap((event) =>
        stringAt(event, 'type') === 'Warning' && /^FailedCreate/.test(stringAt(event, 'reason') ?? '')
          ? [stringAt(event, 'message') ?? '']
          : [],
      );
      return expected.every((name) => pods.includes(name)) ? [] : [`pods of ${namespace}: ${pods.join(' ')} ${refused.join(' ')}`];
    });
    const [pod = {}] = await list(host, 'pods', namespace);
    expect(labelsOf(pod).get('app.kubernetes.io/name')).toBe('tenantplane-control-plane');
    const claims = (await list(host, 'pvc', namespace)).map((claim) => [nameOf(claim), stringAt(claim, 'spec', 'storageClassName')]);
    expect(claims.sort()).toEqual(expected.map((name) => [`data-${name}`, type === 'etcd' ? 'fast' : 'standard']));
  });

  test('keep what the API server fills in: what it serves says all that was sent', async () => {
    for (const object of objectsFor('restricted', 'sqlite')) {
      const live = JSON.parse(
        await must(host, ['get', kindOf(object), nameOf(object), '-n', namespaceOf('restricted', 'sqlite'), '-o', 'json']),
      ) as JsonObject;
      expect(live['spec'] ?? live['data']).toMatchObject((object['spec'] ?? object['data']) as JsonObject);
    }
  });

  test('upgrade and delete it, but nobody can change its claim template, which is told beforehand', async () => {
    const namespace = namespaceOf('baseline', 'sqlite');
    // what it reads it may read everywhere, by the role of its installation
    await must(host, ['create', 'clusterrole', 'reads', '--verb=get', '--resource=statefulsets.apps,services,persistentvolumeclaims']);
    await must(host, ['create', 'clusterrolebinding', 'reads', '--clusterrole=reads', `--user=${RECONCILER}`]);
    const patch = (body: JsonObject): Promise<{ status: number; stderr: string }> =>
      host.kubectl(['patch', 'statefulset', 'control-plane', '-n', namespace, '--type=merge', '-p', JSON.stringify(body)], {
        as: reconciler,
      });
    const image = { spec: { template: { spec: { containers: [{ name: 'k3s', image: 'rancher/k3s:v1.35.8-k3s1' }] } } } };
    expect(await patch(image)).toMatchObject({ status: 0, stderr: '' });

    const live = JSON.parse(await must(host, ['get', 'statefulset', 'control-plane', '-n', namespace, '-o', 'json'])) as JsonObject;
    const desired = objectsFor('baseline', 'sqlite').find((object) => kindOf(object) === 'StatefulSet') ?? {};
    expect(immutableChanges(live, desired)).toEqual([]);
    const grown = structuredClone(desired);
    Object.assign(at(grown, 'spec', 'volumeClaimTemplates', 0, 'spec', 'resources', 'requests') as JsonObject, { storage: '9Gi' });
    expect(immutableChanges(live, grown)).toEqual([{ setting: 'controlPlane.storage.size', live: '1Gi', desired: '9Gi' }]);
    const { stderr } = await patch({ spec: { volumeClaimTemplates: at(grown, 'spec', 'volumeClaimTemplates') } });
    expect(stderr).toMatch(/spec.volumeClaimTemplates.*immutable|updates to statefulset spec for fields other than/);

    for (const what of [
      ['service', 'control-plane-external'],
      ['secret', TOKEN_SECRET],
      ['statefulset', 'control-plane'],
    ])
      await must(host, ['delete', ...what, '-n', namespace, '--wait=false'], '', reconciler);
    // its volume goes with it, by onDelete: Delete; those of servers that there are no more are deleted by hand
    await until(async () => (await list(host, 'pvc', namespace)).map(nameOf));
    await must(host, ['delete', 'pvc', 'data-control-plane-2', '-n', namespaceOf('baseline', 'etcd'), '--wait=false'], '', reconciler);
  });
});

describe('and nothing else', () => {
  const there = namespaceOf('restricted', 'postgres');
  test.each([
    [['get', 'secret', 'another', '-n', there], 'secrets "another" is forbidden'],
    [['get', 'secrets', '-n', there], 'cannot list resource "secrets"'],
    [['get', 'secret', TOKEN_SECRET, '-n', 'team-restricted-postgres'], 'is forbidden'],
    [['get', 'secret', TOKEN_SECRET, '-n', 'kube-system'], 'is forbidden'],
    [['delete', 'secret', 'database', '-n', there], 'cannot delete resource "secrets"'],
    [['patch', 'secret', TOKEN_SECRET, '-n', there, '-p', '{}'], 'cannot patch resource "secrets"'],
    [['delete', 'statefulset', 'another', '-n', there], 'cannot delete resource "statefulsets"'],
    [['delete', 'networkpolicy', 'tenantplane-cp', '-n', there], 'cannot delete resource "networkpolicies"'],
    [['delete', 'role', 'tenantplane-reconciler', '-n', there], 'cannot delete resource "roles"'],
    [['delete', 'pod', 'control-plane-0', '-n', there], 'cannot delete resource "pods"'],
    [['create', 'configmap', 'x', '-n', 'team-restricted-postgres'], 'cannot create resource "configmaps"'],
  ])('%j is refused', async (args, why) => {
    const { status, stderr } = await host.kubectl(args, { as: reconciler });
    expect([status === 0, stderr]).toEqual([false, expect.stringContaining(why)]);
  });

  test('whoever has every right but no trust makes no servers, his own or the tenant’s', async () => {
    expect(await beside()).toContain(BESIDE);
    const { status, stderr } = await send('restricted', 'etcd', host.kubeconfigFor('intruder'));
    expect([status === 0, stderr]).toEqual([
      false,
      expect.stringMatching(/statefulsets.apps "control-plane" is forbidden: ValidatingAdmissionPolicy/),
    ]);
  });
});
