import { describe, expect, it } from 'vitest';
import { at, type Json, type JsonObject } from '../../../../src/core/kube/json.ts';
import type { PolicyEntry } from '../../../../src/core/plan/settings.ts';
import { customTranslation } from '../../../../src/core/translate/kinds/custom.ts';
import { testContext, translateKind } from '../../context.ts';
import { make, ownLabels } from './kind.ts';

const ENTRY: PolicyEntry = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  key: 'Widget.example.com',
  direction: 'toHost',
  scope: 'Namespaced',
  references: [
    { path: 'spec.secretRef.name', kind: 'Secret', apiVersion: 'v1' },
    { path: 'spec.items[*].target.name', kind: 'Deployment', apiVersion: 'apps/v1' },
    { path: 'spec.claims[*]', kind: 'PersistentVolumeClaim', apiVersion: 'v1' },
  ],
  selectors: [{ path: 'spec.selector' }, { path: 'spec.groups[*].podSelector' }],
};
const translate = (spec: JsonObject, entry: PolicyEntry = ENTRY) => {
  const { edit, refusals } = translateKind(
    customTranslation(entry),
    make('example.com/v1', 'Widget', 'w', { spec }),
    testContext({ entries: [entry] }),
  );
  return {
    refused: refusals.map(({ reason }) => reason),
    edit,
    host: (...path: (string | number)[]): Json | undefined => at(edit.object, 'spec', ...path),
  };
};

describe('a custom kind', () => {
  it('leaves no raw name of what its entry declares', () => {
    const result = translate({
      secretRef: { name: 's' },
      items: [{ target: { name: 'a' } }, {}, { target: { name: 'b' } }],
      claims: ['c'],
      other: 'raw',
    });
    expect(result.refused).toEqual([]);
    expect(result.edit.object['spec']).toEqual({
      secretRef: { name: 's-x-default-x-dev' },
      items: [{ target: { name: 'a-x-default-x-dev' } }, {}, { target: { name: 'b-x-default-x-dev' } }],
      claims: ['c-x-default-x-dev'],
      other: 'raw',
    });
    expect(result.edit.references.map(({ targetKind, name }) => `${targetKind} ${name}`)).toEqual([
      'Secret s',
      'Deployment.apps a',
      'Deployment.apps b',
      'PersistentVolumeClaim c',
    ]);
  });

  it('reads a namespace beside a name as the tenant’s', () => {
    const result = translate({ secretRef: { name: 's', namespace: 'kube-system' } });
    expect(result.host('secretRef')).toEqual({ name: 's-x-kube-system-x-dev', namespace: 'team-dev' });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['a map of labels', { app: 'x' }, { app: 'x', ...ownLabels() }],
    ['a LabelSelector', { matchLabels: { app: 'x' } }, { matchLabels: { app: 'x', ...ownLabels() } }],
    [
      'a LabelSelector of expressions',
      { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      { matchLabels: ownLabels(), matchExpressions: [{ key: 'a', operator: 'Exists' }] },
    ],
    ['an empty selector, which could mean every pod', {}, { matchLabels: ownLabels() }],
    ['a map with a label called matchLabels', { matchLabels: 'x' }, { matchLabels: 'x', ...ownLabels() }],
  ])('scopes %s', (_, selector, expected) => {
    expect(translate({ selector }).host('selector')).toEqual(expected);
    expect(translate({ groups: [{ podSelector: selector }] }).host('groups', 0, 'podSelector')).toEqual(expected);
  });

  it('scopes a path that ends at the labels themselves', () => {
    const entry = { ...ENTRY, references: [], selectors: [{ path: 'spec.selector.matchLabels' }] };
    expect(translate({ selector: { matchLabels: { app: 'x' } } }, entry).host('selector')).toEqual({
      matchLabels: { app: 'x', ...ownLabels() },
    });
  });

  it.each<[string, JsonObject]>([
    ['a name that is a map', { secretRef: { name: { name: 's' } } }],
    ['a name that is a list', { claims: [['c']] }],
    ['a name that is a number', { secretRef: { name: 5 } }],
    ['a selector that is a text', { selector: 'app=x' }],
    ['a selector that is a list', { selector: [{ app: 'x' }] }],
  ])('with %s is refused', (_, spec) => {
    expect(translate(spec).refused).toContain('ObjectMalformed');
  });

  it('of an entry with an unreadable path is refused rather than half translated', () => {
    const entry = { ...ENTRY, references: [{ path: 'spec..name', kind: 'Secret', apiVersion: 'v1' }] };
    expect(translate({}, entry).refused).toEqual(['EntryUnparseable']);
  });
});
