import { trace } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { decide } from '../../../src/core/controlplane/lifecycle/decide.ts';
import type { LifecycleObservation } from '../../../src/core/controlplane/lifecycle/observation.ts';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import { makeLog } from '../../../src/reconciler/log/log.ts';
import { makeMetrics } from '../../../src/reconciler/metrics/metrics.ts';
import type { ReconcilerTools } from '../../../src/reconciler/reconcile.ts';
import { tellPass } from '../../../src/reconciler/tenant/tell-pass.ts';
import { observation, tenantCluster } from '../../support/lifecycle.ts';
import { ANSWERS, PUBLISHED, standing, WAS_READY } from '../../support/lifecycle-states.ts';

async function provisionings(given: Partial<LifecycleObservation>): Promise<string | undefined> {
  const metrics = makeMetrics({ byTenant: false });
  const log = makeLog({ write: () => undefined, wall: Date.now });
  const tools = { metrics, log, clock: SYSTEM_CLOCK, tracer: trace.getTracer('test') } as unknown as ReconcilerTools;
  const seen = observation(given);
  tellPass({ observation: seen, decision: decide(seen), done: [] }, tools);
  return /tenantplane_provision_duration_seconds_count (\d+)/.exec((await metrics.scrape()).text)?.[1];
}

test('the time to a first answer is measured once, and not again after an upgrade', async () => {
  const answering = { secrets: PUBLISHED, live: standing(), api: ANSWERS };
  const upgraded = { ...tenantCluster(), status: { ...WAS_READY.status, phase: 'Provisioning' } };
  expect(await provisionings({})).toBe('0');
  expect(await provisionings(answering)).toBe('1');
  expect(await provisionings({ ...answering, tenantCluster: upgraded })).toBe('0');
});
