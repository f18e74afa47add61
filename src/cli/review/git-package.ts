import { posix } from 'node:path';
import type { Finding } from '../../core/plan/plan-types.ts';
import { assemblePackage, type DocumentReader, HOST_FOLDER, type Package, READ, textOfBytes } from '../../krm/package.ts';
import { hiddenPaths, packageFiles } from '../../krm/package-paths.ts';
import { hiddenObjects, insideLink, outsideLink } from '../../krm/passed-over.ts';
import { toolFileFinding } from '../../krm/tool-files.ts';
import { TenantplaneError } from '../errors.ts';
import type { Git, GitEntry } from './git.ts';

export interface AtCommit {
  readonly commit: string;
  /** as it was asked for, for messages */
  readonly ref: string;
  /** of the package in the repository */
  readonly folder: string;
  /** absolute, where the package lies or would lie */
  readonly root: string;
}

const LFS = 'version https://git-lfs.github.com/spec/';

/** A package as a commit holds it. Nothing is checked out, and no filter or hook of the repository runs. */
export function packageAtCommit(git: Git, { commit, ref, folder, root }: AtCommit, read: DocumentReader): Package {
  const entries = git.list(commit, folder);
  if (entries === undefined) {
    const submodule = git.submoduleAt(commit, folder);
    if (submodule !== undefined) throw otherRepository(submodule, ref);
    throw new TenantplaneError('usage', `${ref} (${commit.slice(0, 12)}) has no folder ${folder}.`, {
      hint: 'Name a package that a side of the change has, from the root of the repository or as a path from here.',
    });
  }
  const files = new Map(entries.filter(({ type }) => type === 'file').map((entry) => [entry.path, entry]));
  const textAt = (path: string): string => contents(git, files.get(path))[0]?.toString('utf8') ?? '';
  const paths = packageFiles([...files.keys()], textAt);
  needNoSubmodule(entries, (path) => packageFiles([...files.keys(), path], textAt).includes(path), ref);
  const bytes = git.blobs(paths.map((path) => files.get(path)?.id ?? ''));
  const byPath = new Map(paths.map((path, index) => [path, bytes[index] ?? Buffer.alloc(0)]));
  const findings = [
    ...linkFindings(git, entries),
    ...entries.flatMap(({ path }) => toolFileFinding(path) ?? []),
    ...hiddenPaths([...files.keys()], textAt).map(hiddenObjects),
  ];
  return assemblePackage(root, { paths, findings }, (path, rendered) => textOf(byPath.get(path) ?? Buffer.alloc(0), path, rendered, ref), {
    read,
  });
}

/** What lies in a submodule would be missing, as if somebody had deleted it. A rendered tree may lie in one: it is no input. */
function needNoSubmodule(entries: readonly GitEntry[], isRead: (path: string) => boolean, ref: string): void {
  for (const { path, type } of entries) {
    const rendered = path === HOST_FOLDER || path.startsWith(`${HOST_FOLDER}/`);
    if (type === 'repository' && !rendered && isRead(`${path}/any.yaml`)) throw otherRepository(path, ref);
  }
}

function otherRepository(path: string, ref: string): TenantplaneError {
  return new TenantplaneError('git', `${path} at ${ref} is a submodule: its files are in another repository, and not in this one.`, {
    hint: `Check both sides out with their submodules and compare the folders (tenantplane diff --base DIR --head DIR), name its folder as the package, or list it in .krmignore.`,
  });
}

function textOf(bytes: Buffer, path: string, rendered: boolean, ref: string): string | Finding {
  if (bytes.subarray(0, LFS.length).toString('latin1') === LFS) {
    throw new TenantplaneError('git', `${path} at ${ref} is a Git LFS pointer, not the file itself.`, {
      hint: 'Manifests are small: keep them out of LFS (git lfs untrack), or check both sides out and compare the folders.',
    });
  }
  return textOfBytes(bytes, path, rendered);
}

function contents(git: Git, entry: GitEntry | undefined): readonly Buffer[] {
  return entry === undefined ? [] : git.blobs([entry.id]);
}

/** As in a folder: a link is not followed, and one that leaves the package is an error. */
function linkFindings(git: Git, entries: readonly GitEntry[]): Finding[] {
  const isFolder = (path: string): boolean => entries.some((entry) => entry.path.startsWith(`${path}/`));
  const links = entries.filter(({ type }) => type === 'link');
  const targets = git.blobs(links.map(({ id }) => id));
  return links.flatMap(({ path }, index) => {
    const text = targets[index]?.toString('utf8') ?? '';
    const target = posix.normalize(posix.join(posix.dirname(path), text));
    if (!READ.test(path) && !isFolder(target)) return [];
    return [target.startsWith('../') || posix.isAbsolute(text) ? outsideLink(path) : insideLink(path, target, true)];
  });
}
