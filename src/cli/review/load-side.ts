import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type DocumentReader, HOST_FOLDER, type Package } from '../../krm/package.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import { shownPath } from '../package/shown-path.ts';
import { composePackage, type LoadedPackage, loadPackage, readPlatform } from '../render/load-package.ts';
import { type Git, openGit } from './git.ts';
import { packageAtCommit } from './git-package.ts';
import type { Place } from './read-words.ts';
import { packageFromStdin } from './stdin-package.ts';

/** One side as it was read. */
export interface LoadedSide {
  readonly label: string;
  readonly commit?: string;
  readonly loaded: LoadedPackage;
  /** everything that lies in the rendered tree, whatever it is, by path relative to it */
  readonly treePaths: readonly string[];
  /** that it is the working tree of the repository, of which nothing need be committed */
  readonly working?: true;
  /** that the package is not there, and so empty */
  readonly lacks?: true;
}

export interface SideOptions {
  /** absolute: the package that refs are read of */
  readonly root: string;
  readonly platform?: string;
  readonly read: DocumentReader;
  readonly io: CliIo;
  /** whether a package may be missing, which is empty there then: the change that adds or removes one is a change as well */
  readonly mayLack?: true;
}

export async function loadSide(place: Place, options: SideOptions): Promise<LoadedSide> {
  const { root, io } = options;
  switch (place.kind) {
    case 'folder': {
      const path = place.path ?? root;
      if (place.path === undefined && repositoryOf(root, io).bare) {
        throw new TenantplaneError('git', `${io.cwd} is a bare repository: it has no working tree that could be compared.`, {
          hint: 'Name two commits: tenantplane diff A..B PACKAGE.',
        });
      }
      const loaded = await loadPackage(path, { ...options, tree: join(path, HOST_FOLDER), signal: io.signal });
      return {
        label: place.path === undefined ? 'working tree' : shownPath(io.cwd, path),
        loaded,
        treePaths: pathsBelow(join(path, HOST_FOLDER)),
        ...(place.path === undefined && { working: true }),
      };
    }
    case 'stdin': {
      const pack = packageFromStdin(root, await io.readStdin());
      const platform = options.platform === undefined ? undefined : await readPlatform(options.platform, { ...options, signal: io.signal });
      const loaded = inMemory(pack, platform);
      return { label: 'stdin', loaded, treePaths: [...loaded.host.keys()] };
    }
    case 'ref':
    case 'merge-base': {
      const git = repositoryOf(root, io);
      const commit = place.kind === 'ref' ? git.commit(place.ref) : git.mergeBase(...place.refs);
      const ref = place.kind === 'ref' ? place.ref : `merge base of ${place.refs.join(' and ')}`;
      const lacks = options.mayLack === true && lacksFolder(git, commit, git.pathOf(root));
      const loaded = await atCommit(git, { commit, ref }, options);
      return { label: ref, commit, loaded, treePaths: treePathsAt(git, commit, root), ...(lacks && { lacks }) };
    }
  }
}

/** Of the folder here where the package lies in it, though it need not lie on the disk; else the package's own. */
function repositoryOf(root: string, { cwd, env }: CliIo): Git {
  try {
    const here = openGit(cwd, env);
    here.pathOf(root);
    return here;
  } catch (error) {
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    return openGit(root, env);
  }
}

/** The platform's package is read at the same commit where it is in the same repository. */
async function atCommit(git: Git, at: { readonly commit: string; readonly ref: string }, options: SideOptions): Promise<LoadedPackage> {
  const { root, platform, read, io } = options;
  const packageAt = (path: string): Package => {
    const folder = git.pathOf(path);
    if (options.mayLack === true && lacksFolder(git, at.commit, folder)) return emptyPackage(path);
    return packageAtCommit(git, { ...at, folder, root: path }, read);
  };
  const pack = packageAt(root);
  if (platform === undefined) return inMemory(pack, undefined);
  const other = isAtCommit(git, at.commit, platform, io.env)
    ? packageAt(platform)
    : await readPlatform(platform, { read, signal: io.signal });
  return inMemory(pack, other);
}

function lacksFolder(git: Git, commit: string, folder: string): boolean {
  return git.list(commit, folder) === undefined && git.submoduleAt(commit, folder) === undefined;
}

function emptyPackage(root: string): Package {
  return { root, files: [], inputs: [], findings: [], host: undefined };
}

/** In the order of their paths; a link, or another repository, is a path as well. */
function treePathsAt(git: Git, commit: string, root: string): readonly string[] {
  return (git.list(commit, [git.pathOf(root), HOST_FOLDER].filter((step) => step !== '').join('/')) ?? []).map(({ path }) => path).sort();
}

function pathsBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** Whether a folder is read at the commit: one in the repository, unless it is a clone of another one that lies there. */
export function isAtCommit(git: Git, commit: string, path: string, env: CliIo['env']): boolean {
  let folder: string;
  try {
    folder = git.pathOf(path);
  } catch {
    return false;
  }
  const known = git.list(commit, folder) !== undefined || git.submoduleAt(commit, folder) !== undefined;
  return known || !existsSync(path) || openGit(path, env).root === git.root;
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
