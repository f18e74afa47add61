import { at, objectAt, objectsOf, stringAt } from '../../core/kube/json.ts';
import { kindOf } from '../../core/kube/object.ts';
import type { InputObject } from '../../core/plan/plan-types.ts';
import type { DeclaredKind } from './find-kind.ts';

/** Kinds that a package names beyond the table: entries of its policies, and its CustomResourceDefinitions with their short names. */
export function declaredKinds(inputs: readonly InputObject[]): readonly DeclaredKind[] {
  const defined = inputs
    .filter(({ object }) => kindOf(object) === 'CustomResourceDefinition')
    .flatMap(({ object }) => definedKinds(object));
  const listed = inputs
    .filter(({ object }) => kindOf(object) === 'SyncPolicy')
    .flatMap(({ object }) => objectsOf(at(object, 'spec', 'resources')))
    .map((entry) => ({ apiVersion: stringAt(entry, 'apiVersion') ?? '', kind: stringAt(entry, 'kind') ?? '' }));
  return [...defined, ...listed.map((kind) => ({ ...kind, words: [guessedPlural(kind.kind)] }))];
}

function definedKinds(object: InputObject['object']): readonly DeclaredKind[] {
  const names = objectAt(object, 'spec', 'names');
  const kind = stringAt(names, 'kind');
  const group = stringAt(object, 'spec', 'group');
  if (kind === undefined || group === undefined) return [];
  const shorts = at(names, 'shortNames');
  const words = [stringAt(names, 'plural'), stringAt(names, 'singular'), ...(Array.isArray(shorts) ? shorts : [])].filter(
    (word) => typeof word === 'string',
  );
  return objectsOf(at(object, 'spec', 'versions')).map((version) => ({
    apiVersion: `${group}/${stringAt(version, 'name') ?? ''}`,
    kind,
    words,
  }));
}

/** As Kubernetes guesses the resource of a kind (meta.UnsafeGuessKindToResource). */
export function guessedPlural(kind: string): string {
  const lower = kind.toLowerCase();
  if (lower.endsWith('s')) return `${lower}es`;
  return lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}
