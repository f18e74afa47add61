import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Cluster } from '../../bed/cluster.ts';
import { ok, ROOT } from '../workspace.ts';
import { kubectl, list } from './host.ts';

/** Tenants of examples/fleet that a fleet here has: all of them, or the first. */
export const TENANTS: number = { release: 50, landing: 10 }[inject('scope')];

/** Those tenants, and one whose ConfigMap both sides may change and whose claim holds data. */
export function fleetPackage(folder: string, example = 'examples/fleet'): string {
  const rendered = /\/(host|README\.md)(\/|$)/;
  const source = join(ROOT, example);
  cpSync(source, folder, { recursive: true, filter: (file) => !rendered.test(file.slice(source.length)) });
  for (const name of readdirSync(join(folder, 'tenants')).sort().slice(TENANTS)) rmSync(join(folder, 'tenants', name), { recursive: true });
  for (const [path, text] of Object.entries(SHARED)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export function render(root: string, ...more: string[]): void {
  ok('tenantplane', ['render', root, '--quiet', '--fail-on', 'rejected', ...more]);
}

/** Names on the host of what the shared tenant's tests change. */
export const FLAGS = ['configmap/flags-x-default-x-shared', '-n', 'shared-dev'] as const;
export const CLAIM = ['persistentvolumeclaim/data-x-default-x-shared', '-n', 'shared-dev'] as const;
export const WEB = ['deployment/web-x-default-x-shared', '-n', 'shared-dev'] as const;

const SHARED: Readonly<Record<string, string>> = {
  'platform/shared.yaml': `apiVersion: tenantplane.io/v1alpha1
kind: SyncPolicy
metadata: { name: shared }
spec:
  conflictPolicy: host-wins
  resources:
    - { apiVersion: v1, kind: ConfigMap, direction: bidirectional }
    - { apiVersion: v1, kind: PersistentVolumeClaim, direction: toHost }
    - { apiVersion: apps/v1, kind: Deployment, direction: toHost }
`,
  'tenants/shared/tenant.yaml': `apiVersion: tenantplane.io/v1alpha1
kind: TenantCluster
metadata: { name: shared, namespace: shared-dev }
spec:
  isolationProfileRef: { name: open }
  syncPolicyRef: { name: shared }
`,
  'tenants/shared/objects/flags.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: flags }
data: { beta: "off" }
`,
  'tenants/shared/objects/data.yaml': `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`,
  'tenants/shared/objects/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
          command: [sh, -c, 'echo "\${HOME}"; sleep 1d']
          volumeMounts: [{ name: data, mountPath: /data }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`,
};

/** What a host has that a bare API server has not: CRDs, the profiles' runtime class, a volume for the claim. */
export async function prepareHost(cluster: Cluster): Promise<void> {
  const crds = ['-f', join(ROOT, 'deploy/crds')];
  await kubectl(cluster, ['apply', '--server-side', ...crds]);
  await kubectl(cluster, ['wait', '--for=condition=Established', ...crds]);
  await kubectl(cluster, ['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [RUNTIME, VOLUME] }));
}

const RUNTIME = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'kata-clh' }, handler: 'kata-clh' };
const VOLUME = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'disk' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
};

/** What an ingress controller would write: there is none in the bed. */
export async function giveIngressesAddresses(cluster: Cluster): Promise<void> {
  const patch = JSON.stringify({ status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } });
  const items = await list(cluster, ['ingress', '-A']);
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await kubectl(cluster, ['patch', '-f', '-', '--subresource=status', '-p', patch], input);
}
