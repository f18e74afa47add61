import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/core/kube/object.ts';
import { type Change, keyOf, objectStore } from '../../../src/kube/reflector/object-store.ts';

const object = (key: string, version: string, uid = key): KubeObject => {
  const [namespace, name] = key.includes('/') ? key.split('/') : [undefined, key];
  return { metadata: { ...(namespace !== undefined && { namespace }), name: name ?? '', uid, resourceVersion: version } };
};
const words = (changes: readonly Change[]): string[] =>
  changes.map((change) => `${change.type} ${change.key}${change.type === 'deleted' && change.finalStateUnknown ? ' unseen' : ''}`);

describe('what a store tells', () => {
  test('the first time, another version, the same version, and the end', () => {
    const store = objectStore();
    expect(words(store.put(object('a/b', '1')))).toEqual(['added a/b']);
    expect(store.put(object('a/b', '2'))).toMatchObject([{ type: 'modified', old: { metadata: { resourceVersion: '1' } } }]);
    expect(store.put(object('a/b', '2'))).toEqual([]);
    expect(store.remove(object('a/b', '3'))).toMatchObject([
      { type: 'deleted', object: { metadata: { resourceVersion: '3' } }, finalStateUnknown: false },
    ]);
    expect(store.remove(object('a/b', '3'))).toEqual([]);
    expect(store.size).toBe(0);
  });

  test('of a whole list: what has gone while nobody looked, with its last known state', () => {
    const store = objectStore();
    store.replace([object('gone', '1'), object('stays', '1'), object('moves', '1'), object('again', '1', 'old')]);
    const changes = store.replace([object('stays', '1'), object('moves', '2'), object('again', '5', 'new'), object('new', '3')]);
    expect(words(changes)).toEqual(['deleted gone unseen', 'modified moves', 'deleted again unseen', 'added again', 'added new']);
    expect(changes[0]).toMatchObject({ object: { metadata: { resourceVersion: '1' } } });
  });

  test('another object under the same name is the end of the first', () => {
    const store = objectStore();
    store.put(object('a', '1', 'old'));
    expect(words(store.put(object('a', '2', 'new')))).toEqual(['deleted a unseen', 'added a']);
  });

  test('whoever follows what is told knows what the store holds', () => {
    const key = fc.constantFrom('a', 'b', 'n/a', 'n/b');
    const any = fc
      .record({ key, version: fc.constantFrom('1', '2'), uid: fc.constantFrom('x', 'y') })
      .map((given) => object(given.key, given.version, given.uid));
    const step = fc.oneof(
      any.map((given) => ({ put: given })),
      any.map((given) => ({ remove: given })),
      fc.uniqueArray(any, { selector: keyOf }).map((given) => ({ replace: given })),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const [store, follower] = [objectStore(), new Map<string, KubeObject>()];
        for (const each of steps) {
          const changes = 'put' in each ? store.put(each.put) : 'remove' in each ? store.remove(each.remove) : store.replace(each.replace);
          for (const change of changes) {
            expect(follower.has(change.key)).toBe(change.type !== 'added');
            if (change.type === 'deleted') follower.delete(change.key);
            else follower.set(change.key, change.object);
          }
          expect([...follower.keys()].sort()).toEqual([...store.keys()].sort());
          for (const [name, held] of follower) expect(store.get(name)).toEqual(held);
        }
      }),
    );
  });
});
