import { describe, expect, it } from 'vitest';
import { claimRefusals } from '../../../src/core/checks/claim.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { dotted } from '../../../src/core/kube/pointer.ts';
import { testContext } from '../context.ts';

const none = testContext();
const gold = testContext({ allow: { storageClasses: ['gold', 'silver'] } });

const REFUSED: readonly (readonly [string, JsonObject, string, string])[] = [
  ['a volume by name', { volumeName: 'pv-of-other' }, 'VolumeNamePinned', 'spec.volumeName'],
  ['volumes by label', { selector: { matchLabels: { a: 'b' } } }, 'VolumeNamePinned', 'spec.selector'],
  ['a class that is not allowed', { storageClassName: 'bronze' }, 'StorageClassBlocked', 'spec.storageClassName'],
  ['the class of volumes made by hand', { storageClassName: '' }, 'StorageClassBlocked', 'spec.storageClassName'],
  ['an attributes class', { volumeAttributesClassName: 'fast' }, 'StorageClassBlocked', 'spec.volumeAttributesClassName'],
  [
    'a claim of another namespace',
    { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'db', namespace: 'other' } },
    'VolumeNamePinned',
    'spec.dataSourceRef.namespace',
  ],
  [
    'a snapshot of the host',
    { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' } },
    'VolumeNamePinned',
    'spec.dataSource',
  ],
];

describe('a claim', () => {
  for (const [title, spec, reason, path] of REFUSED)
    it(`is refused for ${title}`, () => {
      for (const ctx of [none, gold]) {
        const [first] = claimRefusals(spec, ['spec'], ctx);
        expect(first?.reason).toBe(reason);
        expect(dotted(first?.path ?? [])).toBe(path);
      }
    });

  it('says which classes are allowed', () => {
    expect(claimRefusals({ storageClassName: 'bronze' }, [], gold)[0]?.params).toEqual({
      class: 'bronze',
      profile: 'restricted',
      allowed: 'gold, silver',
    });
    expect(claimRefusals({ storageClassName: '' }, [], none)[0]?.params).toMatchObject({ class: '""', allowed: 'the default class only' });
  });

  it('passes with an allowed class, with none, and with a claim of its own to clone', () => {
    expect(claimRefusals({ storageClassName: 'gold' }, [], gold)).toEqual([]);
    expect(claimRefusals({ storageClassName: null, volumeName: '' }, [], none)).toEqual([]);
    expect(claimRefusals({ dataSource: { kind: 'PersistentVolumeClaim', name: 'db' } }, [], none)).toEqual([]);
  });
});
