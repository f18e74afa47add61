import { describe, expect, it } from 'vitest';
import { toSubjects } from '../../../src/core/plan/subjects.ts';

const decisions = (apiVersion: string) =>
  toSubjects({ name: 'dev', namespace: 'team-dev' }, [
    { object: { apiVersion, kind: 'ConfigMap', metadata: { name: 'a' } }, source: { path: 'objects/a.yaml', document: 0 } },
  ]).decisions;

describe('an apiVersion', () => {
  it.each(['', '/v1', 'apps/', '/', 'a/b/c'])('"%s" is none, so the object is refused, with the one that its kind has', (text) => {
    const found = text === '' ? 'missing' : JSON.stringify(text);
    expect(decisions(text)).toEqual([
      expect.objectContaining({
        reason: 'ObjectMalformed',
        disposition: 'Rejected',
        message: `apiVersion is ${found}, not a version or group/version.`,
        remedy: 'Write apiVersion: v1.',
      }),
    ]);
  });

  it.each(['v1', 'apps/v1'])('"%s" is one', (text) => {
    expect(decisions(text)).toEqual([]);
  });
});
