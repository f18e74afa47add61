import { expect, test } from 'vitest';
import { renewAt, restartAt, serverRestartAt } from '../../../src/core/controlplane/certificate-life.ts';

const DAY = 24 * 3_600_000;

test('a certificate is renewed two thirds into its life', () => {
  expect(renewAt(0, 30 * DAY)).toBe(20 * DAY);
  expect(renewAt(5, 6)).toBe(5);
});

test('k3s is started again once it would renew what it signed, and not before: it renews nothing that is good for more than 90 days', () => {
  expect(restartAt(0, 365 * DAY)).toBe(275 * DAY);
  // shorter than that: it renews them at any start
  expect(restartAt(0, 60 * DAY)).toBe(40 * DAY);
});

test('a server is started again while what its last start left alone still lasts: for 90 days at least', () => {
  expect(serverRestartAt(0)).toBe(60 * DAY);
});
