import { type ControlPlaneSettings, controlPlaneSettings } from '../../../src/core/controlplane/control-plane-settings.ts';
import type { KubernetesRelease } from '../../../src/core/controlplane/kubernetes-versions.ts';
import { controlPlaneObjects } from '../../../src/core/controlplane/objects.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { type KubeObject, kindOf, nameOf } from '../../../src/core/kube/object.ts';
import { checkConfigOf } from '../../../src/schema/check-config.ts';

export const RELEASE: KubernetesRelease = { version: '1.34.2', image: 'registry.example.com/k3s:v1.34.2-k3s1' };

export function tenantCluster(spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'tenantplane.io/v1alpha1',
    kind: 'TenantCluster',
    metadata: { name: 'dev', namespace: 'team-dev', ...metadata },
    spec: { isolationProfileRef: { name: 'restricted' }, syncPolicyRef: { name: 'default' }, ...spec },
  };
}

/** As the reconciler reads them: after the check, which fills in the defaults. */
export function settingsOf(spec: JsonObject = {}, serviceCIDRs: readonly string[] = []): ControlPlaneSettings {
  const { value, problems } = checkConfigOf(tenantCluster(spec), 'TenantCluster');
  if (value === undefined) throw new Error(JSON.stringify(problems));
  return controlPlaneSettings(value as unknown as KubeObject, { clusterDomain: 'host.example', serviceCIDRs });
}

/** Each datastore as a TenantCluster asks for it. */
export const DATASTORES: Readonly<Record<'sqlite' | 'etcd' | 'postgres', JsonObject>> = {
  sqlite: {},
  etcd: { controlPlane: { replicas: 3, datastore: { type: 'etcd' } } },
  postgres: { controlPlane: { replicas: 2, datastore: { type: 'postgres', secretRef: { name: 'database' } } } },
};
export const DATASTORE_TYPES = Object.keys(DATASTORES) as readonly (keyof typeof DATASTORES)[];

export function objectsFor(spec: JsonObject = {}): readonly KubeObject[] {
  return controlPlaneObjects({ settings: settingsOf(spec), release: RELEASE, authorities: 'digest' });
}

export function named(objects: readonly KubeObject[], kind: string, name: string): KubeObject {
  const found = objects.find((object) => kindOf(object) === kind && nameOf(object) === name);
  if (found === undefined)
    throw new Error(`no ${kind} ${name} among ${objects.map((object) => `${kindOf(object)}/${nameOf(object)}`).join(' ')}`);
  return found;
}
