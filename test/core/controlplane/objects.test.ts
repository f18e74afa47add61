import { describe, expect, test } from 'vitest';
import { controlPlaneObjects } from '../../../src/core/controlplane/objects.ts';
import { at, type JsonObject, objectAt, objectsOf, stringAt } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../../../src/core/kube/object.ts';
import { DATASTORE_TYPES, DATASTORES, named, objectsFor, RELEASE, settingsOf } from './tenant-clusters.ts';

const set = (spec: JsonObject = {}): KubeObject => named(objectsFor(spec), 'StatefulSet', 'control-plane');
const pod = (spec: JsonObject = {}): JsonObject => objectAt(set(spec), 'spec', 'template', 'spec') ?? {};
const containers = (spec: JsonObject = {}): JsonObject[] => [
  ...objectsOf(pod(spec)['initContainers']),
  ...objectsOf(pod(spec)['containers']),
];
const k3s = (spec: JsonObject = {}): JsonObject => objectsOf(pod(spec)['containers'])[0] ?? {};
const args = (spec: JsonObject = {}): string[] => (k3s(spec)['args'] as string[] | undefined) ?? [];
const values = (flag: string, spec: JsonObject = {}): string[] =>
  args(spec).flatMap((argument) => (argument.startsWith(`${flag}=`) ? argument.slice(flag.length + 1) : []));
const listed = (spec: JsonObject = {}): string[] => objectsFor(spec).map((object) => `${kindOf(object)}/${nameOf(object)}`);

describe('the objects of a control plane', () => {
  test.each([
    ['sqlite', ['Service/dev-control-plane', 'ConfigMap/control-plane-config', 'StatefulSet/control-plane']],
    [
      'etcd',
      [
        'Service/dev-control-plane',
        'Service/control-plane-0',
        'Service/control-plane-1',
        'Service/control-plane-2',
        'ConfigMap/control-plane-config',
        'StatefulSet/control-plane',
      ],
    ],
    ['postgres', ['Service/dev-control-plane', 'ConfigMap/control-plane-config', 'StatefulSet/control-plane']],
  ] as const)('on %s come Services first and the servers last', (type, objects) => {
    expect(listed(DATASTORES[type])).toEqual(objects);
  });

  test.each(DATASTORE_TYPES)('on %s all say whose they are, that no file brings them, and stand in its namespace', (type) => {
    for (const object of objectsFor(DATASTORES[type])) {
      expect(object['metadata']).toMatchObject({
        namespace: 'cp-x-dev-x-team-dev',
        labels: { 'app.kubernetes.io/managed-by': 'tenantplane', 'tenantplane.io/tenant': 'dev', 'tenantplane.io/role': 'control-plane' },
        annotations: { 'tenantplane.io/tenant-cluster': 'team-dev/dev', 'tenantplane.io/origin': 'api' },
      });
    }
  });

  test('are the same for the same input', () => {
    for (const type of DATASTORE_TYPES)
      expect(JSON.stringify(objectsFor(DATASTORES[type]))).toBe(JSON.stringify(objectsFor(DATASTORES[type])));
  });

  test('share nothing with each other or with the next call', () => {
    const freeze = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || Object.isFrozen(value)) throw new Error('shared');
      Object.freeze(value);
      for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) freeze(item);
    };
    for (const type of DATASTORE_TYPES)
      for (const object of [...objectsFor(DATASTORES[type]), ...objectsFor(DATASTORES[type])]) freeze(object);
  });

  test('have a load balancer where one is asked for, with the user’s annotations but not in our name', () => {
    const annotations = { 'example.com/internal': 'true', 'tenantplane.io/tenant-cluster': 'other/one' };
    const service = named(
      objectsFor({ controlPlane: { expose: { loadBalancer: true, annotations } } }),
      'Service',
      'control-plane-external',
    );
    expect(at(service, 'spec', 'type')).toBe('LoadBalancer');
    expect(at(service, 'metadata', 'annotations')).toEqual({
      'example.com/internal': 'true',
      'tenantplane.io/tenant-cluster': 'team-dev/dev',
      'tenantplane.io/origin': 'api',
    });
    expect(listed()).not.toContain('Service/control-plane-external');
  });

  test('tell etcd members that there is a cluster, once it has answered', () => {
    const told = (spec: JsonObject, begun: boolean): unknown => {
      const objects = controlPlaneObjects({ settings: settingsOf(spec), release: RELEASE, authorities: 'digest', begun });
      return at(named(objects, 'ConfigMap', 'control-plane-config'), 'data', 'etcd-was-begun');
    };
    expect([told(DATASTORES.etcd, false), told(DATASTORES.etcd, true), told(DATASTORES.sqlite, true)]).toEqual([
      undefined,
      'true',
      undefined,
    ]);
  });

  test('give each etcd member an address of its own, before it is ready', () => {
    expect(at(named(objectsFor(DATASTORES.etcd), 'Service', 'control-plane-1'), 'spec')).toMatchObject({
      type: 'ClusterIP',
      publishNotReadyAddresses: true,
      selector: { 'app.kubernetes.io/name': 'tenantplane-control-plane', 'statefulset.kubernetes.io/pod-name': 'control-plane-1' },
      ports: [{ port: 2379 }, { port: 2380 }],
    });
  });
});

