import { mayHaveMade } from '../../core/explain/made-by.ts';
import { apiVersionOf, kindKey, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { objectsFolder } from '../../core/plan/assign.ts';
import type { InputObject } from '../../core/plan/plan-types.ts';
import type { AssumedSubject } from './assumed-objects.ts';

/** The object of the tenant whose controller makes one that is called so, the one with the longest name; undefined where none does. */
export function makerOf(
  { apiVersion, kind, name, virtualNamespace }: AssumedSubject,
  inputs: readonly InputObject[],
  folder: string | undefined,
): AssumedSubject | undefined {
  const made = { kind: kindKey(apiVersion, kind), name };
  const [maker] = inputs
    .filter(({ object, source }) => objectsFolder(source.path) === folder && (namespaceOf(object) ?? 'default') === virtualNamespace)
    .map(({ object }) => ({ apiVersion: apiVersionOf(object), kind: kindOf(object), name: nameOf(object), virtualNamespace }))
    .filter((known) => mayHaveMade(kindKey(known.apiVersion, known.kind), known.name, made))
    .sort((a, b) => b.name.length - a.name.length);
  return maker;
}
