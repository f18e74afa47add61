import { join, relative } from 'node:path';
import { type DocumentReader, HOST_FOLDER, type Package } from '../../krm/package.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import type { CliIo } from '../io.ts';
import { composePackage, type LoadedPackage, loadPackage, readPlatform } from '../render/load-package.ts';
import { shownPath } from '../render/package-style.ts';
import { type Git, openGit } from './git.ts';
import { packageAtCommit } from './git-package.ts';
import type { Place } from './read-words.ts';
import { packageFromStdin } from './stdin-package.ts';

/** One side as it was read. */
export interface LoadedSide {
  readonly label: string;
  readonly commit?: string;
  readonly loaded: LoadedPackage;
}

export interface SideOptions {
  /** absolute: the package that refs are read of */
  readonly root: string;
  readonly platform?: string;
  readonly read: DocumentReader;
  readonly io: CliIo;
  /** whether a commit may be older than the package, which is empty there then: the change that adds a package is one as well */
  readonly mayLack?: true;
}

export async function loadSide(place: Place, options: SideOptions): Promise<LoadedSide> {
  const { root, io } = options;
  switch (place.kind) {
    case 'folder': {
      const path = place.path ?? root;
      const loaded = await loadPackage(path, { ...options, tree: join(path, HOST_FOLDER), signal: io.signal });
      return { label: place.path === undefined ? 'working tree' : shownPath(io.cwd, path), loaded };
    }
    case 'stdin': {
      const pack = packageFromStdin(root, await io.readStdin());
      const platform = options.platform === undefined ? undefined : await readPlatform(options.platform, { ...options, signal: io.signal });
      return { label: 'stdin', loaded: inMemory(pack, platform) };
    }
    case 'ref':
    case 'merge-base': {
      const git = openGit(io.cwd, io.env);
      const commit = place.kind === 'ref' ? git.commit(place.ref) : git.mergeBase(...place.refs);
      const ref = place.kind === 'ref' ? place.ref : `merge base of ${place.refs.join(' and ')}`;
      return { label: ref, commit, loaded: await atCommit(git, { commit, ref }, options) };
    }
  }
}

/** The platform's package is read at the same commit where it is in the same repository. */
async function atCommit(git: Git, at: { readonly commit: string; readonly ref: string }, options: SideOptions): Promise<LoadedPackage> {
  const { root, platform, read, io } = options;
  const packageAt = (path: string): Package => {
    const folder = git.pathOf(path);
    if (options.mayLack === true && git.list(at.commit, folder) === undefined)
      return { root: path, files: [], inputs: [], findings: [], host: undefined };
    return packageAtCommit(git, { ...at, folder, root: path }, read);
  };
  const pack = packageAt(root);
  if (platform === undefined) return inMemory(pack, undefined);
  const outside = relative(io.cwd, platform).startsWith('..') && !isInside(git, platform);
  const other = outside ? await readPlatform(platform, { read, signal: io.signal }) : packageAt(platform);
  return inMemory(pack, other);
}

function isInside(git: Git, path: string): boolean {
  try {
    git.pathOf(path);
    return true;
  } catch {
    return false;
  }
}

function inMemory(pack: Package, platform: Package | undefined): LoadedPackage {
  return { ...composePackage(pack, { tree: join(pack.root, HOST_FOLDER) }, platform), hostExists: pack.host !== undefined };
}

/** Reads a text that both sides have once. */
export function rememberingReader(): DocumentReader {
  const known = new Map<string, { readonly text: string; readonly documents: ReturnType<DocumentReader> }>();
  return (text, path) => {
    const before = known.get(path);
    if (before?.text === text) return before.documents;
    const documents = readDocuments(text, path);
    known.set(path, { text, documents });
    return documents;
  };
}
