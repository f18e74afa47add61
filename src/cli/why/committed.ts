import { posix } from 'node:path';
import type { Question } from '../../core/explain/find-subjects.ts';
import { KEY } from '../../core/identity/metadata.ts';
import { annotationsOf, apiVersionOf, type KubeObject, kindKey, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { isOurs } from '../../core/plan/old-tree.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { type OpenPackage, readText } from './open-package.ts';

/** A file of the tree as it stands, which no decision of the package as it is now makes. */
export interface Committed {
  /** relative to `host/` */
  readonly path: string;
  readonly ours: boolean;
}

/** What the tree itself has of a question that the plan does not know: what a tenant cannot be planned from stays there. */
export function committed(open: OpenPackage, question: Question): readonly Committed[] {
  const { hostFile, name } = question;
  if (hostFile !== undefined) return readCommitted(open, hostFile, () => true);
  if (name === undefined) return [];
  return open.hostFiles.flatMap((path) => readCommitted(open, path, (object) => isMeant(object, question), name));
}

/** @param word what the file must hold to be worth parsing */
function readCommitted(open: OpenPackage, path: string, meant: (object: KubeObject) => boolean, word = ''): Committed[] {
  const text = readText(open, posix.join(HOST_FOLDER, path));
  if (text?.includes(word) !== true) return [];
  const [first] = readDocuments(text, path).objects;
  if (first === undefined) return word === '' ? [{ path, ours: false }] : [];
  return meant(first.object) ? [{ path, ours: isOurs(first.object) }] : [];
}

function isMeant(object: KubeObject, { kind, name, namespace, virtualNamespace, tenant }: Question): boolean {
  if (kind !== undefined && kindKey(apiVersionOf(object), kindOf(object)) !== kind) return false;
  const annotations = annotationsOf(object);
  if (tenant !== undefined && annotations.get(KEY.tenantCluster) !== tenant) return false;
  const own = virtualNamespace ?? namespace;
  const isOwn = annotations.get(KEY.virtualName) === name && (own === undefined || annotations.get(KEY.virtualNamespace) === own);
  const onHost =
    nameOf(object) === name && virtualNamespace === undefined && (namespace === undefined || namespaceOf(object) === namespace);
  return onHost || isOwn;
}
