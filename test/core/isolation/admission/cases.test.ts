import { describe, expect, it } from 'vitest';
import { PROFILE_RULES } from '../../../../src/core/isolation/admission/compile.ts';
import { SHARED_RULES } from '../../../../src/core/isolation/admission/shared-rules.ts';
import { ADMISSION_CASES, HOSTILE_CASES } from '../../../support/admission-cases/all.ts';
import { asTenant } from '../../../support/admission-cases/as-tenant.ts';
import { BENIGN_CASES } from '../../../support/admission-cases/benign.ts';
import { POLICIES, requestOf } from '../../../support/admission-cases/evaluate.ts';
import { MESSAGE_CASES } from '../../../support/admission-cases/messages.ts';
import { ORDINARY_TEMPLATES } from '../../../support/admission-cases/templates.ts';
import { VARIATIONS } from '../../../support/admission-cases/variations.ts';
import { verdictsOf } from '../../../support/admission-policy.ts';

describe('admission policies, by a CEL library', () => {
  it.each(HOSTILE_CASES.map((row) => [row.name, row] as const))('refuse: %s', (_name, row) => {
    expect(
      verdictsOf(POLICIES, requestOf(row))
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual([...row.rules].sort());
    expect(row.rules.length > 0 || row.first !== undefined || row.tenant !== undefined, 'somebody stops it').toBe(true);
  });

  it.each([...BENIGN_CASES, ...ORDINARY_TEMPLATES].map((row) => [row.name, row] as const))('admit: %s', (_name, row) => {
    expect(verdictsOf(POLICIES, requestOf(row))).toEqual([]);
  });

  it.each(VARIATIONS.map((row) => [row.name, row] as const))('%s', (_name, row) => {
    expect(
      verdictsOf(POLICIES, requestOf(row))
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual([...row.rules].sort());
  });

  it.each(MESSAGE_CASES.map((row) => [row.name, row] as const))('%s', (_name, row) => {
    const verdicts = verdictsOf(POLICIES, requestOf(row));
    expect(verdicts.map(({ rule }) => rule).sort()).toEqual(row.rules);
    expect(verdicts.map(({ message }) => message)).toContain(row.says);
  });

  it('are tried on at least 80 hostile objects, and every rule on one', () => {
    expect(HOSTILE_CASES.length).toBeGreaterThanOrEqual(80);
    const tried = new Set(HOSTILE_CASES.flatMap(({ rules }) => rules));
    expect([...PROFILE_RULES, ...SHARED_RULES].map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
    expect(new Set(ADMISSION_CASES.map(({ name }) => name)).size).toBe(ADMISSION_CASES.length);
  });
});

describe('the same as tenant input', () => {
  const rows = HOSTILE_CASES.flatMap((row) => (row.tenant === undefined ? [] : [[row.name, row, row.tenant] as const]));
  it.each(rows)('%s', (_name, row, expected) => {
    const { decision, objects } = asTenant(row);
    const said = [decision.reason, ...decision.notes.map(({ reason }) => reason)];
    if (typeof expected === 'string') {
      expect(objects).toEqual([]);
      expect(said).toContain(expected);
      return;
    }
    if (expected.rendered !== 'silently') expect(said).toContain(expected.rendered);
    expect(objects.length, said.join(' ')).toBeGreaterThan(0);
    // What it became is harmless: the same policies admit it.
    const { operation: _operation, subresource: _subresource, before: _before, ...rest } = row;
    for (const object of objects) expect(verdictsOf(POLICIES, requestOf({ ...rest, object, by: 'argocd' }))).toEqual([]);
  });
});
