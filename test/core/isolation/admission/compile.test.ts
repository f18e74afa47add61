import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text } from '../../../../src/core/isolation/admission/cel.ts';
import { compileAdmission, compileSharedAdmission, PROFILE_RULES } from '../../../../src/core/isolation/admission/compile.ts';
import { PROFILE_GROUPS, SHARED_GROUPS } from '../../../../src/core/isolation/admission/groups.ts';
import { policyName } from '../../../../src/core/isolation/admission/policy-name.ts';
import { SHARED_RULES } from '../../../../src/core/isolation/admission/shared-rules.ts';
import { at, type JsonObject, objectsOf, stringAt } from '../../../../src/core/kube/json.ts';
import { kindOf, nameOf } from '../../../../src/core/kube/object.ts';
import { claim, OURS, pod, REQUESTERS, service } from '../../../support/admission-cases/case.ts';
import { DEFAULT_ADMISSION } from '../../../support/admission-cases/default-options.ts';
import { POLICIES, profileSettings } from '../../../support/admission-cases/evaluate.ts';
import { type AdmissionRequest, verdictsOf } from '../../../support/admission-policy.ts';
import { tenantContext } from '../tenant.ts';

const profile = tenantContext().profile;
const spec = (object: JsonObject, ...path: string[]): unknown => at(object, 'spec', ...path);
const policies = POLICIES.map(({ object }) => object).filter((object) => kindOf(object) === 'ValidatingAdmissionPolicy');
const bindings = POLICIES.map(({ object }) => object).filter((object) => kindOf(object) === 'ValidatingAdmissionPolicyBinding');

describe('policies', () => {
  it('are closed on error, take no parameters, and say for the audit log what they refuse', () => {
    for (const policy of policies) {
      expect(spec(policy, 'failurePolicy')).toBe('Fail');
      expect(spec(policy, 'paramKind')).toBeUndefined();
      expect(objectsOf(at(policy, 'spec', 'auditAnnotations')).map(({ key }) => key)).toEqual(['profile', 'rules']);
    }
  });

  it('have a binding each, which denies and audits', () => {
    expect(bindings.map(nameOf)).toEqual(policies.map(nameOf));
    for (const binding of bindings) {
      expect(spec(binding, 'policyName')).toBe(nameOf(binding));
      expect(spec(binding, 'validationActions')).toEqual(['Deny', 'Audit']);
    }
  });

  it('of a profile look at the workload namespaces of its tenants alone', () => {
    const selected = bindings
      .filter((binding) => nameOf(binding).startsWith('tenantplane-restricted-'))
      .map((binding) => spec(binding, 'matchResources'));
    expect(selected.length).toBeGreaterThan(5);
    const labels = { 'tenantplane.io/isolation-profile': 'restricted', 'tenantplane.io/role': 'workload' };
    for (const each of selected) expect(each).toEqual({ namespaceSelector: { matchLabels: labels } });
  });

  it('say in each message the rule, a control and a remedy, in one line of at most 5 KiB', () => {
    for (const policy of policies)
      for (const { message } of objectsOf(at(policy, 'spec', 'validations'))) {
        expect(message).toMatch(/^[a-z-]+: .+ \(\w+(, \w+)* of (IsolationProfile \S+|the platform)\)\. [A-Z].+\.$/);
        expect(String(message).length).toBeLessThan(5000);
      }
  });

  it('carry every control and rule that their object enforces', () => {
    for (const { object, rules, controls } of POLICIES.filter((each) => kindOf(each.object) === 'ValidatingAdmissionPolicy')) {
      expect(objectsOf(at(object, 'spec', 'validations')).map((each) => stringAt(each, 'message')?.split(':')[0])).toEqual(rules);
      expect(controls.length).toBeGreaterThan(0);
    }
  });

  it('have rules with ids and groups of their own', () => {
    const ids = [...PROFILE_RULES, ...SHARED_RULES].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const groups = [...Object.keys(PROFILE_GROUPS), ...Object.keys(SHARED_GROUPS)];
    expect(new Set(groups).size).toBe(groups.length);
    expect(groups.filter((name) => !/^[a-z]+$/.test(name))).toEqual([]);
  });
});

describe('where the host has no such policies', () => {
  it('below 1.30 nothing is rendered', () => {
    const old = { ...DEFAULT_ADMISSION, hostMinor: 29 };
    expect([...compileAdmission(profile, old), ...compileSharedAdmission(old)]).toEqual([]);
  });

  it.each([30, 37, undefined])('from 1.30 on, or where it is not known, they are (%s)', (hostMinor) => {
    const options = hostMinor === undefined ? DEFAULT_ADMISSION : { ...DEFAULT_ADMISSION, hostMinor };
    expect(compileAdmission(profile, options).length).toBeGreaterThan(0);
  });
});

