import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/kube/json.ts';
import { kindOf } from '../../src/core/kube/object.ts';
import type { InputObject, TenantPlan } from '../../src/core/plan/plan-types.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { DEFAULT_CONFIG, type Rendered, render } from '../support/example.ts';
import { openings } from '../support/openings.ts';
import { wouldRun } from '../support/would-run.ts';

/** The public Online Boutique demo, which is not part of this repository. */
const FOLDER = join(import.meta.dirname, '../../../shared/inputs/microservices-demo');
const PRESENT = existsSync(FOLDER);
if (!PRESENT) console.warn('microservices-demo: skipped, since ../shared/inputs/microservices-demo is not beside the checkout');

type Level = 'baseline' | 'restricted' | 'sandboxed';
const LEVELS: readonly Level[] = ['baseline', 'restricted', 'sandboxed'];
const KINDS = ['apps/v1 Deployment', 'v1 Service'];

function platform(level: Level): JsonObject[] {
  const apiVersion = 'tenantplane.io/v1alpha1';
  return [
    { apiVersion, kind: 'IsolationProfile', metadata: { name: level }, spec: { level } },
    {
      apiVersion,
      kind: 'SyncPolicy',
      metadata: { name: 'demo' },
      spec: {
        resources: KINDS.map((kind) => ({ apiVersion: kind.split(' ')[0] ?? '', kind: kind.split(' ')[1] ?? '', direction: 'toHost' })),
      },
    },
    {
      apiVersion,
      kind: 'TenantCluster',
      metadata: { name: 'demo', namespace: 'boutique' },
      spec: {
        isolationProfileRef: { name: level },
        syncPolicyRef: { name: 'demo' },
        networking: { egressPolicy: 'allow-same-tenant' },
        resources: { cpu: '4', memory: '8Gi' },
      },
    },
  ];
}

function boutique(level: Level): Rendered {
  const inputs: InputObject[] = platform(level).map((object, document) => ({ object, source: { path: 'boutique/tenant.yaml', document } }));
  for (const file of readdirSync(FOLDER).sort()) {
    inputs.push(...readDocuments(readFileSync(join(FOLDER, file), 'utf8'), `boutique/objects/${file}`).objects);
  }
  return render(inputs, { ...DEFAULT_CONFIG, host: { version: '1.34' } });
}

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

describe.skipIf(!PRESENT)('the microservices demo as a tenant', () => {
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
