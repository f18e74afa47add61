// STUB

import { controlPlaneNamespace } from '../isolation/control-plane-namespace.ts';
import { at, type JsonObject, objectAt, stringAt } from '../kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../kube/object.ts';
export interface ControlPlaneSettings {
  readonly tenant: { readonly name: string; readonly namespace: string };
  readonly namespace: string;
  readonly mode: 'shared' | 'dedicated';
  readonly replicas: number;
  readonly datastore:
    | { readonly type: 'sqlite' | 'etcd' }
    | { readonly type: 'postgres'; readonly secret: { readonly name: string; readonly key: string } };
  readonly storage: { readonly className?: string; readonly size: string; readonly onDelete: 'Delete' | 'Retain' };
  readonly expose: { readonly loadBalancer: boolean; readonly annotations: Readonly<Record<string, string>> };
  readonly extraTLSSANs: readonly string[];
  readonly resources: JsonObject;
  readonly serviceCIDR?: string;
  readonly podCIDR?: string;
  readonly clusterDomain: string;
}
export function controlPlaneSettings(
  tc: KubeObject,
  host: { clusterDomain: string; serviceCIDRs: readonly string[] },
): ControlPlaneSettings {
  const spec = objectAt(tc, 'spec') ?? {};
  const type = stringAt(spec, 'controlPlane', 'datastore', 'type') ?? 'sqlite';
  return {
    tenant: { name: nameOf(tc), namespace: namespaceOf(tc) ?? '' },
    namespace: controlPlaneNamespace(nameOf(tc), namespaceOf(tc) ?? ''),
    mode: (stringAt(spec, 'mode') ?? 'shared') as 'shared',
    replicas: Number(at(spec, 'controlPlane', 'replicas') ?? 1),
    datastore:
      type === 'postgres'
        ? { type, secret: { name: stringAt(spec, 'controlPlane', 'datastore', 'secretRef', 'name') ?? '', key: 'endpoint' } }
        : { type: type as 'sqlite' },
    storage: { size: stringAt(spec, 'controlPlane', 'storage', 'size') ?? '1Gi', onDelete: 'Delete' },
    expose: { loadBalancer: at(spec, 'controlPlane', 'expose', 'loadBalancer') === true, annotations: {} },
    extraTLSSANs: [],
    resources: objectAt(spec, 'controlPlane', 'resources') ?? {},
    clusterDomain: host.clusterDomain,
  };
}
