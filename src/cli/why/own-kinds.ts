import { apiVersionOf, kindOf, nameOf } from '../../core/kube/object.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { declaredKinds, guessedPlural } from '../explain/declared-kinds.ts';
import type { DeclaredKind, KindName } from '../explain/find-kind.ts';
import { anyKind, tryAnyKind } from './host-kinds.ts';
import { type OpenPackage, readText } from './open-package.ts';

/**
 * The kind that a word means: one that everybody knows, that the package declares, or that an object of that name has, of whatever
 * tenant. Files of tenants are read only where the others do not know it.
 */
export function kindOfWord(open: OpenPackage, text: string, name: string): KindName {
  const declared = declaredKinds(open.config);
  return tryAnyKind(text, declared) ?? anyKind(text, [...declared, ...ownKinds(open, name)]);
}

/** The same where the kind is known. */
export function tryKindOfWord(open: OpenPackage, text: string, name: string): KindName | undefined {
  const declared = declaredKinds(open.config);
  return tryAnyKind(text, declared) ?? tryAnyKind(text, ownKinds(open, name));
}

function ownKinds(open: OpenPackage, name: string): readonly DeclaredKind[] {
  return open.sources.flatMap((path) => {
    const source = readText(open, path);
    if (source?.includes(name) !== true) return [];
    return readDocuments(source, path)
      .objects.filter(({ object }) => nameOf(object) === name)
      .map(({ object }) => ({ apiVersion: apiVersionOf(object), kind: kindOf(object), words: [guessedPlural(kindOf(object))] }));
  });
}
