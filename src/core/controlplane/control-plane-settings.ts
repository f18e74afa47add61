import { controlPlaneNamespace } from '../isolation/control-plane-namespace.ts';
import { asString, at, clone, type Json, type JsonObject, objectAt, stringAt } from '../kube/json.ts';
import { type KubeObject, nameOf, namespaceOf, stringMap } from '../kube/object.ts';

export type Datastore =
  | { readonly type: 'sqlite' | 'etcd' }
  /** the Secret is in the control plane's namespace */
  | { readonly type: 'postgres'; readonly secret: { readonly name: string; readonly key: string } };

/** What a tenant's control plane is made of, with every default filled in. */
export interface ControlPlaneSettings {
  readonly tenant: { readonly name: string; readonly namespace: string };
  /** the control plane's own */
  readonly namespace: string;
  readonly mode: 'shared' | 'dedicated';
  readonly replicas: number;
  readonly datastore: Datastore;
  readonly storage: { readonly className?: string; readonly size: string; readonly onDelete: 'Delete' | 'Retain' };
  readonly expose: { readonly loadBalancer: boolean; readonly annotations: Readonly<Record<string, string>> };
  readonly extraTLSSANs: readonly string[];
  /** requests and limits */
  readonly resources: JsonObject;
  readonly serviceCIDR?: string;
  readonly podCIDR?: string;
  /** the host's */
  readonly clusterDomain: string;
}

interface ControlPlaneHost {
  readonly clusterDomain: string;
  readonly serviceCIDRs: readonly string[];
}

/**
 * Reads a TenantCluster that `checkConfig` has passed. Where it names no service range, its API server is told the host's: then the
 * addresses of projected Services are legal in it too.
 */
export function controlPlaneSettings(tenantCluster: KubeObject, host: ControlPlaneHost): ControlPlaneSettings {
  const tenant = { name: nameOf(tenantCluster), namespace: namespaceOf(tenantCluster) ?? '' };
  const spec = objectAt(tenantCluster, 'spec') ?? {};
  const controlPlane = objectAt(spec, 'controlPlane') ?? {};
  const className = text(at(controlPlane, 'storage', 'className'));
  const serviceCIDR = text(at(spec, 'networking', 'serviceCIDR')) ?? text(host.serviceCIDRs.join(','));
  const podCIDR = text(at(spec, 'networking', 'podCIDR'));
  return {
    tenant,
    namespace: controlPlaneNamespace(tenant.name, tenant.namespace),
    mode: stringAt(spec, 'mode') === 'dedicated' ? 'dedicated' : 'shared',
    replicas: Number(at(controlPlane, 'replicas') ?? 1),
    datastore: datastore(objectAt(controlPlane, 'datastore') ?? {}),
    storage: {
      ...(className !== undefined && { className }),
      size: quantity(at(controlPlane, 'storage', 'size')) ?? '1Gi',
      onDelete: stringAt(controlPlane, 'storage', 'onDelete') === 'Retain' ? 'Retain' : 'Delete',
    },
    expose: {
      loadBalancer: at(controlPlane, 'expose', 'loadBalancer') === true,
      annotations: Object.fromEntries(stringMap(objectAt(controlPlane, 'expose', 'annotations'))),
    },
    extraTLSSANs: list(at(controlPlane, 'extraTLSSANs')),
    resources: clone(objectAt(controlPlane, 'resources') ?? {}),
    ...(serviceCIDR !== undefined && { serviceCIDR }),
    ...(podCIDR !== undefined && { podCIDR }),
    clusterDomain: host.clusterDomain,
  };
}

function datastore(given: JsonObject): Datastore {
  const type = stringAt(given, 'type');
  if (type !== 'postgres') return { type: type === 'etcd' ? 'etcd' : 'sqlite' };
  return { type, secret: { name: stringAt(given, 'secretRef', 'name') ?? '', key: stringAt(given, 'secretRef', 'key') ?? 'endpoint' } };
}

/** What is written empty is not set. */
function text(value: Json | undefined): string | undefined {
  return asString(value) || undefined;
}

/** An API server keeps a quantity as it was written, and it may have been a number. */
function quantity(value: Json | undefined): string | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : text(value);
}

function list(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.flatMap((item) => asString(item) ?? []) : [];
}
