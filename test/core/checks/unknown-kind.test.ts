import { expect, test } from 'vitest';
import { unknownKindFix } from '../../../src/core/checks/unknown-kind.ts';

const CUSTOM = 'If it is a custom kind, add an entry with scope, references and selectors to SyncPolicy p.';

test.each([
  ['extensions/v1beta1', 'Deployment', 'Write apiVersion: apps/v1.'],
  ['v1', 'Deployment', 'Write apiVersion: apps/v1.'],
  ['policy/v1beta1', 'PodDisruptionBudget', 'Write apiVersion: policy/v1.'],
  ['apps/v1', 'Deploymnt', 'Did you mean kind Deployment of apps/v1?'],
  ['v1', 'secret', 'Did you mean kind Secret of v1?'],
  ['serving.knative.dev/v1', 'Service', CUSTOM],
  ['example.com/v1', 'Secrets', CUSTOM],
  ['example.com/v1', 'Gadget', CUSTOM],
])('an unknown %s %s gets the advice that fits', (apiVersion, kind, fix) => {
  expect(unknownKindFix({ apiVersion, kind }, 'p')).toBe(fix);
});
