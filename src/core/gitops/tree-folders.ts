import { apiVersionOf, groupOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../kube/object.ts';

/** A folder of a rendered tree that is applied by itself. */
export interface TreeFolder {
  /** below `host/`: `team-dev`, `team-dev/shard-03` */
  readonly path: string;
  readonly role: FolderRole;
  /** of its objects */
  readonly count: number;
  /** host namespaces that its objects lie in or are, sorted */
  readonly namespaces: readonly string[];
  /** kinds of its objects that lie in no namespace, sorted */
  readonly clusterKinds: readonly GroupKind[];
}

export type FolderRole = 'platform' | 'tenant' | 'config';

/** The order in which they are applied. */
const TURN: Readonly<Record<FolderRole, number>> = { platform: 0, tenant: 1, config: 2 };

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** One file of the tree, its path below `host/`. */
export interface TreeObject {
  readonly path: string;
  readonly object: KubeObject;
}

/**
 * The folders of a tree, in the order in which they are applied.
 * @param cut `top`: one for each tenant. `leaf`: one for each folder that holds files, so the shards of a spread tenant apart
 */
export function treeFolders(objects: Iterable<TreeObject>, cut: 'top' | 'leaf'): readonly TreeFolder[] {
  const folders = new Map<string, KubeObject[]>();
  for (const { path, object } of objects) {
    const folder = path.slice(0, cut === 'top' ? path.indexOf('/') : path.lastIndexOf('/'));
    const held = folders.get(folder);
    if (held === undefined) folders.set(folder, [object]);
    else held.push(object);
  }
  return [...folders].map(([path, held]) => folderOf(path, held)).sort((a, b) => TURN[a.role] - TURN[b.role] || (a.path < b.path ? -1 : 1));
}

function folderOf(path: string, objects: readonly KubeObject[]): TreeFolder {
  const namespaces = objects.flatMap((object) => namespaceOf(object) ?? (isNamespace(object) ? nameOf(object) : []));
  const kinds = objects
    .filter((object) => namespaceOf(object) === undefined)
    .map((object): [string, GroupKind] => {
      const [group, kind] = [groupOf(apiVersionOf(object)), kindOf(object)];
      return [`${group}/${kind}`, { group, kind }];
    });
  return {
    path,
    role: path === 'platform' || path === 'config' ? path : 'tenant',
    count: objects.length,
    namespaces: [...new Set(namespaces)].sort(),
    clusterKinds: [...new Map(kinds.sort(([a], [b]) => (a < b ? -1 : 1))).values()],
  };
}

function isNamespace(object: KubeObject): boolean {
  return kindOf(object) === 'Namespace' && apiVersionOf(object) === 'v1';
}
