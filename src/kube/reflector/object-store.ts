import { stringAt } from '../../core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { resourceVersionOf } from './watch-event.ts';

/** `namespace/name`, or the name alone where there is no namespace. */
export type ObjectKey = string;

export function keyOf(object: KubeObject): ObjectKey {
  const namespace = namespaceOf(object);
  return namespace === undefined || namespace === '' ? nameOf(object) : `${namespace}/${nameOf(object)}`;
}

/** The objects of one resource as they were last seen. */
export interface ObjectStore {
  get(key: ObjectKey): KubeObject | undefined;
  keys(): Iterable<ObjectKey>;
  values(): Iterable<KubeObject>;
  /** the objects of one namespace, without a look at those of others */
  inNamespace(namespace: string): Iterable<KubeObject>;
  readonly size: number;
}

/** What happened to one object since it was last told of. */
export type Change =
  | { readonly type: 'added'; readonly key: ObjectKey; readonly object: KubeObject }
  | { readonly type: 'modified'; readonly key: ObjectKey; readonly object: KubeObject; readonly old: KubeObject }
  | {
      readonly type: 'deleted';
      readonly key: ObjectKey;
      /** its last state; the last that was seen, where nobody saw it go */
      readonly object: KubeObject;
      readonly finalStateUnknown: boolean;
    };

/** Each of these changes a store's content and says what changed, in the order in which it is to be told. */
export interface MutableStore extends ObjectStore {
  put(object: KubeObject): readonly Change[];
  remove(object: KubeObject): readonly Change[];
  /** takes a complete list for the whole content: what is not in it has gone while nobody looked */
  replace(objects: Iterable<KubeObject>): readonly Change[];
}

export function objectStore(): MutableStore {
  let content = new Map<ObjectKey, KubeObject>();
  let byNamespace = new Map<string, Map<ObjectKey, KubeObject>>();

  function changed(key: ObjectKey, old: KubeObject | undefined, object: KubeObject): readonly Change[] {
    if (old === undefined) return [{ type: 'added', key, object }];
    // the name was given to another object: whoever kept something of the old one has to let it go
    if (uidOf(old) !== uidOf(object)) return [gone(key, old, true), { type: 'added', key, object }];
    return resourceVersionOf(old) === resourceVersionOf(object) ? [] : [{ type: 'modified', key, object, old }];
  }

  return {
    get: (key) => content.get(key),
    keys: () => content.keys(),
    values: () => content.values(),
    inNamespace: (namespace) => byNamespace.get(namespace)?.values() ?? [],
    get size() {
      return content.size;
    },
    put: (object) => {
      const key = keyOf(object);
      const changes = changed(key, content.get(key), object);
      content.set(key, object);
      index(byNamespace, key, object);
      return changes;
    },
    remove: (object) => {
      const key = keyOf(object);
      if (!content.delete(key)) return [];
      const namespace = namespaceOf(object) ?? '';
      const others = byNamespace.get(namespace);
      others?.delete(key);
      if (others?.size === 0) byNamespace.delete(namespace);
      return [gone(key, object, false)];
    },
    replace: (objects) => {
      const next = new Map<ObjectKey, KubeObject>();
      for (const object of objects) next.set(keyOf(object), object);
      const changes: Change[] = [];
      for (const [key, old] of content) if (!next.has(key)) changes.push(gone(key, old, true));
      for (const [key, object] of next) changes.push(...changed(key, content.get(key), object));
      content = next;
      byNamespace = new Map();
      for (const [key, object] of content) index(byNamespace, key, object);
      return changes;
    },
  };
}

function index(byNamespace: Map<string, Map<ObjectKey, KubeObject>>, key: ObjectKey, object: KubeObject): void {
  const namespace = namespaceOf(object) ?? '';
  const standing = byNamespace.get(namespace);
  if (standing === undefined) byNamespace.set(namespace, new Map([[key, object]]));
  else standing.set(key, object);
}

function gone(key: ObjectKey, object: KubeObject, finalStateUnknown: boolean): Change {
  return { type: 'deleted', key, object, finalStateUnknown };
}

function uidOf(object: KubeObject): string {
  return stringAt(object, 'metadata', 'uid') ?? '';
}
