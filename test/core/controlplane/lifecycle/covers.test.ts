import { describe, expect, test } from 'vitest';
import { covers } from '../../../../src/core/controlplane/lifecycle/covers.ts';
import type { JsonObject } from '../../../../src/core/kube/json.ts';

const service = (selector: JsonObject, more: JsonObject = {}): JsonObject => ({ kind: 'Service', spec: { selector, ...more } });

describe('whether a live object says all that is wanted', () => {
  test('fields of others beside ours are theirs', () => {
    expect(covers(service({ app: 'a' }, { clusterIP: '10.0.0.1' }), service({ app: 'a' }))).toBe(true);
  });

  test('a key more in a selector makes it another one', () => {
    expect(covers(service({ app: 'a', other: 'b' }), service({ app: 'a' }))).toBe(false);
  });
});
