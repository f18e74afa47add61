import { type DeclaredKind, findKind, type KindName, tryKind } from '../explain/find-kind.ts';

const RBAC = 'rbac.authorization.k8s.io/v1';
const FLOW = 'flowcontrol.apiserver.k8s.io/v1';
const ADMISSION = 'admissionregistration.k8s.io/v1';

/** Kinds that only the platform makes, with the words that kubectl has for them. A tenant's kinds are in the planner's table. */
const HOST_KINDS: readonly DeclaredKind[] = [
  { apiVersion: 'v1', kind: 'LimitRange', words: ['limitranges', 'limits'] },
  { apiVersion: 'v1', kind: 'ResourceQuota', words: ['resourcequotas', 'quota'] },
  { apiVersion: RBAC, kind: 'Role', words: ['roles'] },
  { apiVersion: RBAC, kind: 'RoleBinding', words: ['rolebindings'] },
  { apiVersion: FLOW, kind: 'FlowSchema', words: ['flowschemas'] },
  { apiVersion: FLOW, kind: 'PriorityLevelConfiguration', words: ['prioritylevelconfigurations'] },
  { apiVersion: ADMISSION, kind: 'ValidatingAdmissionPolicy', words: ['validatingadmissionpolicies', 'vap'] },
  { apiVersion: ADMISSION, kind: 'ValidatingAdmissionPolicyBinding', words: ['validatingadmissionpolicybindings', 'vapb'] },
];

/** The kind that a word means; undefined where it means none that is known. */
export function tryAnyKind(text: string, declared: readonly DeclaredKind[]): KindName | undefined {
  return tryKind(text, [...HOST_KINDS, ...declared]);
}

/** @throws TenantplaneError that names the nearest kind */
export function anyKind(text: string, declared: readonly DeclaredKind[]): KindName {
  return findKind(text, [...HOST_KINDS, ...declared]);
}