describe('names', () => {
  const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
  const subdomain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) =>
    labels
      .join('.')
      .slice(0, 253)
      .replace(/[-.]+$/, ''),
  );
  const group = fc.constantFrom(...Object.keys(PROFILE_GROUPS), ...Object.keys(SHARED_GROUPS));

  it('are legal and bounded for every profile', () => {
    fc.assert(
      fc.property(subdomain, group, (name, of) => {
        expect(policyName(name, of)).toMatch(/^tenantplane-[-a-z0-9.]*[a-z0-9]$/);
        expect(policyName(name, of)).not.toMatch(/\.[-.]|-\./);
        expect(policyName(name, of).length).toBeLessThanOrEqual(253);
      }),
    );
  });

  it('are different for different profiles or groups, long ones and look-alikes too', () => {
    const long = 'a'.repeat(150);
    const cut = policyName(long, 'pods')
      .replace(/^tenantplane-/, '')
      .replace(/-pods$/, '');
    const names = [long, `${long}b`, cut, cut.replace(/^-/, ''), 'shared', 'a', 'a-pods', 'a.b', 'a-b'];
    const all = names.flatMap((name) => [...Object.keys(PROFILE_GROUPS)].map((of) => policyName(name, of)));
    expect(new Set(all).size).toBe(all.length);
    fc.assert(
      fc.property(subdomain, group, subdomain, group, (name, of, other, ofOther) => {
        fc.pre(name !== other || of !== ofOther);
        expect(policyName(name, of)).not.toBe(policyName(other, ofOther));
      }),
    );
  });
});

describe('values of a profile', () => {
  it('are literals, whatever they hold', () => {
    const namespace = {
      metadata: { name: 'n', labels: { ...OURS, 'tenantplane.io/role': 'workload', 'tenantplane.io/isolation-profile': 'p' } },
    };
    const request = (resource: string, object: JsonObject): AdmissionRequest => ({
      operation: 'CREATE',
      group: '',
      resource,
      object,
      ...REQUESTERS.intruder,
      namespace,
    });
    const odd = fc.oneof(
      fc.constantFrom(`'`, `\\`, `'] || true || '' in ['`, '\n', '\u2028', '"', '\\u0041', '{{x}}'),
      fc.string({ minLength: 1 }),
    );
    fc.assert(
      fc.property(odd, (value) => {
        const settings = profileSettings('edge');
        const own = { ...settings, name: 'p', allow: { ...settings.allow, storageClasses: [value], tolerations: [{ key: 'k', value }] } };
        const compiled = compileAdmission(own, DEFAULT_ADMISSION);
        const rules = (resource: string, object: JsonObject): string[] =>
          verdictsOf(compiled, request(resource, object)).map(({ rule }) => rule);
        expect(rules('persistentvolumeclaims', claim({ storageClassName: value }))).toEqual([]);
        expect(rules('persistentvolumeclaims', claim({ storageClassName: `${value}x` }))).toEqual(['pvc-class']);
        expect(rules('pods', pod({ tolerations: [{ key: 'k', value }] }))).toEqual([]);
        expect(rules('pods', pod({ tolerations: [{ key: 'k', value: `${value}x` }] }))).toEqual(['tol']);
        expect(rules('services', service())).toEqual([]);
      }),
      { numRuns: 60 },
    );
    expect(text(`a'b\\c\nd`)).toBe(`'a\\'b\\\\c\\u000ad'`);
  });
});

describe('classes that the host fills in', () => {
  const namespace = {
    metadata: { name: 'n', labels: { ...OURS, 'tenantplane.io/role': 'workload', 'tenantplane.io/isolation-profile': profile.name } },
  };
  const filled: readonly (readonly [string, JsonObject, string])[] = [
    ['persistentvolumeclaims', claim({ storageClassName: 'standard' }), 'pvc-class'],
    ['pods', pod({ priorityClassName: 'everyday' }), 'prio'],
  ];
  it.each(filled)('%s: admitted where they are known, else refused to whoever is not trusted', (resource, object, rule) => {
    const request = { operation: 'CREATE', group: '', resource, object, ...REQUESTERS.intruder, namespace } as const;
    const known = { ...DEFAULT_ADMISSION, defaultStorageClass: 'standard', defaultPriorityClass: 'everyday' };
    expect(verdictsOf(compileAdmission(profile, known), request)).toEqual([]);
    expect(verdictsOf(compileAdmission(profile, DEFAULT_ADMISSION), request).map((each) => each.rule)).toEqual([rule]);
    expect(verdictsOf(compileAdmission(profile, DEFAULT_ADMISSION), { ...request, ...REQUESTERS.argocd })).toEqual([]);
  });
});
