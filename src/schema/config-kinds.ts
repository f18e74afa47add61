/** The kinds of tenantplane's own: their schemas in one table, and the types that follow from them. */
import { RENDER_ISOLATION, RENDER_SYNC, RENDER_TENANT, VALIDATE_TENANT } from './function-config.ts';
import { HOST_FACTS } from './host-facts.ts';
import { ISOLATION_PROFILE } from './isolation-profile.ts';
import type { JsonObject } from './json.ts';
import type { FieldsSchema, Infer } from './schema-language.ts';
import { PLATFORM_STATUS, TENANT_CLUSTER_STATUS } from './status.ts';
import { SYNC_DECISION } from './sync-decision.ts';
import { SYNC_POLICY } from './sync-policy.ts';
import { TENANT_CLUSTER } from './tenant-cluster.ts';

export const GROUP = 'tenantplane.io';
export const FUNCTION_GROUP = 'fn.tenantplane.io';
export const VERSION = 'v1alpha1';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  /** above 0, only with `kubectl get -o wide` */
  readonly priority?: number;
}

export interface ConfigSchema {
  readonly kind: ConfigKind;
  readonly group: string;
  readonly description: string;
  readonly spec?: FieldsSchema;
  readonly status?: FieldsSchema;
}

/** A kind that the API server serves. */
export interface ResourceSchema extends ConfigSchema {
  readonly kind: ResourceKind;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly printerColumns: readonly PrinterColumn[];
}

export type ResourceKind = 'TenantCluster' | 'IsolationProfile' | 'SyncPolicy' | 'SyncDecision';
export type FunctionKind = 'RenderTenant' | 'RenderSync' | 'RenderIsolation' | 'ValidateTenant';
export type ConfigKind = ResourceKind | FunctionKind | 'HostFacts';

export const RESOURCE_SCHEMAS: Readonly<Record<ResourceKind, ResourceSchema>> = {
  TenantCluster: { group: GROUP, ...TENANT_CLUSTER, status: TENANT_CLUSTER_STATUS },
  IsolationProfile: { group: GROUP, ...ISOLATION_PROFILE, status: PLATFORM_STATUS },
  SyncPolicy: { group: GROUP, ...SYNC_POLICY, status: PLATFORM_STATUS },
  SyncDecision: { group: GROUP, ...SYNC_DECISION },
};

export const FUNCTION_SCHEMAS: Readonly<Record<FunctionKind, ConfigSchema>> = {
  RenderTenant: { group: FUNCTION_GROUP, ...RENDER_TENANT },
  RenderSync: { group: FUNCTION_GROUP, ...RENDER_SYNC },
  RenderIsolation: { group: FUNCTION_GROUP, ...RENDER_ISOLATION },
  ValidateTenant: { group: FUNCTION_GROUP, ...VALIDATE_TENANT },
};

export const CONFIG_SCHEMAS: Readonly<Record<ConfigKind, ConfigSchema>> = {
  ...RESOURCE_SCHEMAS,
  ...FUNCTION_SCHEMAS,
  HostFacts: { group: FUNCTION_GROUP, ...HOST_FACTS },
};

export interface ConfigMetadata extends JsonObject {
  name: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

interface Resource<K extends ResourceKind> {
  readonly apiVersion: `${typeof GROUP}/${typeof VERSION}`;
  readonly kind: K;
  readonly metadata: ConfigMetadata;
}

/** A config of a function need not have a name. */
interface FunctionConfig<K extends FunctionKind | 'HostFacts', S> {
  readonly apiVersion: `${typeof FUNCTION_GROUP}/${typeof VERSION}`;
  readonly kind: K;
  readonly metadata?: Partial<ConfigMetadata>;
  readonly spec: Infer<S>;
}

export interface TenantCluster extends Resource<'TenantCluster'> {
  readonly spec: Infer<typeof TENANT_CLUSTER.spec>;
  readonly status?: Infer<typeof TENANT_CLUSTER_STATUS>;
}
export interface IsolationProfile extends Resource<'IsolationProfile'> {
  readonly spec: Infer<typeof ISOLATION_PROFILE.spec>;
  readonly status?: Infer<typeof PLATFORM_STATUS>;
}
export interface SyncPolicy extends Resource<'SyncPolicy'> {
  readonly spec: Infer<typeof SYNC_POLICY.spec>;
  readonly status?: Infer<typeof PLATFORM_STATUS>;
}
export interface SyncDecision extends Resource<'SyncDecision'> {
  readonly status?: Infer<typeof SYNC_DECISION.status>;
}
export type RenderTenantConfig = FunctionConfig<'RenderTenant', typeof RENDER_TENANT.spec>;
export type RenderSyncConfig = FunctionConfig<'RenderSync', typeof RENDER_SYNC.spec>;
export type RenderIsolationConfig = FunctionConfig<'RenderIsolation', typeof RENDER_ISOLATION.spec>;
export type HostFactsConfig = FunctionConfig<'HostFacts', typeof HOST_FACTS.spec>;
export type ValidateTenantConfig = FunctionConfig<'ValidateTenant', typeof VALIDATE_TENANT.spec>;

export interface ConfigTypes {
  TenantCluster: TenantCluster;
  IsolationProfile: IsolationProfile;
  SyncPolicy: SyncPolicy;
  SyncDecision: SyncDecision;
  RenderTenant: RenderTenantConfig;
  RenderSync: RenderSyncConfig;
  RenderIsolation: RenderIsolationConfig;
  ValidateTenant: ValidateTenantConfig;
  HostFacts: HostFactsConfig;
}
export type AnyConfig = ConfigTypes[ConfigKind];

export function isConfigKind(kind: string): kind is ConfigKind {
  return Object.hasOwn(CONFIG_SCHEMAS, kind);
}
