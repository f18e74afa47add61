import { compileAdmission, compileSharedAdmission } from '../../../src/core/isolation/admission/compile.ts';
import { nodePoolAnnotation } from '../../../src/core/isolation/admission/node-pool.ts';
import type { PolicyObject } from '../../../src/core/isolation/admission/policy-object.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { kindRow } from '../../../src/core/kube/kinds.ts';
import { apiVersionOf, type KubeObject, kindKey, kindOf } from '../../../src/core/kube/object.ts';
import { resolveProfile } from '../../../src/core/plan/resolve-settings.ts';
import type { ProfileSettings } from '../../../src/core/plan/settings.ts';
import { readDocuments } from '../../../src/krm/yaml/read.ts';
import { checkConfig } from '../../../src/schema/check-config.ts';
import type { AdmissionRequest } from '../admission-policy.ts';
import { profile } from '../observe.ts';
import { type AdmissionCase, OTHER_POOL, POOL, PROFILES, type ProfileName, REQUESTERS, TENANT } from './case.ts';
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

export const PROFILE_NAMES: readonly ProfileName[] = ['baseline', 'restricted', 'sandboxed', 'edge', 'apart'];

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
    return namespace('team-prod', { ...labels, ...prod }, [{ ...POOL }, ...OTHER_POOL]);
  }
  // one stands as it was rendered before namespaces said which pool they have
  const workload = { ...labels, 'tenantplane.io/role': 'workload' };
  return name === 'restricted' ? namespace(own, workload) : namespace(own, workload, name === 'edge' ? [{ ...POOL }] : []);
}

/** With the annotations that the render writes; without tolerations, as it wrote them before namespaces said which pool they have. */
function namespace(name: string, labels: JsonObject, tolerations?: readonly JsonObject[]): KubeObject {
  const pool = tolerations === undefined ? {} : nodePoolAnnotation({ mode: 'dedicated', nodePool: { nodeSelector: {}, tolerations } });
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
