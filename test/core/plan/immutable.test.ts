import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { dotted } from '../../../src/core/kube/pointer.ts';
import { immutableChanges } from '../../../src/core/plan/immutable.ts';

const changed = (apiVersion: string, kind: string, before: JsonObject, after: JsonObject): string[] =>
  immutableChanges({ apiVersion, kind, ...before }, { apiVersion, kind, ...after }).map(({ path }) => dotted(path));

describe('a StatefulSet', () => {
  const template = (metadata: JsonObject): JsonObject => ({
    spec: { volumeClaimTemplates: [{ metadata: { name: 'data', ...metadata }, spec: { accessModes: ['ReadWriteOnce'] } }] },
  });
  const sets = (before: JsonObject, after: JsonObject): string[] => changed('apps/v1', 'StatefulSet', template(before), template(after));

  it('whose claim template changes at all cannot be changed in place', () => {
    expect(sets({}, { labels: { a: 'b' } })).toEqual(['spec.volumeClaimTemplates']);
    expect(sets({ annotations: { a: 'b' } }, {})).toEqual(['spec.volumeClaimTemplates']);
    expect(sets({}, { name: 'other' })).toEqual(['spec.volumeClaimTemplates']);
    expect(sets({}, { labels: {}, annotations: null })).toEqual([]);
  });
});

describe('a Job', () => {
  const jobs = (before: JsonObject, after: JsonObject): string[] => changed('batch/v1', 'Job', { spec: before }, { spec: after });

  it.each(['podFailurePolicy', 'successPolicy'])('cannot change its %s', (field) => {
    expect(jobs({}, { [field]: { rules: [] } })).toEqual([`spec.${field}`]);
  });

  it('cannot change its manager or its limit for each index', () => {
    expect(jobs({}, { managedBy: 'kubernetes.io/job-controller' })).toEqual(['spec.managedBy']);
    expect(jobs({ backoffLimitPerIndex: 1 }, { backoffLimitPerIndex: 2 })).toEqual(['spec.backoffLimitPerIndex']);
  });

  it('that is Indexed changes its completions with its parallelism, any other never', () => {
    const both = (count: number, more: JsonObject = {}): JsonObject => ({ completions: count, parallelism: count, ...more });
    const indexed: JsonObject = { completionMode: 'Indexed' };
    expect(jobs(both(3, indexed), both(5, indexed))).toEqual([]);
    expect(jobs(both(3, indexed), { ...indexed, completions: 1 })).toEqual([]);
    expect(jobs(both(3, indexed), both(5, { ...indexed, parallelism: 3 }))).toEqual(['spec.completions']);
    expect(jobs(both(3), both(5))).toEqual(['spec.completions']);
  });
});

describe('a Pod', () => {
  const base: JsonObject = {
    containers: [{ name: 'app', image: 'app:1', env: [{ name: 'A', value: '1' }] }],
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
    activeDeadlineSeconds: 60,
  };
  const pods = (after: JsonObject, before = base): string[] => changed('v1', 'Pod', { spec: before }, { spec: after });

  it.each<[string, JsonObject, string]>([
    ['a variable', { containers: [{ name: 'app', image: 'app:1', env: [{ name: 'A', value: '2' }] }] }, 'spec.containers[0].env[0].value'],
    ['a container more', { containers: [...(base['containers'] as JsonObject[]), { name: 'b' }] }, 'spec.containers'],
    ['no deadline', { activeDeadlineSeconds: null }, 'spec.activeDeadlineSeconds'],
    ['a later deadline', { activeDeadlineSeconds: 61 }, 'spec.activeDeadlineSeconds'],
    ['a toleration less', { tolerations: [] }, 'spec.tolerations'],
    ['a new field', { nodeSelector: { a: 'b' } }, 'spec.nodeSelector'],
    ['another grace period', { terminationGracePeriodSeconds: 5 }, 'spec.terminationGracePeriodSeconds'],
  ])('with %s cannot be changed in place', (_, fields, path) => {
    expect(pods({ ...base, ...fields })).toEqual([path]);
  });

  it.each<[string, JsonObject]>([
    ['another image', { containers: [{ name: 'app', image: 'app:2', env: [{ name: 'A', value: '1' }] }] }],
    ['an earlier deadline', { activeDeadlineSeconds: 6 }],
    ['one toleration more', { tolerations: [{ key: 'b' }, { key: 'a', operator: 'Exists', effect: 'NoExecute' }] }],
  ])('with %s can', (_, fields) => {
    expect(pods({ ...base, ...fields })).toEqual([]);
  });

  it('says the first difference only', () => {
    expect(pods({ ...base, nodeSelector: { a: 'b' }, hostname: 'x' })).toHaveLength(1);
  });
});

describe('an EndpointSlice', () => {
  it('cannot change the kind of its addresses', () => {
    expect(changed('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4' }, { addressType: 'IPv6' })).toEqual(['addressType']);
  });
});
