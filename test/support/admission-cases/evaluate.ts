import { compileAdmission, compileSharedAdmission } from '../../../src/core/isolation/admission/compile.ts';
import { nodePoolAnnotations } from '../../../src/core/isolation/admission/node-pool.ts';
import type { PolicyObject } from '../../../src/core/isolation/admission/policy-object.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { kindRow } from '../../../src/core/kube/kinds.ts';
import { apiVersionOf, type KubeObject, kindKey, kindOf } from '../../../src/core/kube/object.ts';
import { resolveProfile } from '../../../src/core/plan/resolve-settings.ts';
import type { ProfileSettings, TenantSettings } from '../../../src/core/plan/settings.ts';
import { readDocuments } from '../../../src/krm/yaml/read.ts';
import { checkConfig } from '../../../src/schema/check-config.ts';
import type { AdmissionRequest } from '../admission-policy.ts';
import { profile } from '../observe.ts';
import { type AdmissionCase, OTHER_POOL, POOL, POOLED, PROFILES, type ProfileName, REQUESTERS, TENANT } from './case.ts';
import { DEFAULT_ADMISSION } from './default-options.ts';

export function profileText(name: ProfileName): string {
  const [level = '', ...more] = PROFILES[name].split('\n');
  return profile(name, level.replace('level: ', ''), more.map((line) => `  ${line}\n`).join(''));
}

export function profileSettings(name: ProfileName): ProfileSettings {
  const [document] = readDocuments(profileText(name), 'profile.yaml').objects;
  const checked: unknown = document === undefined ? undefined : checkConfig(document.object).value;
  if (!isJson(checked)) throw new Error(`profile ${name} is not valid`);
  return resolveProfile(checked);
}

function isJson(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

export const PROFILE_NAMES: readonly ProfileName[] = ['baseline', 'restricted', 'sandboxed', 'edge', 'apart', 'pooled'];

/** Every policy of the cases' fleet. */
export const POLICIES: readonly PolicyObject[] = [
  ...PROFILE_NAMES.flatMap((name) => compileAdmission(profileSettings(name), DEFAULT_ADMISSION)),
  ...compileSharedAdmission(DEFAULT_ADMISSION),
];

/** The namespace of the tenant with that profile. Names of Services of `restricted` stand in the cases. */
export function namespaceName(name: ProfileName): string {
  return name === 'restricted' ? 'team-dev' : `team-${name}`;
}

export function namespaceOf(where: AdmissionCase['where'], name: ProfileName): KubeObject {
  const own = namespaceName(name);
  const labels = { 'tenantplane.io/tenant': TENANT, 'tenantplane.io/tenant-namespace': own, 'tenantplane.io/isolation-profile': name };
  if (where === 'control-plane') return namespace(`cp-x-${TENANT}-x-${own}`, { ...labels, 'tenantplane.io/role': 'control-plane' });
  if (where === 'elsewhere') {
    const prod = { 'tenantplane.io/tenant': 'prod', 'tenantplane.io/tenant-namespace': 'team-prod', 'tenantplane.io/role': 'workload' };
    return namespace('team-prod', { ...labels, ...prod }, { ...POOLED, tolerations: [{ ...POOL }, ...OTHER_POOL] });
  }
  // one stands as it was rendered before namespaces said which pool they have
  const workload = { ...labels, 'tenantplane.io/role': 'workload' };
  return name === 'restricted' ? namespace(own, workload) : namespace(own, workload, NODE_POOLS[name]);
}

type NodePool = NonNullable<TenantSettings['nodePool']>;
const NO_POOL: NodePool = { nodeSelector: {}, tolerations: [] };
const NODE_POOLS: Readonly<Record<Exclude<ProfileName, 'restricted'>, NodePool>> = {
  baseline: NO_POOL,
  sandboxed: NO_POOL,
  edge: { nodeSelector: {}, tolerations: [{ ...POOL }] },
  apart: NO_POOL,
  pooled: POOLED,
};

/** With the annotations that the render writes; without a pool, as it wrote them before namespaces said which one they have. */
function namespace(name: string, labels: JsonObject, nodePool?: NodePool): KubeObject {
  const pool = nodePool === undefined ? {} : nodePoolAnnotations({ mode: 'dedicated', nodePool });
  const annotations = { 'tenantplane.io/tenant-cluster': name, ...pool };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } };
}

/** What the kinds table does not hold: kinds that nobody projects. */
const PLURALS: Readonly<Record<string, string>> = {
  Namespace: 'namespaces',
  ServiceAccount: 'serviceaccounts',
  ResourceQuota: 'resourcequotas',
  LimitRange: 'limitranges',
  Scale: 'deployments',
  Eviction: 'pods',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  ClusterRole: 'clusterroles',
  PersistentVolume: 'persistentvolumes',
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
};
const SENT_TO: Readonly<Record<string, string>> = { Scale: 'apps/v1', Eviction: 'v1' };
const CLUSTER: ReadonlySet<string> = new Set([
  'Namespace',
  'ClusterRole',
  'PersistentVolume',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
]);

export interface Target {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Where an object is sent. A Scale goes to the Deployment that it scales, an Eviction to its pod. */
export function targetOf(object: KubeObject): Target {
  const kind = kindOf(object);
  const apiVersion = SENT_TO[kind] ?? apiVersionOf(object);
  const slash = apiVersion.indexOf('/');
  const plural = kindRow(kindKey(apiVersion, kind))?.plural ?? PLURALS[kind];
  if (plural === undefined || plural === '') throw new Error(`where is ${kind} sent?`);
  return {
    group: slash < 0 ? '' : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    plural,
    namespaced: !CLUSTER.has(kind),
  };
}

/** The case as admission sees it. */
export function requestOf(row: AdmissionCase): AdmissionRequest {
  const { group, plural, namespaced } = targetOf(row.object);
  const operation = row.operation ?? 'CREATE';
  const before = row.before ?? row.object;
  return {
    operation,
    group,
    resource: row.subresource === undefined ? plural : `${plural}/${row.subresource}`,
    ...(operation === 'CREATE' || operation === 'UPDATE' ? { object: row.object } : {}),
    ...(operation === 'UPDATE' || operation === 'DELETE' ? { oldObject: before } : {}),
    ...REQUESTERS[row.by ?? 'intruder'],
    ...(namespaced && { namespace: namespaceOf(row.where, row.profile ?? 'restricted') }),
  };
}
