import type { JsonObject } from '../../../src/core/kube/json.ts';
import type { InputObject } from '../../../src/core/plan/plan-types.ts';
import { reportModel } from '../../../src/report/html/model.ts';
import { reportPage } from '../../../src/report/html/page.ts';
import { DEFAULT_CONFIG, render } from '../../support/example.ts';

const API = 'tenantplane.io/v1alpha1';
const KINDS = ['v1 ConfigMap', 'v1 Secret', 'v1 Service', 'apps/v1 Deployment'];

/** Inputs of a fleet: each tenant with the objects that `objectsOf` gives it. */
export function fleet(tenants: readonly string[], objectsOf: (tenant: string) => readonly JsonObject[]): readonly InputObject[] {
  const platform: JsonObject[] = [
    { apiVersion: API, kind: 'IsolationProfile', metadata: { name: 'restricted' }, spec: { level: 'restricted' } },
    {
      apiVersion: API,
      kind: 'SyncPolicy',
      metadata: { name: 'default' },
      spec: {
        resources: KINDS.map((entry) => ({ apiVersion: entry.split(' ')[0] ?? '', kind: entry.split(' ')[1] ?? '', direction: 'toHost' })),
      },
    },
  ];
  const at =
    (path: string) =>
    (object: JsonObject, document: number): InputObject => ({ object, source: { path, document } });
  return [
    ...platform.map(at('platform/platform.yaml')),
    ...tenants.flatMap((tenant) => [
      at(`tenants/${tenant}/tenant.yaml`)(tenantCluster(tenant), 0),
      ...objectsOf(tenant).map(at(`tenants/${tenant}/objects/all.yaml`)),
    ]),
  ];
}

function tenantCluster(name: string): JsonObject {
  return {
    apiVersion: API,
    kind: 'TenantCluster',
    metadata: { name, namespace: `team-${name}` },
    spec: { isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'default' }, resources: { cpu: '4', memory: '8Gi' } },
  };
}

export function pageOf(inputs: readonly InputObject[], title = 'fleet'): string {
  const { plan } = render(inputs, DEFAULT_CONFIG);
  return reportPage(reportModel(title, plan, inputs));
}

export function configMap(name: string, data: JsonObject = { mode: 'fast' }, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ...metadata }, data };
}

export function deployment(name: string, image = 'registry.example.com/app:1.2.3', env: JsonObject[] = []): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default', labels: { app: name } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'app',
              image,
              env,
              envFrom: [{ configMapRef: { name: 'settings' } }],
              ports: [{ containerPort: 8080 }],
              resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
            },
          ],
        },
      },
    },
  };
}
