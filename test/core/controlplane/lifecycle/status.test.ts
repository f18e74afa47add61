import { expect, test } from 'vitest';
import { isNews, withoutOthers } from '../../../../src/core/controlplane/lifecycle/status.ts';

test('who works on a tenant stands in its status, and is neither news nor somebody else’s field there', () => {
  const wanted = { phase: 'Ready', conditions: [] };
  const leader = { lease: 'tenantplane-system/tenantplane-reconciler', holderIdentity: 'one' };
  expect(isNews({ status: { ...wanted, leader } }, wanted)).toBe(false);
  expect(isNews({ status: { leader } }, wanted)).toBe(true);
  expect(withoutOthers({ ...wanted, leader }, wanted)).toBeUndefined();
  expect(withoutOthers({ ...wanted, leader, byHand: true }, wanted)).toEqual({ ...wanted, byHand: null });
});
