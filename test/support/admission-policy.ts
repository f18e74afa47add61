import { Environment, type Optional } from '@marcbachmann/cel-js';
import type { PolicyObject } from '../../src/core/isolation/admission/policy-object.ts';
import { asString, at, isObject, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../../src/core/kube/json.ts';
import { kindOf, labelsOf, nameOf, stringMap } from '../../src/core/kube/object.ts';

/** A request as admission sees it. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly group: string;
  /** `pods`, `pods/ephemeralcontainers` */
  readonly resource: string;
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject;
  readonly user: string;
  readonly groups: readonly string[];
  /** undefined for what is cluster-scoped */
  readonly namespace?: JsonObject;
}

/** What a policy said of a request. */
export interface Verdict {
  readonly policy: string;
  readonly rule: string;
  readonly message: string;
}

const ENVIRONMENT = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
// Of CEL's own optionals, the part that the library lacks.
ENVIRONMENT.registerOperator('optional<dyn> == optional<dyn>', (a: Optional, b: Optional) =>
  a.hasValue() && b.hasValue() ? evaluate('a == b', { a: a.value(), b: b.value() }) === true : a.hasValue() === b.hasValue(),
);
// of Kubernetes' own list library
ENVIRONMENT.registerFunction('list.min(): dyn', (items: readonly string[]) => [...items].sort()[0]);
const parsed = new Map<string, ReturnType<Environment['parse']>>();

function evaluate(expression: string, variables: Record<string, unknown>): unknown {
  const program = parsed.get(expression) ?? ENVIRONMENT.parse(expression);
  parsed.set(expression, program);
  return program(variables);
}

/**
 * ValidatingAdmissionPolicies as the API server evaluates them, by a CEL library: which bindings select the request, and what each
 * validation says. An error in an expression refuses the request, as failurePolicy Fail does, and is thrown here: ours have none.
 */
export function verdictsOf(policies: readonly PolicyObject[], request: AdmissionRequest): readonly Verdict[] {
  return policiesFor(policies, request).flatMap((policy) => evaluatePolicy(policy, request));
}

/** The policies that look at a request: by their binding, and by what they match. */
export function policiesFor(policies: readonly PolicyObject[], request: AdmissionRequest): readonly JsonObject[] {
  const objects = policies.map(({ object }) => object);
  const byName = new Map(
    objects.filter((object) => kindOf(object) === 'ValidatingAdmissionPolicy').map((policy) => [nameOf(policy), policy]),
  );
  return objects
    .filter((object) => kindOf(object) === 'ValidatingAdmissionPolicyBinding' && bindingSelects(object, request))
    .flatMap((binding) => {
      const policy = byName.get(stringAt(binding, 'spec', 'policyName') ?? '');
      const rules = objectsOf(at(policy ?? {}, 'spec', 'matchConstraints', 'resourceRules'));
      return policy !== undefined && rules.some((rule) => ruleMatches(rule, request)) ? [policy] : [];
    });
}

function bindingSelects(binding: JsonObject, { namespace, resource, object }: AdmissionRequest): boolean {
  const selector = objectAt(binding, 'spec', 'matchResources', 'namespaceSelector');
  if (selector === undefined) return true;
  // Cluster-scoped resources are never left out by a namespace selector, Namespaces by their own labels.
  const subject = namespace ?? (resource === 'namespaces' ? object : undefined);
  if (subject === undefined) return true;
  const labels = labelsOf(subject);
  const exact = [...stringMap(objectAt(selector, 'matchLabels'))].every(([key, value]) => labels.get(key) === value);
  return (
    exact &&
    objectsOf(selector['matchExpressions']).every((term) => {
      const values = at(term, 'values');
      return term['operator'] === 'In' && Array.isArray(values) && values.includes(labels.get(stringAt(term, 'key') ?? '') ?? null);
    })
  );
}

function evaluatePolicy(policy: JsonObject, request: AdmissionRequest): Verdict[] {
  const spec = objectAt(policy, 'spec') ?? {};
  const scope = {
    object: celValue(request.object),
    oldObject: celValue(request.oldObject),
    namespaceObject: celValue(request.namespace),
    request: {
      operation: request.operation,
      namespace: request.namespace === undefined ? '' : nameOf(request.namespace),
      resource: { group: request.group, version: 'v1', resource: request.resource.split('/')[0] ?? '' },
      subResource: request.resource.split('/')[1] ?? '',
      userInfo: { username: request.user, groups: [...request.groups] },
    },
  };
  if (objectsOf(spec['matchConditions']).some((condition) => evaluate(expressionOf(condition), scope) !== true)) return [];
  const variables = lazily(objectsOf(spec['variables']), scope);
  const all = { ...scope, variables };
  const verdicts = objectsOf(spec['validations']).flatMap((validation): Verdict[] => {
    if (evaluate(expressionOf(validation), all) === true) return [];
    const found = asString(validation['messageExpression']);
    const message = found === undefined ? (asString(validation['message']) ?? '') : String(evaluate(found, all));
    return [{ policy: nameOf(policy), rule: message.slice(0, message.indexOf(':')), message }];
  });
  auditAnnotationsAgree(objectsOf(spec['auditAnnotations']), all, verdicts);
  return verdicts;
}

/** What ends in the audit log, where a policy says something of its own there, names the same rules as the answer. */
function auditAnnotationsAgree(annotations: readonly JsonObject[], all: Record<string, unknown>, verdicts: readonly Verdict[]): void {
  if (annotations.length === 0) return;
  const said = annotations.map((annotation) => [annotation['key'], evaluate(asString(annotation['valueExpression']) ?? '', all)]);
  const rules = String(Object.fromEntries(said)['rules']).trim();
  if (rules !== verdicts.map(({ rule }) => rule).join(' ')) throw new Error(`audit annotation says ${rules}`);
}

function ruleMatches(rule: JsonObject, { operation, group, resource, namespace }: AdmissionRequest): boolean {
  const holds = (field: string, matches: (value: string) => boolean): boolean => {
    const values = rule[field];
    return Array.isArray(values) && values.some((value) => typeof value === 'string' && matches(value));
  };
  const scope = rule['scope'];
  return (
    (scope === undefined || scope === (namespace === undefined ? 'Cluster' : 'Namespaced')) &&
    holds('operations', (value) => value === operation) &&
    holds('apiGroups', (value) => value === '*' || value === group) &&
    holds('resources', (value) => value === '*/*' || value === resource)
  );
}

function expressionOf(holder: JsonObject): string {
  return asString(holder['expression']) ?? '';
}

/** `variables`, each worked out where it is first asked for. */
function lazily(definitions: readonly JsonObject[], scope: Record<string, unknown>): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const definition of definitions) {
    let known: { value: unknown } | undefined;
    Object.defineProperty(variables, asString(definition['name']) ?? '', {
      enumerable: true,
      get() {
        known ??= { value: evaluate(expressionOf(definition), { ...scope, variables }) };
        return known.value;
      },
    });
  }
  return variables;
}

/** JSON as CEL has it: whole numbers are integers. */
function celValue(value: Json | undefined): unknown {
  if (value === undefined) return null;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, celValue(item)]));
}