describe('the StatefulSet', () => {
  test('says its mode, version and datastore, and why its pods are as they are', () => {
    const input = { settings: settingsOf({ mode: 'dedicated' }), release: RELEASE, authorities: 'abc' };
    const annotations = (restartedAt?: string): unknown[] => {
      const made = named(
        controlPlaneObjects({ ...input, ...(restartedAt !== undefined && { restartedAt }) }),
        'StatefulSet',
        'control-plane',
      );
      return [at(made, 'metadata', 'annotations'), at(made, 'spec', 'template', 'metadata', 'annotations')];
    };
    expect(annotations()).toMatchObject([
      { 'tenantplane.io/mode': 'dedicated', 'tenantplane.io/kubernetes-version': '1.34.2', 'tenantplane.io/datastore': 'sqlite' },
      { 'tenantplane.io/authorities': 'abc' },
    ]);
    expect(annotations()[1]).not.toHaveProperty('tenantplane.io/restarted-at');
    expect(annotations('2026-01-02T03:04:05Z')[1]).toMatchObject({ 'tenantplane.io/restarted-at': '2026-01-02T03:04:05Z' });
  });

  test('is the same for shared and dedicated but for what it says: pods, volume and keys are kept', () => {
    expect(set({ mode: 'dedicated' })['spec']).toEqual(set()['spec']);
  });

  test.each([
    ['sqlite', 'Parallel', undefined],
    ['etcd', 'Parallel', 10],
    ['postgres', 'OrderedReady', undefined],
  ] as const)('on %s starts pods %s', (type, policy, ready) => {
    expect(at(set(DATASTORES[type]), 'spec', 'podManagementPolicy')).toBe(policy);
    expect(at(set(DATASTORES[type]), 'spec', 'minReadySeconds')).toBe(ready);
  });

  test.each(['Delete', 'Retain'])(
    'keeps or drops its volumes as the TenantCluster says (%s), and keeps them where it is made smaller',
    (onDelete) => {
      expect(at(set({ controlPlane: { storage: { onDelete } } }), 'spec', 'persistentVolumeClaimRetentionPolicy')).toEqual({
        whenDeleted: onDelete,
        whenScaled: 'Retain',
      });
    },
  );

  test('asks for a volume of the class and size that were said', () => {
    const claim = (spec: JsonObject): unknown => at(set(spec), 'spec', 'volumeClaimTemplates', 0, 'spec');
    expect(claim({})).toEqual({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } });
    expect(claim({ controlPlane: { storage: { className: 'fast', size: '5Gi' } } })).toMatchObject({
      storageClassName: 'fast',
      resources: { requests: { storage: '5Gi' } },
    });
  });
});

