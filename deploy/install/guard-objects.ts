import { text } from '../../src/core/isolation/admission/cel.ts';
import { OWN_PREFIX } from '../../src/core/isolation/compiled-object.ts';
import { RECONCILER } from '../../src/core/isolation/reconciler.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { CONTROLLER_GUARDS } from './controller-guard-rows.ts';
import { BASE_GUARDS, type Guard, type GuardRule } from './guard-rows.ts';
import { LABELS } from './labels.ts';

export const GUARDS: readonly Guard[] = [...BASE_GUARDS, ...CONTROLLER_GUARDS];

const API = 'admissionregistration.k8s.io/v1';
const USER = `system:serviceaccount:${RECONCILER.namespace}:${RECONCILER.name}`;

/** No profile's policy has such a name: those end in a group of rules, and no group is called so. */
export function guardName({ name }: Guard): string {
  return `${OWN_PREFIX}${name}-by-reconciler`;
}

/** What a refusal says: the rule, who may what, and why. */
export function guardMessage({ id, may, why }: GuardRule): string {
  return `${id}: ${RECONCILER.name} may ${may}: ${why}.`;
}

/** A policy and its binding, which looks at the whole cluster: it is by who asks that the policy chooses. */
export function guardObjects(guard: Guard): readonly JsonObject[] {
  const metadata = (): JsonObject => ({ name: guardName(guard), labels: { ...LABELS } });
  return [
    {
      apiVersion: API,
      kind: 'ValidatingAdmissionPolicy',
      metadata: metadata(),
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: guard.matches.map(({ group, version, resources }) => ({
            apiGroups: [group],
            apiVersions: [version],
            operations: [...guard.operations],
            resources: [...resources],
          })),
        },
        matchConditions: [{ name: 'by-reconciler', expression: `request.userInfo.username == ${text(USER)}` }],
        validations: guard.rules.map((rule) => ({ expression: rule.holds, message: guardMessage(rule), reason: 'Forbidden' })),
      },
    },
    {
      apiVersion: API,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: metadata(),
      spec: { policyName: guardName(guard), validationActions: ['Deny', 'Audit'] },
    },
  ];
}

export function guardText(where: Guard['where']): string {
  return GUARDS.filter((guard) => guard.where === where)
    .flatMap(guardObjects)
    .map((object) => emitYaml(object))
    .join('---\n');
}
