import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { masked } from '../../../src/report/html/mask.ts';

const CANARY = 'c4n4ry';

describe('the page shows no value of', () => {
  test.each<[string, JsonObject]>([
    ['a Secret', { apiVersion: 'v1', kind: 'Secret', stringData: { password: CANARY } }],
    ['a secret in lower case', { apiVersion: 'v1', kind: 'secret', data: { password: CANARY } }],
    ['Secrets', { apiVersion: 'v1', kind: 'Secrets', stringData: { password: CANARY } }],
    ['a Secret with a blank', { apiVersion: 'v1', kind: 'Secret ', stringData: { password: CANARY } }],
    ['a kind that nobody knows, with stringData', { apiVersion: 'v1', kind: 'Credential', stringData: { password: CANARY } }],
    ['a malformed Secret', { apiVersion: 'v1', kind: 'Secret', immutable: CANARY }],
    [
      'an ExternalSecret’s literal template',
      {
        apiVersion: 'external-secrets.io/v1',
        kind: 'ExternalSecret',
        spec: { target: { template: { templateFrom: [{ literal: CANARY }] } } },
      },
    ],
    ['a sealedsecret', { apiVersion: 'bitnami.com/v1alpha1', kind: 'sealedsecret', spec: { encryptedData: { password: CANARY } } }],
  ])('%s', (_, object) => {
    expect(JSON.stringify(masked(object))).not.toContain(CANARY);
  });

  test('others are shown as they are', () => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { selector: { app: 'a' } } };
    expect(masked(service)).toEqual(service);
    const secret = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', immutable: true };
    expect(masked(secret)).toEqual(secret);
  });
});
