import { KEY, labelValue, MANAGED_BY } from '../../identity/metadata.ts';
import type { JsonObject } from '../../kube/json.ts';
import type { ProfileSettings } from '../../plan/settings.ts';
import { some, text } from './cel.ts';
import { type Group, type GroupName, PROFILE_GROUPS, SHARED_GROUPS } from './groups.ts';
import { messageExpression, REFUSED_BY } from './message.ts';
import { NODE_POOL } from './node-pool.ts';
import { OFFENDING_KEYS } from './offending-keys.ts';
import { OWNERS, PLACEMENT_RULES } from './placement-rules.ts';
import { POD_RULES } from './pod-rules.ts';
import { policyName } from './policy-name.ts';
import type { AdmissionOptions, PolicyObject } from './policy-object.ts';
import { KUBERNETES, trusted } from './requester.ts';
import type { Rule, SharedRule } from './rule.ts';
import { NETWORK_RULES, SERVICE_RULES } from './service-rules.ts';
import { SHARED_RULES } from './shared-rules.ts';
import { STORAGE_RULES } from './storage-rules.ts';
import { TEMPLATES } from './template-rules.ts';
import { WORKLOAD_RULES } from './workload-rules.ts';

/** Rules of a profile, in the order in which the docs list them. */
export const PROFILE_RULES: readonly Rule[] = [
  ...POD_RULES,
  ...PLACEMENT_RULES,
  ...WORKLOAD_RULES,
  ...SERVICE_RULES,
  ...STORAGE_RULES,
  ...NETWORK_RULES,
];

/** ValidatingAdmissionPolicy is served as v1 from here on (KEP-3488). */
export const BACKSTOP_SINCE = 30;

/** The name under which what is no profile's stands. A profile of that name has other groups. */
const SHARED = 'shared';

/** The policies of one profile and their bindings to the workload namespaces of its tenants; none where the host serves none. */
export function compileAdmission(profile: ProfileSettings, options: AdmissionOptions): readonly PolicyObject[] {
  if (!served(options)) return [];
  const rules = PROFILE_RULES.flatMap((rule) => {
    const expression = rule.expression(profile, options);
    return expression === undefined ? [] : [{ rule, expression, wanted: rule.wanted?.(profile) }];
  });
  const namespaces: JsonObject = { matchLabels: { [KEY.isolationProfile]: labelValue(profile.name), [KEY.role]: 'workload' } };
  const where = { name: profile.name, title: `IsolationProfile ${profile.name}`, label: labelValue(profile.name) };
  return compileGroups(PROFILE_GROUPS, rules, options, where, namespaces);
}

/** The policies of the whole fleet, which are no profile's. */
export function compileSharedAdmission(options: AdmissionOptions): readonly PolicyObject[] {
  if (!served(options)) return [];
  const rules = SHARED_RULES.map((rule) => ({ rule, expression: rule.expression(options) }));
  return compileGroups(SHARED_GROUPS, rules, options, { name: SHARED, title: 'the platform' }, undefined);
}

function served({ hostMinor }: AdmissionOptions): boolean {
  return hostMinor === undefined || hostMinor >= BACKSTOP_SINCE;
}

interface Compiled {
  readonly rule: Rule | SharedRule;
  readonly expression: string;
  /** CEL of what would be admitted */
  readonly wanted?: string | undefined;
}

/** Where the policies belong: in their names, in their messages, on their labels. */
interface Owner {
  readonly name: string;
  readonly title: string;
  readonly label?: string;
}

