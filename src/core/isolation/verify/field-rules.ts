import { isObject, type Json, type JsonObject } from '../../kube/json.ts';
import { OLDEST } from '../../kube/known-versions.ts';
import type { Way } from './boundary-report.ts';
import { canonicalText, setText } from './canonical.ts';
import { any, type Comparison, exact, selector, setOf } from './comparison.ts';
import { hardValues, limitItems } from './limit-items.ts';
import { networkRules } from './network-rules.ts';
import { roleRules } from './role-rules.ts';

/**
 * How the fields of each kind are compared; a field that is not named here, in the plan or on the host, must be exactly as planned and
 * is weaker otherwise. What the API server fills in stands here too, where the render leaves it out.
 */
export const FIELD_RULES: Readonly<Record<string, Readonly<Record<string, Comparison>>>> = {
  Namespace: {
    // finalizers, which the API server sets
    spec: any,
  },
  ServiceAccount: {
    // credentials of the host's registries, which some distributions put on each account
    secrets: any,
    imagePullSecrets: any,
  },
  'NetworkPolicy.networking.k8s.io': { spec: networkRules },
  ResourceQuota: { 'spec.hard': hardValues, 'spec.scopeSelector': same('weaker'), 'spec.scopes': same('weaker') },
  LimitRange: { 'spec.limits': limitItems },
  // it bears on drains of nodes, not on what the tenant reaches
  'PodDisruptionBudget.policy': { spec: same('other') },
  'Role.rbac.authorization.k8s.io': { rules: roleRules },
  'RoleBinding.rbac.authorization.k8s.io': {
    'roleRef.apiGroup': exact('weaker', 'rbac.authorization.k8s.io'),
    subjects: setOf({ text: subjectText, extra: () => 'weaker', lacking: () => 'stronger' }),
  },
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': {
    'spec.failurePolicy': exact('weaker', 'Fail'),
    'spec.matchConstraints.matchPolicy': exact('weaker', 'Equivalent'),
    'spec.matchConstraints.namespaceSelector': selector,
    'spec.matchConstraints.objectSelector': selector,
    'spec.matchConstraints.resourceRules': setOf({ text: resourceText, extra: () => 'stronger', lacking: () => 'weaker' }),
    'spec.matchConstraints.excludeResourceRules': setOf({ text: resourceText, extra: () => 'weaker', lacking: () => 'stronger' }),
    // each takes requests away from the policy
    'spec.matchConditions': setOf({ extra: () => 'weaker', lacking: () => 'stronger' }),
    // one that nothing names changes nothing
    'spec.variables': setOf({ extra: () => 'other', lacking: () => 'weaker' }),
    'spec.validations': validations,
    'spec.auditAnnotations': same('other'),
  },
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': {
    'spec.validationActions': setOf({ extra: () => 'other', lacking: (action) => (action === 'Deny' ? 'weaker' : 'other') }),
    'spec.matchResources.matchPolicy': exact('weaker', 'Equivalent'),
    'spec.matchResources.namespaceSelector': selector,
    'spec.matchResources.objectSelector': selector,
    'spec.matchResources.resourceRules': same('weaker'),
    'spec.matchResources.excludeResourceRules': same('weaker'),
  },
  'FlowSchema.flowcontrol.apiserver.k8s.io': { 'spec.rules': same('weaker') },
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io': { 'spec.limited': same('weaker') },
};

/** Labels of a Namespace that are not simply equal; every other planned label is what selectors of ours name. */
export const NAMESPACE_LABELS: Readonly<Record<string, Comparison>> = {
  'pod-security.kubernetes.io/enforce': podSecurityLevel,
  'pod-security.kubernetes.io/enforce-version': podSecurityVersion,
  // these tell, and refuse nothing
  'pod-security.kubernetes.io/audit': exact('other'),
  'pod-security.kubernetes.io/audit-version': exact('other'),
  'pod-security.kubernetes.io/warn': exact('other'),
  'pod-security.kubernetes.io/warn-version': exact('other'),
};

/** Equal but for the order of lists and what is left out. */
function same(way: Way): Comparison {
  return (planned, live, path) => (setText(planned) === setText(live) ? [] : [{ path, way }]);
}

const LEVELS = ['privileged', 'baseline', 'restricted'];

function podSecurityLevel(...[planned, live, path]: Parameters<Comparison>): ReturnType<Comparison> {
  if (planned === live) return [];
  return [{ path, way: LEVELS.indexOf(String(live)) > LEVELS.indexOf(String(planned)) ? 'stronger' : 'weaker' }];
}

/** `latest` is what a render says that does not know the host, so it is any version that a render that does may say. */
function podSecurityVersion(...[planned, live, path]: Parameters<Comparison>): ReturnType<Comparison> {
  const [wanted, found] = [planned, live].map((version) => Number(/^v1\.(\d+)$/.exec(String(version))?.[1] ?? Number.NaN));
  if (planned === live || (planned === 'latest' && found !== undefined && found >= OLDEST)) return [];
  return [{ path, way: live === 'latest' || (found ?? 0) > (wanted ?? 0) ? 'stronger' : 'weaker' }];
}

/** Rules are held apart by their expressions; another text of a refusal refuses the same. */
function validations(...[planned, live, path]: Parameters<Comparison>): ReturnType<Comparison> {
  const byExpression = setOf({ text: expressionOf, extra: () => 'stronger', lacking: () => 'weaker' })(planned, live, path);
  return byExpression.length > 0 ? byExpression : setOf({ extra: () => 'other', lacking: () => 'other' })(planned, live, path);
}

function expressionOf(item: Json): string {
  return canonicalText(isObject(item) ? item['expression'] : item);
}

function resourceText(item: Json): string {
  return setText(isObject(item) ? { ...item, scope: item['scope'] ?? '*' } : item);
}

export function subjectText(item: Json): string {
  return canonicalText(isObject(item) ? withGroup(item) : item);
}

/** ServiceAccounts are of the core group, users and groups of RBAC's (rbac/v1, SetDefaults_Subject). */
function withGroup(subject: JsonObject): JsonObject {
  const group = subject['kind'] === 'ServiceAccount' ? '' : 'rbac.authorization.k8s.io';
  return { ...subject, apiGroup: subject['apiGroup'] ?? group };
}
