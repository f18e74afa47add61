import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { KubeObject } from '../core/kube/object.ts';
import { isFunctionConfig, isRendered, objectsFolder } from '../core/plan/assign.ts';
import type { Finding, InputObject } from '../core/plan/plan-types.ts';
import { finding } from './finding.ts';
import { type IgnoreRule, isIgnored, parseIgnore } from './ignore.ts';
import { danglingLink, hiddenObjects, hiddenPart, insideLink, isHidden, outsideLink } from './passed-over.ts';
import { BIG_INPUT, boundHeap } from './run-tuning.ts';
import { toolFileFinding } from './tool-files.ts';
import { toolObject } from './tool-objects.ts';
import { asInput } from './transport.ts';
import { LIMITS } from './yaml/limits.ts';
import { type DocumentSlice, readDocuments } from './yaml/read.ts';

/** One source file, as it stands. */
export interface PackageFile {
  /** relative to the package, with `/` */
  readonly path: string;
  readonly text: string;
  readonly slices: readonly DocumentSlice[];
}

/** A package read from disk: everything a plan is made from, and the texts that edits are spliced into. */
export interface Package {
  readonly root: string;
  /** in the order of their paths; `host/` is not among them */
  readonly files: readonly PackageFile[];
  readonly inputs: readonly InputObject[];
  /** what could not be read, and what was passed over */
  readonly findings: readonly Finding[];
  /** the rendered tree as it stands, or undefined where there is none */
  readonly host: HostTree | undefined;
}

/** The rendered tree, as text: an unchanged tree is compared as text and never parsed. */
export interface HostTree {
  /** text by path relative to `host/`, in the order of paths */
  readonly texts: ReadonlyMap<string, string>;
}

export const HOST_FOLDER = 'host';
/** Files that may hold objects. */
export const READ: RegExp = /\.(?:yaml|yml|json)$/i;
export const IGNORE_FILE = '.krmignore';
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules']);
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the documents of one file; a caller that reads a package twice may remember what it read. */
export type DocumentReader = typeof readDocuments;

/**
 * Reads `*.yaml`, `*.yml` and `*.json` under a folder, but nothing that begins with a dot, `node_modules`, or what
 * `.krmignore` names. Symbolic links are not followed: one that leaves the package is a finding.
 */
export async function readPackage(root: string, signal?: AbortSignal, read: DocumentReader = readDocuments): Promise<Package> {
  return readFound(root, listPackage(root), signal, read);
}

/** What lies in a package, before any of it is read; paths in byte order, `host/` among them. */
export function listPackage(root: string): Found {
  const found: Finds = { paths: [], ignores: [], findings: [] };
  try {
    if (!statSync(root).isDirectory()) {
      return { paths: [], findings: [inputProblem('.', `${root} is a file, and a package is a folder`, 'Name the folder.')] };
    }
    walk(root, realpathSync(root), '', [], found);
  } catch (error) {
    const problem = inputProblem('.', `${root} cannot be read (${codeOf(error)})`, 'Name a folder that exists and may be read.');
    return { paths: [], findings: [problem] };
  }
  return found;
}

/** Reads some files of a package. What is wrong with one comes as a finding. */
export async function readListed(root: string, paths: readonly string[], signal?: AbortSignal): Promise<Package> {
  return readFound(root, { paths, findings: [] }, signal, readDocuments);
}

function readFound(root: string, found: Found, signal: AbortSignal | undefined, read: DocumentReader): Package {
  return assemblePackage(root, found, (path, rendered) => readText(join(root, path), path, rendered), { read, ...(signal && { signal }) });
}

/** What a package is made of: the paths of its files, and what was found out on the way. */
export interface Found {
  readonly paths: readonly string[];
  readonly findings: readonly Finding[];
}