describe('its pod', () => {
  test.each(DATASTORE_TYPES)('on %s runs unprivileged in every container, and holds no credential of the host', (type) => {
    const spec = DATASTORES[type];
    expect(pod(spec)).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, fsGroup: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(containers(spec).map(({ name }) => name)).toEqual(type === 'etcd' ? ['authorities', 'member', 'k3s'] : ['authorities', 'k3s']);
    for (const container of containers(spec)) {
      expect(container['securityContext']).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container['image']).toBe(RELEASE.image);
      expect(container['resources']).toEqual({ requests: { cpu: '100m', memory: '512Mi' }, limits: { cpu: '1', memory: '2Gi' } });
    }
  });

  test('sees Services in its environment only where an etcd member needs its address', () => {
    expect(DATASTORE_TYPES.map((type) => pod(DATASTORES[type])['enableServiceLinks'])).toEqual([false, true, false]);
  });

  test('is kept from others of its kind where there are several', () => {
    expect(pod()['affinity']).toBeUndefined();
    const terms = objectsOf(at(pod(DATASTORES.etcd), 'affinity', 'podAntiAffinity', 'preferredDuringSchedulingIgnoredDuringExecution'));
    expect(terms.map((term) => stringAt(term, 'podAffinityTerm', 'topologyKey'))).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
  });

  test('mounts each volume that it has, and has each that it mounts', () => {
    for (const type of DATASTORE_TYPES) {
      const mounted = containers(DATASTORES[type]).flatMap(({ volumeMounts }) => objectsOf(volumeMounts).map(({ name }) => String(name)));
      const there = objectsOf(pod(DATASTORES[type])['volumes']).map(({ name }) => String(name));
      expect([...new Set(mounted)].sort()).toEqual(['data', ...there].sort());
    }
  });

  test('is asked whether it lives over /ping, and whether it is ready with credentials of its own', () => {
    const ping = { httpGet: { scheme: 'HTTPS', path: '/ping', port: 6443 } };
    expect(k3s()).toMatchObject({
      startupProbe: ping,
      livenessProbe: ping,
      readinessProbe: { exec: { command: ['k3s', 'kubectl', 'get', '--raw', '/readyz'] } },
    });
    expect(k3s()['env']).toContainEqual({ name: 'KUBECONFIG', value: '/data/k3s.yaml' });
    expect(values('--write-kubeconfig')).toEqual(['/data/k3s.yaml']);
  });

  test('has the database’s URL from its Secret, and quotes no log that could hold it', () => {
    expect(k3s(DATASTORES.postgres)['env']).toContainEqual({
      name: 'K3S_DATASTORE_ENDPOINT',
      valueFrom: { secretKeyRef: { name: 'database', key: 'endpoint' } },
    });
    expect(k3s(DATASTORES.postgres)['terminationMessagePolicy']).toBe('File');
    expect(k3s()['terminationMessagePolicy']).toBe('FallbackToLogsOnError');
    expect(JSON.stringify(k3s()['env'])).not.toContain('K3S_DATASTORE_ENDPOINT');
  });
});

describe('arguments of k3s', () => {
  test.each(DATASTORE_TYPES)('on %s leave out what needs nodes or root, and encrypt from the first start', (type) => {
    expect(args(DATASTORES[type])).toEqual(
      expect.arrayContaining([
        'server',
        '--disable-agent',
        '--disable-scheduler',
        '--disable-cloud-controller',
        '--disable-helm-controller',
        '--disable-kube-proxy',
        '--disable-network-policy',
        '--flannel-backend=none',
        '--egress-selector-mode=disabled',
        '--secrets-encryption',
        '--disable=coredns,servicelb,traefik,local-storage,metrics-server',
        '--token-file=/etc/tenantplane/token/token',
        '--advertise-address=$(POD_IP)',
      ]),
    );
    // in arguments they would be for everybody to read
    expect(args(DATASTORES[type]).filter((argument) => /^--(token|agent-token|datastore-[a-z]+)=/.test(argument))).toEqual([]);
  });

  test('cover every name under which the API is called', () => {
    const controlPlane = { replicas: 3, datastore: { type: 'etcd' }, extraTLSSANs: ['dev.example.com', '203.0.113.7'] };
    expect(values('--tls-san', { controlPlane })).toEqual([
      '$(POD_IP)',
      'dev-control-plane',
      'dev-control-plane.cp-x-dev-x-team-dev',
      'dev-control-plane.cp-x-dev-x-team-dev.svc',
      'dev-control-plane.cp-x-dev-x-team-dev.svc.host.example',
      'control-plane-0.dev-control-plane.cp-x-dev-x-team-dev.svc.host.example',
      'control-plane-1.dev-control-plane.cp-x-dev-x-team-dev.svc.host.example',
      'control-plane-2.dev-control-plane.cp-x-dev-x-team-dev.svc.host.example',
      'dev.example.com',
      '203.0.113.7',
    ]);
  });

  test('say ranges where they are known', () => {
    const networking = { podCIDR: '10.1.0.0/16', serviceCIDR: '10.2.0.0/16' };
    expect([...values('--service-cidr', { networking }), ...values('--cluster-cidr', { networking })]).toEqual([
      '10.2.0.0/16',
      '10.1.0.0/16',
    ]);
    expect([...values('--service-cidr'), ...values('--cluster-cidr')]).toEqual([]);
  });

  test('an etcd member is told its address by its init container, others know it as the pod’s', () => {
    expect(values('--config', DATASTORES.etcd)).toEqual(['/etc/rancher/member.yaml']);
    expect(values('--node-ip', DATASTORES.etcd)).toEqual([]);
    expect(values('--node-ip')).toEqual(['$(POD_IP)']);
    expect(values('--node-ip', DATASTORES.postgres)).toEqual(['$(POD_IP)']);
  });
});
