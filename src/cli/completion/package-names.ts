import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { apiVersionOf, kindKey, kindOf, nameOf } from '../../core/kube/object.ts';
import { objectsFolder } from '../../core/plan/assign.ts';
import { makesPods } from '../../core/reach/workloads.ts';
import { readListed } from '../../krm/package.ts';
import { declaredKinds } from '../explain/declared-kinds.ts';
import type { CliIo } from '../io.ts';
import { packageRoot } from '../package/package-root.ts';
import { tryAnyKind } from '../why/host-kinds.ts';
import { type OpenPackage, openPackage } from '../why/open-package.ts';
import { NAMES } from './naming.ts';

/** A shell may take what it is offered for more than a word; names of Kubernetes are never more. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9./-]*$/;

/**
 * Names that a word may become: tenants, and `kind/name` in the spelling of the kind that was begun.
 * @param words as they stand on the line behind the command; the last one is being typed
 */
export async function packageNames(command: string, words: readonly string[], io: CliIo): Promise<readonly string[]> {
  const wanted = NAMES[command] ?? [];
  const typed = words.at(-1) ?? '';
  const folder = words.slice(0, -1).findLast((word) => statSync(resolve(io.cwd, word), { throwIfNoEntry: false })?.isDirectory());
  const root = packageRoot(folder, io, { quiet: true });
  const open = await openPackage({ root }, io.signal);
  const tenants = open.clusters.map(({ key, name }) =>
    open.clusters.some((other) => other.name === name && other.key !== key) ? key : name,
  );
  const names = [
    ...(wanted.includes('tenants') ? tenants : []),
    ...(wanted.includes('objects') || wanted.includes('ends') ? await objectNames(open, words, typed, wanted.includes('ends'), io) : []),
  ];
  return [...new Set(names)].filter((name) => PLAIN.test(name) && name.startsWith(typed)).sort();
}

async function objectNames(
  open: OpenPackage,
  words: readonly string[],
  typed: string,
  ends: boolean,
  io: CliIo,
): Promise<readonly string[]> {
  const flag = words.lastIndexOf('--tenant');
  const tenant = flag < 0 ? undefined : open.clusters.find(({ key, name }) => key === words[flag + 1] || name === words[flag + 1]);
  const paths = open.sources.filter((path) => tenant === undefined || objectsFolder(path) === tenant.folder);
  const slash = typed.lastIndexOf('/');
  const begun = slash < 0 ? undefined : typed.slice(0, slash);
  const kind = begun === undefined ? undefined : tryAnyKind(begun, declaredKinds(open.config));
  const { inputs } = await readListed(open.root, paths, io.signal);
  return inputs.flatMap(({ object }) => {
    const [apiVersion, own] = [apiVersionOf(object), kindOf(object)];
    if (ends && own !== 'Service' && !makesPods(apiVersion, own)) return [];
    if (kind === undefined) return `${own.toLowerCase()}/${nameOf(object)}`;
    return kindKey(apiVersion, own) === kindKey(kind.apiVersion, kind.kind) ? `${begun}/${nameOf(object)}` : [];
  });
}
