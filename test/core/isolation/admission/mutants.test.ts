import { describe, expect, it } from 'vitest';
import type { PolicyObject } from '../../../../src/core/isolation/admission/policy-object.ts';
import { asString, at, clone, type JsonObject, objectsOf } from '../../../../src/core/kube/json.ts';
import { kindOf, nameOf } from '../../../../src/core/kube/object.ts';
import { ADMISSION_CASES } from '../../../support/admission-cases/all.ts';
import { POLICIES, requestOf } from '../../../support/admission-cases/evaluate.ts';
import { type AdmissionRequest, policiesFor, verdictsOf } from '../../../support/admission-policy.ts';

/** One operator of an expression turned into another: what a slip of the hand would be. */
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [/&&/g, '||'],
  [/\|\|/g, '&&'],
  [/!has\(/g, 'has('],
  [/ == /g, ' != '],
  [/\.all\(/g, '.exists('],
];

interface Mutant {
  readonly expression: string;
  /** where the slip is, for people */
  readonly slip: string;
}

function mutants(expression: string): Mutant[] {
  return SLIPS.flatMap(([operator, other]) =>
    [...expression.matchAll(operator)].map(({ 0: found, index }) => {
      const rest = expression.slice(index + found.length);
      const slip = `${expression.slice(Math.max(0, index - 50), index)}[${other.trim()}]${rest.slice(0, 50)}`;
      return { expression: expression.slice(0, index) + other + rest, slip };
    }),
  );
}

const byName = (kind: string, name: string): PolicyObject | undefined =>
  POLICIES.find(({ object }) => kindOf(object) === kind && nameOf(object) === name);

/** What a policy says of a request; an expression that fails refuses. */
function saidOf(policies: readonly PolicyObject[], request: AdmissionRequest): string {
  try {
    return verdictsOf(policies, request)
      .map(({ rule }) => rule)
      .join(' ');
  } catch {
    return 'an error';
  }
}

/** The first that tells ends the search, and what a policy costs grows with the object. */
const SMALLEST_FIRST = ADMISSION_CASES.map(requestOf)
  .map((request) => ({ request, size: JSON.stringify(request).length }))
  .sort((a, b) => a.size - b.size)
  .map(({ request }) => request);

describe('no operator of an expression could be another without a case that tells', () => {
  const names = POLICIES.map(({ object }) => nameOf(object)).filter((name) => /^tenantplane-(restricted|shared)-/.test(name));
  it.each([...new Set(names)])('%s', (name) => {
    const [policy, binding] = [byName('ValidatingAdmissionPolicy', name), byName('ValidatingAdmissionPolicyBinding', name)];
    if (policy === undefined || binding === undefined) throw new Error('a policy and its binding');
    const requests = SMALLEST_FIRST.filter((request) => policiesFor([policy, binding], request).length > 0).map((request) => ({
      request,
      said: saidOf([policy, binding], request),
    }));
    const survivors: string[] = [];
    objectsOf(at(policy.object, 'spec', 'variables')).forEach(({ name: variable, expression }, index) => {
      if (variable === 'refused' || variable === 'refusedby') return;
      const rule = String(variable).replaceAll('_', '-');
      const likeliest = requests.filter(({ said }) => said.split(' ').includes(rule));
      for (const mutant of mutants(asString(expression) ?? '')) {
        const mutated = { ...policy, object: withVariable(policy.object, index, mutant.expression) };
        if ([...likeliest, ...requests].every(({ request, said }) => saidOf([mutated, binding], request) === said))
          survivors.push(`${variable}: ${mutant.slip}`);
      }
    });
    expect(survivors).toEqual([]);
  });
});

function withVariable(policy: JsonObject, index: number, expression: string): JsonObject {
  const copy = clone(policy);
  const variable = objectsOf(at(copy, 'spec', 'variables'))[index];
  if (variable !== undefined) variable['expression'] = expression;
  return copy;
}
