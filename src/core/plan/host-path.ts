import { digest } from '../identity/digest.ts';
import type { KubeObject } from '../kube/object.ts';
import { apiVersionOf, groupOf, kindOf, nameOf } from '../kube/object.ts';

const LONGEST = 200;

/** Of a tree that is spread: applied before its shards. */
export const ISOLATION_FOLDER = 'isolation';

/**
 * The file of a host object below its folder: `<kind>.<group>_<name>.yaml` in lower case, so that it is distinct on a
 * case-insensitive disk and legal on every one (host names hold no upper case). Cut with a digest past 200 bytes.
 */
export function fileName(object: KubeObject, name: string = nameOf(object)): string {
  const group = groupOf(apiVersionOf(object));
  const kind = (group === '' ? kindOf(object) : `${kindOf(object)}.${group}`).toLowerCase();
  const stem = `${kind}_${name.toLowerCase()}`;
  if (stem.length + '.yaml'.length <= LONGEST) return `${stem}.yaml`;
  return `${stem.slice(0, LONGEST - 18)}-${digest([kind, name])}.yaml`;
}

/**
 * The folder of a tenant's tree, or the stable subfolder that an object falls into where the tree is spread. Namespaces and what
 * closes them then stand in a folder of their own: each is applied by itself, and they have to be there before the first pod.
 */
export function tenantFolder(namespace: string, file: string, shards: number, part: 'isolation' | 'objects' = 'objects'): string {
  if (shards <= 1) return namespace;
  if (part === 'isolation') return `${namespace}/${ISOLATION_FOLDER}`;
  let sum = 0;
  for (const character of digest([file])) sum = (sum * 33 + character.charCodeAt(0)) % 1_000_003;
  return `${namespace}/shard-${String(sum % shards).padStart(2, '0')}`;
}
