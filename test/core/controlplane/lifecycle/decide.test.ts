import { describe, expect, test } from 'vitest';
import { CONDITIONS } from '../../../../src/core/controlplane/lifecycle/condition-reasons.ts';
import { decide } from '../../../../src/core/controlplane/lifecycle/decide.ts';
import type { LifecycleObservation } from '../../../../src/core/controlplane/lifecycle/observation.ts';
import { statusOf } from '../../../../src/core/controlplane/lifecycle/status.ts';
import { objectsOf } from '../../../../src/core/kube/json.ts';
import { observation, tenantCluster } from '../../../support/lifecycle.ts';
import { CASES } from '../../../support/lifecycle-cases.ts';
import { ANSWERS, PUBLISHED, standing, WAS_READY } from '../../../support/lifecycle-standing.ts';

function conditionsOf(given: Partial<LifecycleObservation>): ReadonlyMap<string, string> {
  const o = observation(given);
  const status = statusOf(o.tenantCluster, decide(o), o.now);
  return new Map(objectsOf(status['conditions']).map(({ type, reason }) => [String(type), String(reason)]));
}

describe('what a pass decides', () => {
  test.each(CASES)('$name', ({ given, shows, phase, actions }) => {
    const decision = decide(observation(given));
    expect(Object.fromEntries(Object.keys(shows).map((type) => [type, conditionsOf(given).get(type)]))).toEqual(shows);
    if (phase !== undefined) expect(decision.phase).toBe(phase);
    if (actions !== undefined) expect(decision.actions.map((action) => action.do)).toEqual(actions);
  });

  test('each reason of each condition is reached by a case', () => {
    const reached = new Set(CASES.flatMap(({ given }) => [...conditionsOf(given)].map(([type, reason]) => `${type} ${reason}`)));
    const known = Object.entries(CONDITIONS).flatMap(([type, { reasons }]) => Object.keys(reasons).map((reason) => `${type} ${reason}`));
    expect(known.filter((each) => !reached.has(each))).toEqual([]);
  });

  test('what is blocked while it never ran is pending; what ran is degraded', () => {
    const blocked = { storageClasses: { names: new Set<string>(), hasDefault: false } };
    expect(decide(observation(blocked)).phase).toBe('Pending');
    const later = {
      elders: ['other'],
      tenantCluster: { ...tenantCluster(), ...WAS_READY },
      secrets: PUBLISHED,
      live: standing(),
      api: ANSWERS,
    };
    expect(decide(observation(later)).phase).toBe('Degraded');
  });
});