/** @param textOf a file as text, or why it is none */
export function assemblePackage(
  root: string,
  found: Found,
  textOf: (path: string, rendered: boolean) => string | Finding,
  { read, signal }: { readonly read: DocumentReader; readonly signal?: AbortSignal },
): Package {
  const files: PackageFile[] = [];
  const inputs: InputObject[] = [];
  const host = new Map<string, string>();
  const findings = [...found.findings];
  let size = 0;
  for (const path of found.paths) {
    signal?.throwIfAborted();
    const rendered = path.startsWith(`${HOST_FOLDER}/`);
    const text = textOf(path, rendered);
    if (typeof text !== 'string') {
      findings.push(text);
    } else if (rendered) {
      host.set(path.slice(HOST_FOLDER.length + 1), text);
    } else {
      const before = size;
      size += text.length;
      if (before <= BIG_INPUT && size > BIG_INPUT) boundHeap();
      const documents = read(text, path);
      files.push({ path, text, slices: documents.slices });
      const tenants = objectsFolder(path) !== undefined;
      for (const problem of documents.findings) findings.push(tenants && problem.reason === 'NotAnObject' ? unmeant(problem) : problem);
      if (!tenants && FACTS.test(path) && documents.objects.length === 0 && documents.findings.length === 0) findings.push(noFacts(path));
      for (const input of documents.objects) {
        const none = noInput(input.object);
        // a tenant's own function config, or what calls itself output, is no tool's file but an attempt: the planner says so
        if (none === undefined || (tenants && (isFunctionConfig(input.object) || isRendered(input.object))))
          inputs.push({ object: asInput(input.object), source: input.source });
        else findings.push(finding('NotAnObject', input.source, { params: { why: none } }));
      }
    }
  }
  return { root, files, inputs, findings, host: host.size === 0 ? undefined : { texts: host } };
}

/** Why an object of a file is none of the package's: it is a tool's, or what a render left outside `host/`. */
function noInput(object: KubeObject): string | undefined {
  return isRendered(object) ? 'a render made it' : toolObject(object);
}

/** Files that a package is read from, `host/` among them; what is wrong with one is for who reads it. */
export function packagePaths(root: string): readonly string[] {
  return walked(root).paths;
}

/** The `.krmignore` files that say what of a package is read. */
export function ignoreFiles(root: string): readonly string[] {
  return walked(root).ignores;
}

function walked(root: string): Finds {
  const found: Finds = { paths: [], ignores: [], findings: [] };
  walk(root, realpathSync(root), '', [], found);
  return found;
}

interface Finds extends Found {
  readonly paths: string[];
  readonly ignores: string[];
  readonly findings: Finding[];
}

/** Depth first, names in byte order, so that the order of a listing is no input. */
function walk(root: string, real: string, folder: string, inherited: readonly IgnoreRule[], found: Finds): void {
  const here = join(root, folder);
  const entries = list(here, folder, found.findings).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  let rules = inherited;
  if (entries.some((entry) => entry.name === IGNORE_FILE && entry.isFile())) {
    rules = [...inherited, ...parseIgnore(readFileSync(join(here, IGNORE_FILE), 'utf8'), folder)];
    found.ignores.push(folder === '' ? IGNORE_FILE : `${folder}/${IGNORE_FILE}`);
  }
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const obeyed = entry.isDirectory() ? undefined : toolFileFinding(path);
    if (obeyed !== undefined) found.findings.push(obeyed);
    if (isHidden(entry.name)) found.findings.push(...hiddenFinding(here, entry, path, rules));
    if (isHidden(entry.name) || SKIPPED_FOLDERS.has(entry.name) || isIgnored(rules, path, entry.isDirectory())) {
      // passed over here, and not by the tools that obey them
      if (entry.isDirectory() && objectsFolder(path) !== undefined) found.findings.push(...toolFilesBelow(root, path));
      continue;
    }
    if (entry.name.includes('\ufffd') && !existsSync(join(root, path))) {
      const params = { path, why: 'it is not UTF-8, so no one could name the file' };
      found.findings.push(finding('PathNotAllowed', { path, document: 0 }, { params, remedy: 'Rename it, or remove it.' }));
    } else if (entry.isSymbolicLink()) found.findings.push(...linkFinding(root, real, path));
    else if (entry.isDirectory()) walk(root, real, path, rules, found);
    else if (entry.isFile() && READ.test(entry.name)) found.paths.push(path);
  }
}

/** Files that a tool would obey in a folder that is not read. */
function toolFilesBelow(root: string, folder: string): Finding[] {
  try {
    const below = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
    const paths = below.map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
    return paths.sort().flatMap((path) => toolFileFinding(path) ?? []);
  } catch (error) {
    return [inputProblem(`${folder}/`, `The folder cannot be read (${codeOf(error)})`, 'Fix its rights, or remove it.')];
  }
}

