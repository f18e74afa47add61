import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode, TenantplaneError } from '../errors.ts';
import { DISK, type TreeFs } from './tree-fs.ts';

/**
 * The folder beside a tree in which its successor is made: `.host-<process>-<random>` with `swap.json`, `new/` and, during
 * the swap, `old/`. After a crash it tells the next render what has to be put right.
 */
export interface WorkFolder {
  readonly path: string;
  readonly next: string;
  readonly old: string;
}

const RECORD = 'swap.json';
/** No render takes this long; past it, a process of the same number is another one. */
const STALE_MS = 15 * 60 * 1000;

/** @param at the folder inside the tree that will be swapped, `''` for the tree itself */
export function makeWorkFolder(root: string, at: string, fs: TreeFs): WorkFolder {
  const path = join(dirname(root), `.${basename(root)}-${process.pid}-${randomBytes(4).toString('hex')}`);
  fs.mkdirSync(path);
  try {
    fs.writeFileSync(join(path, RECORD), `${JSON.stringify({ tree: basename(root), at, started: startOf(process.pid) })}\n`);
    fs.mkdirSync(join(path, 'new'));
  } catch (error) {
    fs.rmSync(path, { recursive: true, force: true });
    throw error;
  }
  return { path, next: join(path, 'new'), old: join(path, 'old') };
}

/**
 * Puts right what a render that died left beside the tree: a folder that was moved out and not replaced goes back, the rest
 * is removed. Call it before the tree is read.
 * @returns what was done, for people
 * @throws TenantplaneError `busy` while another render is writing the tree
 */
export function recoverTree(root: string, now: number, fs: TreeFs = DISK): readonly string[] {
  const done: string[] = [];
  for (const left of leftovers(root, fs)) {
    const age = now - fs.lstatSync(left.path).mtimeMs;
    if (age < STALE_MS && isAtWork(left, fs)) {
      throw new TenantplaneError('busy', `Another render (process ${left.pid}) is writing ${root}.`, {
        hint: `Wait for it. If there is none, remove ${left.path}.`,
      });
    }
    const at = placeIn(recordOf(left.path, fs), root);
    if (at === undefined) {
      // It died before anything was staged, or it is not ours: then it is left to a person.
      if (fs.readdirSync(left.path).every((name) => name === RECORD)) fs.rmSync(left.path, { recursive: true });
      continue;
    }
    const place = join(root, at);
    const old = join(left.path, 'old');
    if (!fs.existsSync(place) && fs.existsSync(old)) {
      fs.renameSync(old, place);
      done.push(`An interrupted render had taken ${place} out; it is back as it was.`);
    }
    fs.rmSync(left.path, { recursive: true, force: true });
  }
  return done;
}

/** Whether a render died while it wrote this tree, for commands that change nothing. */
export function wasInterrupted(root: string, fs: TreeFs = DISK): boolean {
  return leftovers(root, fs).some((left) => !isAtWork(left, fs));
}

interface Leftover {
  readonly path: string;
  readonly pid: number;
}

function leftovers(root: string, fs: TreeFs): Leftover[] {
  const parent = dirname(root);
  if (!fs.existsSync(parent)) return [];
  const prefix = `.${basename(root)}-`;
  const found: { path: string; pid: number }[] = [];
  for (const entry of fs.readdirSync(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith(prefix)) continue;
    const match = /^(\d{1,10})-[0-9a-f]{8}$/.exec(entry.name.slice(prefix.length));
    if (match !== null) found.push({ path: join(parent, entry.name), pid: Number(match[1]) });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function recordOf(folder: string, fs: TreeFs): object | undefined {
  try {
    const record: unknown = JSON.parse(fs.readFileSync(join(folder, RECORD), 'utf8'));
    return typeof record === 'object' && record !== null ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The place of a swap as it was recorded, where the record is ours and stays inside the tree. */
function placeIn(record: object | undefined, root: string): string | undefined {
  if (record === undefined || !('tree' in record) || !('at' in record)) return undefined;
  const { tree, at } = record;
  if (tree !== basename(root) || typeof at !== 'string') return undefined;
  const inside = at === '' || at.split('/').every((step) => step !== '' && step !== '.' && step !== '..' && !step.includes('\\'));
  return inside ? at : undefined;
}

/** Whether the process that made the folder still runs. In a container, numbers come back soon; so its start is compared too. */
function isAtWork(left: Leftover, fs: TreeFs): boolean {
  if (left.pid === process.pid || !isAlive(left.pid)) return false;
  const record = recordOf(left.path, fs);
  const started = record !== undefined && 'started' in record ? record.started : undefined;
  return typeof started !== 'string' || started === startOf(left.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
  // A killed process that nobody has waited for (a container without an init) still takes signals.
  return statOf(pid)?.[0] !== 'Z';
}

/** When a process began, in ticks since the machine did; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

/** Fields of /proc/PID/stat from the third on, the state (proc(5)); the second, the name, may hold anything. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
