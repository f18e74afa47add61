// STUB
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import type { ControlPlaneSettings } from './control-plane-settings.ts';
import type { KubernetesRelease } from './kubernetes-versions.ts';
export interface ControlPlaneInput {
  readonly settings: ControlPlaneSettings;
  readonly release: KubernetesRelease;
  readonly authorities: string;
  readonly restartedAt?: string;
}
export function controlPlaneObjects({ settings, release, restartedAt, authorities }: ControlPlaneInput): readonly KubeObject[] {
  const metadata = (name: string, more: JsonObject = {}): JsonObject => ({
    name,
    namespace: settings.namespace,
    labels: { 'app.kubernetes.io/managed-by': 'tenantplane' },
    annotations: { 'tenantplane.io/tenant-cluster': `${settings.tenant.namespace}/${settings.tenant.name}`, ...more },
  });
  return [
    { apiVersion: 'v1', kind: 'Service', metadata: metadata('svc'), spec: {} },
    ...(settings.expose.loadBalancer
      ? [{ apiVersion: 'v1', kind: 'Service', metadata: metadata('control-plane-external'), spec: {} }]
      : []),
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: metadata('control-plane', { 'tenantplane.io/mode': settings.mode, 'tenantplane.io/kubernetes-version': release.version }),
      spec: {
        replicas: settings.replicas,
        template: {
          metadata: { annotations: { a: authorities, ...(restartedAt !== undefined && { 'tenantplane.io/restarted-at': restartedAt }) } },
          spec: { containers: [{ name: 'k3s', image: release.image, resources: settings.resources }] },
        },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests: { storage: settings.storage.size } } } }],
      },
    },
  ];
}
