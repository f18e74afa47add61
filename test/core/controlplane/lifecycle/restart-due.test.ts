import { expect, test } from 'vitest';
import { restartDue } from '../../../../src/core/controlplane/lifecycle/certificates.ts';
import type { ApiState, LiveObjects } from '../../../../src/core/controlplane/lifecycle/observation.ts';
import type { JsonObject } from '../../../../src/core/kube/json.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2027, 5, 1);

function pod(days: number | undefined): JsonObject {
  const state = days === undefined ? { waiting: {} } : { running: { startedAt: new Date(NOW - days * DAY).toISOString() } };
  const sidecar = { name: 'other', state: { running: { startedAt: '2020-01-01T00:00:00Z' } } };
  return { status: { containerStatuses: [sidecar, { name: 'k3s', state }] } };
}

/** Of servers that have run for so many days, behind a certificate that was made so many days ago. */
function due(servers: readonly (number | undefined)[], serving: number, restartedDaysAgo?: number | string): boolean {
  const live: LiveObjects = { services: [], configMaps: [], claims: [], workloads: 0, pods: servers.map(pod) };
  const lifetime = { name: 'serving', notBefore: NOW - serving * DAY, notAfter: NOW + (365 - serving) * DAY };
  const api: ApiState = { kind: 'answers', version: 'v1.34.2', serving: lifetime };
  const ago = (days: number): string => new Date(NOW - days * DAY).toISOString();
  return restartDue({ api, live, now: NOW }, typeof restartedDaysAgo === 'number' ? ago(restartedDaysAgo) : restartedDaysAgo);
}

test('a server that ran for long is restarted, though it renews the certificate that it shows by itself', () => {
  expect(due([59], 1)).toBe(false);
  expect(due([61], 1)).toBe(true);
  expect(due([1, 61, 1], 1)).toBe(true);
});

test('and one that shows a certificate near its end', () => {
  expect(due([1], 274)).toBe(false);
  expect(due([1], 276)).toBe(true);
});

test('not again while that restart goes on, nor where nothing runs', () => {
  expect(due([61], 1, 0.5)).toBe(false);
  expect(due([61], 1, 2)).toBe(true);
  expect(due([undefined], 1)).toBe(false);
});

test('a time of the last restart that is none, or is to come, holds up no restart; one that a clock may be ahead by does', () => {
  expect(due([61], 1, 'yesterday')).toBe(true);
  expect(due([61], 1, -300)).toBe(true);
  expect(due([61], 1, -1 / 1440)).toBe(false);
  expect(due([1], 1, 'yesterday')).toBe(false);
});