function compileGroups(
  groups: Readonly<Partial<Record<GroupName, Group>>>,
  rules: readonly Compiled[],
  options: AdmissionOptions,
  owner: Owner,
  namespaces: JsonObject | undefined,
): readonly PolicyObject[] {
  return Object.entries(groups).flatMap(([name, group]) => {
    const own = rules.filter(({ rule }) => rule.group === name);
    if (own.length === 0) return [];
    const about = { controls: [...new Set(own.flatMap(({ rule }) => rule.controls))], rules: own.map(({ rule }) => rule.id) };
    const metadata = (): JsonObject => ({
      name: policyName(owner.name, name),
      labels: {
        [KEY.managedBy]: MANAGED_BY,
        [KEY.role]: 'isolation',
        ...(owner.label !== undefined && { [KEY.isolationProfile]: owner.label }),
      },
    });
    const selected = namespaces ?? group.namespaces;
    return [
      { object: { ...kind('ValidatingAdmissionPolicy'), metadata: metadata(), spec: policySpec(group, own, options, owner) }, ...about },
      {
        object: {
          ...kind('ValidatingAdmissionPolicyBinding'),
          metadata: metadata(),
          spec: {
            policyName: policyName(owner.name, name),
            validationActions: ['Deny', 'Audit'],
            ...(selected !== undefined && { matchResources: { namespaceSelector: structuredClone(selected) } }),
          },
        },
        ...about,
      },
    ];
  });
}

function kind(name: string): JsonObject {
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind: name };
}

function policySpec(group: Group, rules: readonly Compiled[], options: AdmissionOptions, owner: Owner): JsonObject {
  const exempt = [
    ...(group.exemptTrusted === true ? [['not-trusted', trusted(options)] as const] : []),
    ...(group.exempt ?? []).map((requester, index) => [`not-exempt-${index}`, requester] as const),
  ];
  const variables: JsonObject[] = rules.map(({ rule, expression }) => ({
    name: variable(rule.id),
    expression: rule.when === undefined ? expression : some([`!(${rule.when})`, expression]),
  }));
  const refused = rules.map(({ rule }) => `(variables.${variable(rule.id)} ? '' : ${text(`${rule.id} `)})`).join(' + ');
  return {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: structuredClone([...group.resourceRules]) },
    ...(exempt.length > 0 && { matchConditions: exempt.map(([name, requester]) => ({ name, expression: `!(${requester})` })) }),
    variables: [
      ...shared(rules, options),
      ...variables,
      { name: 'refused', expression: refused },
      ...(rules.length > 1 ? [{ name: 'refusedby', expression: REFUSED_BY }] : []),
    ],
    validations: rules.map(({ rule, wanted }) => validation(rule, wanted, owner, rules.length > 1)),
    auditAnnotations: [
      { key: 'profile', valueExpression: `variables.refused == '' ? '' : ${text(owner.name)}` },
      { key: 'rules', valueExpression: 'variables.refused' },
    ],
  };
}

/** What several rules ask for; only where one does. An expression sees the variables before it. */
function shared(rules: readonly Compiled[], options: AdmissionOptions): JsonObject[] {
  const known: Readonly<Record<string, string>> = {
    trusted: trusted(options),
    kubernetes: KUBERNETES,
    ...NODE_POOL,
    ...OWNERS,
    ...TEMPLATES,
    ...OFFENDING_KEYS,
  };
  const needed = new Set<string>();
  const need = (expression: string): void => {
    for (const name of Object.keys(known).filter((each) => expression.includes(`variables.${each}`) && !needed.has(each))) {
      needed.add(name);
      need(known[name] ?? '');
    }
  };
  for (const { expression } of rules) need(expression);
  return Object.entries(known)
    .filter(([name]) => needed.has(name))
    .map(([name, expression]) => ({ name, expression }));
}

function validation(rule: Rule | SharedRule, wanted: string | undefined, owner: Owner, others: boolean): JsonObject {
  const [what, remedy] = rule.message;
  const wrong = `${what} (${rule.controls.join(', ')} of ${owner.title})`;
  const expression = messageExpression({ id: rule.id, wrong, remedy, found: rule.found, wanted, others });
  return {
    expression: `variables.${variable(rule.id)}`,
    // where the other one fails
    message: `${rule.id}: ${wrong}. ${remedy}`,
    ...(expression !== undefined && { messageExpression: expression }),
    reason: 'Forbidden',
  };
}

/** A rule's id as an identifier. */
function variable(id: string): string {
  return id.replaceAll('-', '_');
}
