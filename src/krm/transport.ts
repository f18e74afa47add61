import { isObject, type JsonObject, objectAt, put } from '../core/kube/json.ts';
import type { KubeObject } from '../core/kube/object.ts';

/**
 * Annotations by which orchestrators move an item between file and function. They are no part of the object: never shown to
 * the planner, never copied to another item (a clone with the id of its source got the source's comments, and kpt dropped
 * clones that carried its resource id).
 */
export const PATH_KEY = 'internal.config.kubernetes.io/path';
export const INDEX_KEY = 'internal.config.kubernetes.io/index';
export const PACKAGE_KEY = 'internal.config.kubernetes.io/package-path';
export const LEGACY_PATH_KEY = 'config.kubernetes.io/path';
export const LEGACY_INDEX_KEY = 'config.kubernetes.io/index';

/** kustomize: which file an object came from, or which generator made it */
export const ORIGIN_KEY = 'config.kubernetes.io/origin';

const EXACT: ReadonlySet<string> = new Set([
  LEGACY_PATH_KEY,
  LEGACY_INDEX_KEY,
  'config.k8s.io/id',
  'config.kubernetes.io/merge-source',
  ORIGIN_KEY,
  'alpha.config.kubernetes.io/transformations',
  'kustomize.config.k8s.io/id',
]);
const PREFIXES: readonly string[] = ['internal.config.kubernetes.io/', 'internal.config.k8s.io/', 'internal.kpt.dev/'];

export function isTransport(key: string): boolean {
  return EXACT.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** The object without them, and what they were. The object itself is left as it is. */
export function splitTransport(object: KubeObject): { readonly object: KubeObject; readonly transport: JsonObject } {
  const annotations = objectAt(object, 'metadata', 'annotations');
  const transport: JsonObject = {};
  if (annotations === undefined || !Object.keys(annotations).some(isTransport)) return { object, transport };
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(annotations)) if (value !== undefined) put(isTransport(key) ? transport : kept, key, value);
  return { object: withAnnotations(object, kept), transport };
}

/** Marks a source as none of what is applied; we set it ourselves (`output.sources: mark`), so it must change no host object. */
export const LOCAL_CONFIG = 'config.kubernetes.io/local-config';

/** The object as the planner gets it, whichever way it came: without annotations that are about files and tools. */
export function asInput(object: KubeObject): KubeObject {
  const bare = splitTransport(object).object;
  const annotations = objectAt(bare, 'metadata', 'annotations');
  if (annotations === undefined || !Object.hasOwn(annotations, LOCAL_CONFIG)) return bare;
  return withAnnotations(bare, Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== LOCAL_CONFIG)));
}

/** The object with annotations for the way added after its own. */
export function addTransport(object: KubeObject, transport: JsonObject): KubeObject {
  return withAnnotations(object, { ...objectAt(object, 'metadata', 'annotations'), ...transport });
}

function withAnnotations(object: KubeObject, annotations: JsonObject): KubeObject {
  const metadata: JsonObject = { ...(isObject(object['metadata']) ? object['metadata'] : {}) };
  if (Object.keys(annotations).length === 0) delete metadata['annotations'];
  else metadata['annotations'] = annotations;
  return { ...object, metadata };
}
