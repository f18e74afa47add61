import { describe, expect, test } from 'vitest';
import { BACKSTOP_SINCE, compileAdmission, compileSharedAdmission } from '../../../../src/core/isolation/admission/compile.ts';
import type { AdmissionOptions } from '../../../../src/core/isolation/admission/policy-object.ts';
import type { Json } from '../../../../src/core/kube/json.ts';
import { NEWEST, OLDEST } from '../../../../src/core/kube/known-versions.ts';
import { DEFAULT_ADMISSION } from '../../../support/admission-cases/default-options.ts';
import { PROFILE_NAMES, profileSettings } from '../../../support/admission-cases/evaluate.ts';
import { newerThan } from '../../../support/cel-features.ts';

/** Every expression that is rendered for a host is one that the host's version of Kubernetes takes. */

const MINORS = Array.from({ length: NEWEST - OLDEST + 1 }, (_, index) => OLDEST + index);
/** what the host does to objects is in some expressions only where it is known */
const HOSTS: readonly Omit<AdmissionOptions, 'hostMinor'>[] = [
  DEFAULT_ADMISSION,
  { ...DEFAULT_ADMISSION, trustedWriters: [], trustedGroups: [], runtimeTolerations: new Map() },
  { ...DEFAULT_ADMISSION, defaultStorageClass: 'standard', defaultPriorityClass: 'usual' },
];

function expressionsFor(hostMinor: number | undefined): readonly string[] {
  const all = HOSTS.flatMap((host) => {
    const options = { ...host, ...(hostMinor !== undefined && { hostMinor }) };
    return [...PROFILE_NAMES.flatMap((name) => compileAdmission(profileSettings(name), options)), ...compileSharedAdmission(options)];
  });
  return [...new Set(all.flatMap(({ object }) => expressionsIn(object)))];
}

/** `expression`, `messageExpression`, `valueExpression`, wherever they stand. */
function expressionsIn(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  return Object.entries(value).flatMap(([key, item = null]) =>
    /expression$/i.test(key) && typeof item === 'string' ? [item] : expressionsIn(item),
  );
}

describe('what is rendered', () => {
  test.each([...MINORS, undefined])('for a host of 1.%s', (minor) => {
    const expressions = expressionsFor(minor);
    if (minor !== undefined && minor < BACKSTOP_SINCE) expect(expressions).toEqual([]);
    else expect(expressions.length).toBeGreaterThan(100);
    // of a host whose version is not known, the oldest that serves policies
    const oldest = minor ?? BACKSTOP_SINCE;
    expect(expressions.map((text) => [text, newerThan(text, oldest)]).filter(([, found]) => found?.length !== 0)).toEqual([]);
  });

  test('optional types are among it, so the oldest version matters', () => {
    expect(expressionsFor(BACKSTOP_SINCE).filter((text) => newerThan(text, 28).length > 0)).not.toEqual([]);
  });
});

describe('the table', () => {
  test.each<[string, number, readonly string[]]>([
    ['object.?spec.orValue({}) == {}', 28, ['.?: since 1.29', '.orValue: since 1.29']],
    ['object.?spec.orValue({}) == {}', 29, []],
    [
      'object[?"a"].hasValue() ? optional.none() : optional.of(1)',
      28,
      ['.hasValue: since 1.29', '[?]: since 1.29', 'optional.none: since 1.29', 'optional.of: since 1.29'],
    ],
    ["ip('10.0.0.1') == ip(object.spec.clusterIP)", 30, ['ip: since 1.31']],
    ["object.spec.containers.all(c, cidr('10.0.0.0/8').containsIP(c.image))", 30, ['.containsIP: since 1.31', 'cidr: since 1.31']],
    ['sets.contains([1], [2])', 29, ['sets.contains: since 1.30']],
    ['frobnicate(object)', 37, ['frobnicate: unknown']],
    ['object.spec.frobnicate()', 37, ['.frobnicate: unknown']],
    ['params.x == object.x', 37, ['the variable params: unknown']],
    ['object.a.exists(c, c == 1) && c == 2', 37, ['the variable c: unknown']],
  ])('of %s on 1.%i', (expression, minor, found) => {
    expect(newerThan(expression, minor)).toEqual(found);
  });
});
