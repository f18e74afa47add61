import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { kindOf } from '../../core/kube/object.ts';
import { objectsFolder } from '../../core/plan/assign.ts';
import type { Finding, InputObject } from '../../core/plan/plan-types.ts';
import { compare } from '../../core/plan/subjects.ts';
import { type DocumentReader, HOST_FOLDER, type Package, type PackageFile, readPackage } from '../../krm/package.ts';
import { TenantplaneError } from '../errors.ts';
import { checkTreeRoot, readTreeFile, scanTree } from '../tree/scan-tree.ts';
import { takenOver } from './begun-tree.ts';

/** Everything a plan is made from, and the texts that its places point into. */
export interface LoadedPackage {
  readonly root: string;
  readonly inputs: readonly InputObject[];
  readonly findings: readonly Finding[];
  /** source files by the path that sources use */
  readonly texts: ReadonlyMap<string, string>;
  /** source files of the package itself */
  readonly files: readonly PackageFile[];
  /** the rendered tree as it stands, by path relative to it */
  readonly host: ReadonlyMap<string, string>;
  /** whether there is a tree at all */
  readonly hostExists: boolean;
  /** whether the tree that was asked for was never rendered whole and begins as a copy of the package's own; `host` then has both */
  readonly copies: boolean;
}

export interface LoadOptions {
  /** absolute path of the rendered tree; `host/` in the package unless asked for otherwise */
  readonly tree: string;
  /** absolute path of another package, whose profiles and policies count here as well */
  readonly platform?: string;
  readonly signal: AbortSignal;
  readonly read?: DocumentReader;
}

/** Stands before paths of the platform's package, so that they are no paths of this one. */
export const PLATFORM = 'platform:';
const SHARED_KINDS: ReadonlySet<string> = new Set(['IsolationProfile', 'SyncPolicy', 'HostFacts']);

/** @throws TenantplaneError where the folder cannot be read at all; what is wrong inside it comes as findings */
export async function loadPackage(root: string, options: LoadOptions): Promise<LoadedPackage> {
  needFolder(root, 'package');
  checkTreeRoot(options.tree);
  const pack = await readPackage(root, options.signal, options.read);
  return composePackage(pack, options, options.platform === undefined ? undefined : await readPlatform(options.platform, options));
}

/** @throws TenantplaneError where the folder is none */
export async function readPlatform(path: string, { signal, read }: Pick<LoadOptions, 'signal' | 'read'>): Promise<Package> {
  needFolder(
    path,
    'platform package',
    'Name the folder that holds the profiles and policies, or leave --platform out where the package has its own.',
  );
  return readPackage(path, signal, read);
}

/** A package with the profiles and policies of another one, its tree told from its input. */
export function composePackage(pack: Package, { tree }: Pick<LoadOptions, 'tree'>, platform?: Package): LoadedPackage {
  const { root } = pack;
  const texts = new Map(pack.files.map((file) => [file.path, file.text]));
  // Rendered files elsewhere in the package are output, not input.
  const rendered = inside(root, tree);
  const isInput = (path: string): boolean => rendered === undefined || !path.startsWith(`${rendered}/`);
  const inputs: InputObject[] = pack.inputs.filter((input) => isInput(input.source.path));
  const findings: Finding[] = pack.findings.filter((found) => isInput(found.source.path));
  const unread = pack.findings.find((found) => found.reason === 'InputInvalid' && !isInput(found.source.path));
  // a file of the tree that is not known is one that would be overwritten
  if (unread !== undefined)
    throw new TenantplaneError('input', `${join(root, unread.source.path)}: ${unread.message}`, { hint: 'Fix its rights, or remove it.' });

  if (platform !== undefined) {
    const shared = sharedOf(platform);
    inputs.push(...shared.inputs);
    findings.push(...shared.findings);
    for (const [path, text] of shared.texts) texts.set(path, text);
  }
  const ownTree = tree === join(root, HOST_FOLDER);
  const standing = ownTree ? (pack.host?.texts ?? new Map<string, string>()) : readTree(tree);
  const begun = ownTree ? undefined : takenOver(pack.host?.texts, standing);
  const copies = begun !== undefined && begun.size > 0;
  return {
    root,
    inputs,
    findings,
    texts,
    files: pack.files.filter((file) => isInput(file.path)),
    host: copies ? inOrder([...begun, ...standing]) : standing,
    hostExists: copies || (ownTree && pack.host !== undefined) || existsSync(tree),
    copies,
  };
}

/** Profiles, policies and facts of another package, under paths that are none of this one. */
export function sharedOf(platform: Package): Pick<LoadedPackage, 'inputs' | 'findings' | 'texts'> {
  return {
    inputs: platform.inputs
      .filter(isShared)
      .map((input) => ({ ...input, source: { ...input.source, path: PLATFORM + input.source.path } })),
    findings: platformFindings(platform),
    texts: new Map(platform.files.map((file) => [PLATFORM + file.path, file.text])),
  };
}

function isShared(input: InputObject): boolean {
  return SHARED_KINDS.has(kindOf(input.object)) && objectsFolder(input.source.path) === undefined;
}

/** What is wrong in the platform's own files concerns us; what is wrong with its tenants does not. */
function platformFindings(platform: Package): Finding[] {
  return platform.findings
    .filter((found) => found.severity !== 'info' && objectsFolder(found.source.path) === undefined)
    .map((found) => ({ ...found, source: { ...found.source, path: PLATFORM + found.source.path } }));
}

function readTree(tree: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const path of [...scanTree(tree).files].sort())
    if (path.endsWith('.yaml')) texts.set(path, readTreeFile(join(tree, path)).toString('utf8'));
  return texts;
}

/** By path; of two at one, the last. */
function inOrder(files: readonly (readonly [path: string, text: string])[]): ReadonlyMap<string, string> {
  return new Map([...new Map(files)].sort(([a], [b]) => compare(a, b)));
}

/** The path of `folder` below `root`, with `/`; undefined where it is not below it. */
function inside(root: string, folder: string): string | undefined {
  const path = relative(root, folder);
  return path === '' || path.startsWith('..') || resolve(path) === path ? undefined : path.split(sep).join('/');
}

const MAKE = 'Name a folder that exists, or make one: tenantplane init DIR';

/** @param hint what to do where there is none; a package can be made */
export function needFolder(path: string, what: string, hint: string = MAKE): void {
  let folder = false;
  try {
    folder = statSync(path).isDirectory();
  } catch (error) {
    throw new TenantplaneError('usage', `There is no ${what} at ${path}.`, {
      hint,
      cause: error,
    });
  }
  if (!folder) throw new TenantplaneError('usage', `${path} is a file; a ${what} is a folder.`, { hint: 'Name the folder.' });
}
