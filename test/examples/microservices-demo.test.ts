import { describe, expect, test } from 'vitest';
import { kindOf } from '../../src/core/kube/object.ts';
import type { TenantPlan } from '../../src/core/plan/plan-types.ts';
import type { Rendered } from '../support/example.ts';
import { BOUTIQUE_PRESENT, boutique, LEVELS } from '../support/microservices-demo.ts';
import { openings } from '../support/openings.ts';
import { wouldRun } from '../support/would-run.ts';

function only(rendered: Rendered): TenantPlan {
  const [tenant] = rendered.plan.tenants;
  if (tenant === undefined) throw new Error('no tenant was planned');
  return tenant;
}

/** Decisions about the tenant's own objects, counted by code. */
function byCode(tenant: TenantPlan): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { source, code, reason } of tenant.decisions) {
    if (source !== undefined) counts[`${code} ${reason}`] = (counts[`${code} ${reason}`] ?? 0) + 1;
  }
  return counts;
}

describe.skipIf(!BOUTIQUE_PRESENT)('the microservices demo as a tenant', () => {
  test.each(LEVELS)('is projected at level %s, all of it but the load balancer', (level) => {
    const rendered = boutique(level);
    const tenant = only(rendered);
    expect(rendered.plan.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(tenant.frozen).toBeUndefined();
    expect(byCode(tenant)).toEqual({ 'TP2001 PolicyMatched': 23, 'TP2015 FactRead': 11, 'TP3030 ServiceTypeBlocked': 1 });
    const refused = tenant.decisions.filter(({ disposition }) => disposition === 'Rejected');
    expect(refused.map(({ source }) => `${source?.kind} ${source?.name}`)).toEqual(['Service frontend-external']);
    const projected = tenant.files.filter(({ decision }) => decision.source !== undefined && decision.reason === 'PolicyMatched');
    expect(projected.filter(({ object }) => kindOf(object) === 'Deployment')).toHaveLength(12);
    expect(projected.filter(({ object }) => kindOf(object) === 'Service')).toHaveLength(11);
  });

  test.each(LEVELS)('would run at level %s', (level) => {
    // The demo names an assistant in the frontend's environment that it does not deploy: an optional part of its own.
    const problems = wouldRun(boutique(level).objects).filter(
      (problem) => !problem.includes('shoppingassistantservice:80 does not resolve'),
    );
    expect(problems).toEqual([]);
  });

  test.each(LEVELS)('reaches nothing beyond the tenant at level %s', (level) => {
    expect(openings(boutique(level).objects)).toEqual([]);
  });

  test.each(LEVELS)('leaves nothing to look at, at level %s, that a reviewer would not expect', (level) => {
    const notes = only(boutique(level)).decisions.flatMap((decision) =>
      decision.notes
        .filter(({ severity }) => severity !== 'info')
        .map((note) => `${decision.source?.kind} ${decision.source?.name}: ${note.code} ${note.message}`),
    );
    expect(notes).toEqual([]);
  });
});
