import { expect, test } from 'vitest';
import { renewAt, restartAt } from '../../../src/core/controlplane/certificate-life.ts';

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
