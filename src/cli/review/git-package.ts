import { posix } from 'node:path';
import type { Finding } from '../../core/plan/plan-types.ts';
import { finding } from '../../krm/finding.ts';
import { assemblePackage, type DocumentReader, type Package, READ, textOfBytes } from '../../krm/package.ts';
import { packageFiles } from '../../krm/package-paths.ts';
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
    throw new TenantplaneError('usage', `${ref} (${commit.slice(0, 12)}) has no folder ${folder}.`, {
      hint: 'Name a package that the side after the change has, from the root of the repository or as a path from here.',
    });
  }
  const files = new Map(entries.filter(({ type }) => type === 'file').map((entry) => [entry.path, entry]));
  const textAt = (path: string): string => contents(git, files.get(path))[0]?.toString('utf8') ?? '';
  const paths = packageFiles([...files.keys()], textAt);
  const bytes = git.blobs(paths.map((path) => files.get(path)?.id ?? ''));
  const byPath = new Map(paths.map((path, index) => [path, bytes[index] ?? Buffer.alloc(0)]));
  const findings = linkFindings(git, entries);
  return assemblePackage(root, { paths, findings }, (path, rendered) => textOf(byPath.get(path) ?? Buffer.alloc(0), path, rendered, ref), {
    read,
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
  const links = entries.filter(({ path, type }) => type === 'link' && READ.test(path));
  const targets = git.blobs(links.map(({ id }) => id));
  return links.map(({ path }, index) => {
    const target = posix.normalize(posix.join(posix.dirname(path), targets[index]?.toString('utf8') ?? ''));
    const inside = !target.startsWith('../') && !posix.isAbsolute(targets[index]?.toString('utf8') ?? '');
    const why = inside
      ? 'a symbolic link is not followed; what it points at is read where it stands'
      : 'it is a symbolic link that leaves the package';
    const remedy = inside ? 'Nothing to do.' : 'Put a copy in its place, or list the link in .krmignore.';
    return finding(
      'PathNotAllowed',
      { path, document: 0 },
      { params: { path, why }, remedy, ...(inside && { severity: 'info' as const }) },
    );
  });
}
