import { findKind, type KindName, tryKind } from '../explain/find-kind.ts';

/** Kinds that only the platform makes, with the words that kubectl has for them. A tenant's kinds are in the planner's table. */
const HOST_KINDS: readonly (readonly [apiVersion: string, kind: string, ...words: string[]])[] = [
  ['v1', 'LimitRange', 'limitranges', 'limits'],
  ['v1', 'ResourceQuota', 'resourcequotas', 'quota'],
  ['rbac.authorization.k8s.io/v1', 'Role', 'roles'],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'],
  ['flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'flowschemas'],
  ['flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', 'prioritylevelconfigurations'],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', 'vap'],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', 'vapb'],
];

/** The kind that a word means; undefined where it means none that is known. */
export function tryAnyKind(text: string, declared: readonly KindName[]): KindName | undefined {
  const lower = text.toLowerCase().split('.')[0] ?? '';
  const row = HOST_KINDS.find(([, kind, ...words]) => kind.toLowerCase() === lower || words.includes(lower));
  return row === undefined ? tryKind(text, declared) : { apiVersion: row[0], kind: row[1] };
}

/** @throws TenantplaneError that names the nearest kind */
export function anyKind(text: string, declared: readonly KindName[]): KindName {
  const host = HOST_KINDS.map(([apiVersion, kind]) => ({ apiVersion, kind }));
  return tryAnyKind(text, declared) ?? findKind(text, [...host, ...declared]);
}
