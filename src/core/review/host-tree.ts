import type { Decision, ObjectRef } from '../decision/decision.ts';
import { equal, type JsonObject } from '../kube/json.ts';
import { apiVersionOf, kindKey, kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { isOurs } from '../plan/old-tree.ts';
import type { HostFile, Plan, PreviousObject } from '../plan/plan-types.ts';

/** One object of the tree that a plan leaves on the host. */
export interface TreeObject {
  readonly ref: ObjectRef & { readonly file: string };
  /** may be a getter that parses */
  readonly object: JsonObject;
  readonly text?: string;
  /** undefined where the plan left what stood */
  readonly decision?: Decision;
}

/** Objects by what they are to an API server, wherever their file lies: kind without version, namespace, name. */
export type HostTree = ReadonlyMap<string, TreeObject>;

/**
 * The tree after a plan was written: its files, and what stood and is neither written nor removed (of tenants that are frozen, of
 * configuration that is held).
 */
export function hostTree(plan: Plan, stood: readonly PreviousObject[] = []): HostTree {
  const tree = new Map<string, TreeObject>();
  const gone = new Set(plan.removed);
  for (const file of planFiles(plan)) {
    const entry = planned(file);
    tree.set(identity(entry.ref), entry);
    gone.add(file.path);
  }
  for (const { source, object } of stood.filter((entry) => !gone.has(entry.source.path))) {
    if (!isOurs(object)) continue;
    const ref = {
      apiVersion: apiVersionOf(object),
      kind: kindOf(object),
      namespace: namespaceOf(object) ?? '',
      name: nameOf(object),
      file: source.path,
    };
    if (!tree.has(identity(ref))) tree.set(identity(ref), { ref, object });
  }
  return tree;
}

/** A tree as the old one of the next plan. Nothing is parsed for what stays the same. */
export function asPrevious(tree: HostTree): PreviousObject[] {
  return [...tree.values()].map((entry) => ({
    source: { path: entry.ref.file, document: 0 },
    get object() {
      return entry.object;
    },
    matches: (desired, printed) =>
      entry.text !== undefined && printed !== undefined ? entry.text === printed : equal(entry.object, desired),
  }));
}

export function identity(ref: ObjectRef): string {
  return `${kindKey(ref.apiVersion, ref.kind)}|${ref.namespace}|${ref.name}`;
}

function planFiles(plan: Plan): readonly HostFile[] {
  return [...plan.tenants.flatMap(({ files }) => files), ...plan.shared];
}

function planned(file: HostFile): TreeObject {
  const { decision, path, text } = file;
  const ref = decision.host ?? { apiVersion: '', kind: '', namespace: '', name: '' };
  return {
    ref: { ...ref, file: path },
    ...(text !== undefined && { text }),
    decision,
    get object() {
      return file.object;
    },
  };
}
