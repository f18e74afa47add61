import { stringAt } from './json.ts';
import { type KubeObject, nameOf } from './object.ts';

/**
 * The name of the Secret that a controller makes from an object, where it makes one. A SealedSecret makes one of its own name; an
 * ExternalSecret one of its target's name, unless it only merges into a Secret that is there (creationPolicy, external-secrets.io).
 */
export function madeSecret(key: string, object: KubeObject): string | undefined {
  if (key === 'SealedSecret.bitnami.com') return nameOf(object);
  if (key !== 'ExternalSecret.external-secrets.io') return undefined;
  const policy = stringAt(object, 'spec', 'target', 'creationPolicy') ?? 'Owner';
  if (policy === 'Merge' || policy === 'None') return undefined;
  const target = stringAt(object, 'spec', 'target', 'name') ?? '';
  return target === '' ? nameOf(object) : target;
}
