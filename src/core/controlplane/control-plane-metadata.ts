import { KEY, labelValue, MANAGED_BY } from '../identity/metadata.ts';
import { CONTROL_PLANE_POD } from '../isolation/peers.ts';
import type { JsonObject } from '../kube/json.ts';
import type { ControlPlaneSettings } from './control-plane-settings.ts';

/** Whose an object in the control plane's namespace is: as everything of ours, but that no file in Git brings it. */
export function controlPlaneMetadata({ tenant, namespace }: ControlPlaneSettings, name: string, annotations: JsonObject = {}): JsonObject {
  return {
    name,
    namespace,
    labels: identityLabels(tenant.name),
    annotations: { ...annotations, [KEY.tenantCluster]: `${tenant.namespace}/${tenant.name}`, [KEY.origin]: 'api' },
  };
}

/** Labels of its pods: by the first one policies and Services find them, in this namespace alone. */
export function podLabels(settings: ControlPlaneSettings): JsonObject {
  return { ...CONTROL_PLANE_POD, ...identityLabels(settings.tenant.name) };
}

export function identityLabels(tenant: string): JsonObject {
  return { [KEY.managedBy]: MANAGED_BY, [KEY.tenant]: labelValue(tenant), [KEY.role]: 'control-plane' };
}