/** The entries of a folder. One below the package that may not be read is a finding of its own: the others still count. */
function list(here: string, folder: string, findings: Finding[]): Dirent[] {
  try {
    return readdirSync(here, { withFileTypes: true });
  } catch (error) {
    if (folder === '') throw error;
    findings.push(inputProblem(`${folder}/`, `The folder cannot be read (${codeOf(error)})`, 'Fix its rights, or list it in .krmignore.'));
    return [];
  }
}

/** A link inside the package is read where it points; one that leaves it would read, or write, what is none of ours. */
function linkFinding(root: string, real: string, path: string): Finding[] {
  try {
    const target = realpathSync(join(root, path));
    const isFile = lstatSync(target).isFile();
    if (target === real || target.startsWith(real + sep)) {
      const inside = target
        .slice(real.length + 1)
        .split(sep)
        .join('/');
      return [insideLink(path, inside === '' ? '.' : inside, !isFile || READ.test(path))];
    }
    return isFile && !READ.test(path) ? [] : [outsideLink(path)];
  } catch {
    return READ.test(path) ? [danglingLink(path)] : [];
  }
}

/** Only where there are manifests: other hidden files are a tool's. */
function hiddenFinding(here: string, entry: Dirent, path: string, rules: readonly IgnoreRule[]): Finding[] {
  if (hiddenPart(path) === undefined || isIgnored(rules, path, entry.isDirectory())) return [];
  if (!entry.isDirectory()) return READ.test(entry.name) ? [hiddenObjects(path)] : [];
  try {
    return readdirSync(join(here, entry.name), { recursive: true }).some((name) => READ.test(String(name))) ? [hiddenObjects(path)] : [];
  } catch {
    return [];
  }
}

const FACTS = /(^|\/)facts\.ya?ml$/;

/** What a shell leaves of `tenantplane facts > facts.yaml` where the host could not be asked. */
function noFacts(path: string): Finding {
  const params = { why: 'the file is empty, so nothing is known of the host' };
  const remedy = 'Write it: tenantplane facts --output-file FILE. Or remove it.';
  return finding('NotAnObject', { path, document: 0 }, { params, severity: 'warning', remedy });
}

/** A folder of objects is there for objects: what is none was meant to be one. */
function unmeant(found: Finding): Finding {
  return { ...found, severity: 'warning', remedy: 'Write an object with apiVersion and kind, or move the file out of objects/.' };
}

/**
 * A file as text, or why it is none. A rendered file is text whatever its bytes: what cannot be read as ours is another's.
 */
function readText(file: string, path: string, rendered: boolean): string | Finding {
  try {
    return textOfBytes(readFileSync(file), path, rendered);
  } catch (error) {
    return inputProblem(path, `The file cannot be read (${codeOf(error)})`, 'Fix its rights, or list it in .krmignore.');
  }
}

export function textOfBytes(bytes: Buffer, path: string, rendered: boolean): string | Finding {
  if (rendered) return bytes.toString('utf8');
  if (bytes.length > LIMITS.fileBytes) {
    const params = { what: 'The file', size: `${bytes.length} bytes`, limit: `${LIMITS.fileBytes}` };
    return finding('InputTooLarge', { path, document: 0 }, { params, remedy: 'Split the file.' });
  }
  return decode(bytes) ?? notUtf8(bytes, path);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function notUtf8(bytes: Buffer, path: string): Finding {
  const marks: Readonly<Record<string, string>> = { fffe: 'UTF-16', feff: 'UTF-16' };
  const encoding = marks[bytes.subarray(0, 2).toString('hex')];
  // the first line that the replacement character changes
  const line = encoding === undefined ? bytes.toString('utf8').split('\ufffd', 1)[0]?.split('\n').length : undefined;
  const problem = encoding === undefined ? `Line ${line}: a byte here is no UTF-8.` : `The file is ${encoding}, not UTF-8.`;
  const source = { path, document: 0, ...(line !== undefined && { line }) };
  return finding('SyntaxInvalid', source, { params: { problem }, remedy: 'Save the file as UTF-8.' });
}

function inputProblem(path: string, problem: string, fix: string): Finding {
  return finding('InputInvalid', { path, document: 0 }, { params: { problem: `${problem}.`, fix } });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
