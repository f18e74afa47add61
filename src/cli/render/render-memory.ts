import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../../core/plan/subjects.ts';
import { HOST_FOLDER, listPackage, type PackageFile } from '../../krm/package.ts';
import { visible } from '../../report/escape.ts';
import type { CliIo } from '../io.ts';
import { scanTree } from '../tree/scan-tree.ts';
import { VERSION } from '../version.ts';
import { cacheFolder, liesWithSources } from './cache-folder.ts';
import type { RenderFlags } from './run-render.ts';

/** What a render that has nothing to change says. */
export interface Remembered {
  readonly stdout: string;
  readonly exitCode: number;
}

/** Sources and rendered tree, by digest: all that a plain render reads. */
interface Digests {
  readonly sources: string;
  readonly tree: string;
}

interface Entry extends Remembered, Digests {}

/**
 * What a render will say that finds the very same sources and tree, by bytes and paths, under the same flags and program: it has
 * nothing to change, so it need not be planned. Nothing of a tree is kept or restored.
 */
export interface RenderMemory {
  recall(): Remembered | undefined;
  /** @param tree text by path as it stands now */
  keep(sources: readonly PackageFile[], tree: ReadonlyMap<string, string>, says: Remembered): void;
}

const MOST_ENTRIES = 100;
const MOST_BYTES = 1024 * 1024;
const WITH_SOURCES =
  'in the package, or in the repository around it. Set TENANTPLANE_CACHE to a folder outside of it, or render with --no-cache.';
const OWN = /^[0-9a-f]{64}\.json/;

/**
 * @param program what changes whenever the program does; without it nothing is remembered
 * @param say told why nothing is remembered, where somebody can do something about it
 * @returns undefined for a render that does more than write its tree and say so, and in CI, where a cache may come from another branch
 */
export function renderMemory(
  flags: RenderFlags,
  io: CliIo,
  program: string | undefined,
  say: (text: string) => void,
): RenderMemory | undefined {
  const plain = flags.output === 'dir' && !flags.check && !flags.ledger && flags.report.length === 0 && flags.tenants.length === 0;
  const alone = flags.tree === undefined && flags.platform === undefined && flags.config === undefined;
  const ci = io.env['CI'] !== undefined && io.env['CI'] !== '' && io.env['CI'] !== 'false';
  const cache = cacheFolder(io);
  if (!flags.cache || !plain || !alone || ci || program === undefined || cache === undefined) return undefined;
  const folder = cache.path;
  if (liesWithSources(folder, flags.root)) {
    say(`note: nothing is remembered for the next render: the cache ${visible(folder)} (${cache.variable}) lies ${WITH_SOURCES}\n`);
    return undefined;
  }
  const screen = [io.cwd, io.stdout.isTTY, io.env['NO_COLOR'] ?? null, io.env['TERM'] ?? null];
  const slot = createHash('sha256')
    .update(JSON.stringify([VERSION, program, process.version, flags, screen]))
    .digest('hex');
  const file = join(folder, `${slot}.json`);
  return {
    recall() {
      const entry = readEntry(file);
      return entry !== undefined && stillThere(flags.root, entry) ? entry : undefined;
    },
    keep(sources, tree, says) {
      const digests: Digests = { sources: digestOf(sources.map(({ path, text }) => [path, text])), tree: digestOf([...tree]) };
      const text = JSON.stringify({ ...says, ...digests } satisfies Entry);
      if (text.length <= MOST_BYTES) writeEntry(folder, file, text);
    },
  };
}

/** Sources first: they are few and change most. What is no plain file of ours (a link, one that cannot be read) is for a render to tell. */
function stillThere(root: string, entry: Digests): boolean {
  try {
    const { paths, findings } = listPackage(root);
    if (findings.length > 0) return false;
    const rendered = paths.filter((path) => path.startsWith(`${HOST_FOLDER}/`));
    const sources = paths.filter((path) => !path.startsWith(`${HOST_FOLDER}/`));
    if (digestOf(sources.map((path) => [path, readFileSync(join(root, path))])) !== entry.sources) return false;
    if (scanTree(join(root, HOST_FOLDER)).files.size !== rendered.length) return false;
    return digestOf(rendered.map((path) => [path.slice(HOST_FOLDER.length + 1), readFileSync(join(root, path))])) === entry.tree;
  } catch {
    return false;
  }
}

function digestOf(files: readonly (readonly [path: string, content: string | Buffer])[]): string {
  const hash = createHash('sha256');
  const sorted = [...files].sort(([a], [b]) => compare(a, b));
  for (const [path, content] of sorted) hash.update(`${path}\0${Buffer.byteLength(content)}\0`).update(content);
  return hash.digest('hex');
}

/** Who may write here could change what a render says, so an entry counts only where nobody else may. */
function readEntry(file: string): Entry | undefined {
  try {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0 || stat.size > 2 * MOST_BYTES) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  if (!('stdout' in value && 'exitCode' in value && 'sources' in value && 'tree' in value)) return false;
  const { stdout, exitCode, sources, tree } = value;
  return typeof stdout === 'string' && (exitCode === 0 || exitCode === 1) && typeof sources === 'string' && typeof tree === 'string';
}

/** As a whole or not at all; where it cannot be written, the next render plans again. */
function writeEntry(folder: string, file: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(folder)
      .filter((name) => OWN.test(name))
      .map((name) => join(folder, name));
    const oldest = names.map((name) => ({ name, time: lstatSync(name).mtimeMs })).sort((a, b) => a.time - b.time);
    for (const { name } of oldest.slice(0, Math.max(0, names.length - MOST_ENTRIES + 1))) rmSync(name, { force: true });
    const next = `${file}.${randomUUID()}`;
    writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
    renameSync(next, file);
  } catch {
    // a cache that cannot be written is no failure of a render
  }
}
