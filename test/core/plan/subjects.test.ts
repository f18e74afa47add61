import { describe, expect, it } from 'vitest';
import { toSubjects } from '../../../src/core/plan/subjects.ts';

const reasons = (apiVersion: string): string[] =>
  toSubjects({ name: 'dev', namespace: 'team-dev' }, [
    { object: { apiVersion, kind: 'ConfigMap', metadata: { name: 'a' } }, source: { path: 'objects/a.yaml', document: 0 } },
  ]).decisions.map(({ reason }) => reason);

describe('an apiVersion', () => {
  it.each(['', '/v1', 'apps/', '/', 'a/b/c'])('"%s" is none, so the document is no object', (text) => {
    expect(reasons(text)).toEqual(['NotAnObject']);
  });

  it.each(['v1', 'apps/v1'])('"%s" is one', (text) => {
    expect(reasons(text)).toEqual([]);
  });
});
