import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EXIT } from '../../src/cli/errors.ts';
import type { CliIo } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import { readTree } from '../support/example.ts';
import { ROOT, readPage } from './markdown.ts';

/** One `$ command` of a console block, and the lines that stand under it. */
export interface Command {
  readonly words: readonly string[];
  readonly expected: readonly string[];
}

export function commandsOf(lines: readonly string[]): readonly Command[] {
  const commands: { words: readonly string[]; expected: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('$ ')) commands.push({ words: wordsOf(line.slice(2)), expected: [] });
    else commands.at(-1)?.expected.push(line);
  }
  return commands;
}

/** Splits as a shell does, as far as single and double quotes; the pages need no more. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/**
 * Runs a block in a folder that holds copies of the example packages it names; `echo $?` prints the exit code of the
 * command before it.
 * @param prepare makes of the copies what the block is about, such as a repository
 * @returns the lines that each command really prints
 */
export async function runBlock(
  commands: readonly Command[],
  prepare?: (cwd: string) => void | Promise<void>,
): Promise<readonly (readonly string[])[]> {
  const packages = packagesIn(commands);
  const reads = prepare === undefined && packages.length > 0 && commands.every(({ words }) => READERS.has(words[1] ?? ''));
  const cwd = reads ? copyToRead(packages) : copyOf(packages);
  try {
    await prepare?.(cwd);
    const outputs: string[][] = [];
    let code = 0;
    for (const { words } of commands) {
      if (words.join(' ') === 'echo $?') {
        outputs.push([String(code)]);
        continue;
      }
      const [program, ...argv] = words;
      if (program !== 'tenantplane') throw new Error(`a console block may run tenantplane only, not ${program}`);
      const printed: string[] = [];
      const sink = { isTTY: false, write: (part: string): void => void printed.push(part) };
      const io: CliIo = {
        cwd,
        env: { NO_COLOR: '1', PATH: process.env['PATH'] },
        stdout: sink,
        stderr: sink,
        readStdin: async () => '',
        signal: new AbortController().signal,
        now: () => 0,
      };
      code = await run(argv, io);
      if (code === EXIT.environment) throw new Error(`tenantplane ${argv.join(' ')} failed:\n${printed.join('')}`);
      const text = printed.join('').replace(/\n$/, '');
      outputs.push(text === '' ? [] : text.split('\n'));
    }
    return outputs;
  } finally {
    if (!reads) rmSync(cwd, { recursive: true, force: true });
  }
}

function copyOf(packages: readonly string[]): string {
  const cwd = mkdtempSync(join(tmpdir(), 'tenantplane-docs-'));
  for (const root of packages) cpSync(join(ROOT, root), join(cwd, root), { recursive: true });
  return cwd;
}

/** Commands that write nothing, and the one that prints an exit code: blocks of them share a copy, since that of a fleet takes as long as they do. */
const READERS: ReadonlySet<string> = new Set([
  ...['$?', 'doctor', 'explain-code', 'explain-sync', 'graph', 'isolation'],
  ...['reach', 'schema', 'tree', 'validate', 'what-if', 'why', 'why-not'],
]);
/** by the packages in them */
const COPIES = new Map<string, string>();

function copyToRead(packages: readonly string[]): string {
  const key = packages.join(' ');
  const cwd = COPIES.get(key) ?? copyOf(packages);
  COPIES.set(key, cwd);
  return cwd;
}

/** Removes what blocks have shared. @returns files of it that are not as they were */
export function endOfReading(): readonly string[] {
  const changed = [...COPIES].flatMap(([packages, cwd]) =>
    packages.split(' ').flatMap((root) => differences(readTree(join(ROOT, root)), readTree(join(cwd, root)), root)),
  );
  for (const cwd of COPIES.values()) rmSync(cwd, { recursive: true, force: true });
  COPIES.clear();
  return changed;
}

function differences(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>, root: string): readonly string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path)).map((path) => `${root}/${path}`);
}

/** The example packages that the commands name: a folder under examples/ that has a tree. */
function packagesIn(commands: readonly Command[]): readonly string[] {
  const found = new Set<string>();
  for (const word of commands.flatMap(({ words }) => words)) {
    let path = word.replace(/\/$/, '');
    while (path.startsWith('examples/') && !existsSync(join(ROOT, path, 'host'))) path = dirname(path);
    if (path.startsWith('examples/')) found.add(path);
  }
  return [...found];
}

/** Whether lines are what a page says; a line `…` stands for any number of lines, and within a line for any text. */
export function fits(expected: readonly string[], actual: readonly string[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return actual.length === 0;
  if (first === '…') return actual.some((_, index) => fits(rest, actual.slice(index))) || fits(rest, []);
  return actual[0] !== undefined && fitsLine(first, actual[0]) && fits(rest, actual.slice(1));
}

function fitsLine(expected: string, actual: string): boolean {
  if (!expected.includes('…')) return expected === actual;
  const parts = expected.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(actual);
}

/** Writes what is really printed into the page, but for commands whose output the page leaves out in part. */
export function updatePage(
  page: string,
  lines: readonly string[],
  commands: readonly Command[],
  outputs: readonly (readonly string[])[],
): void {
  const prompts = lines.filter((line) => line.startsWith('$ '));
  const block = commands.flatMap(({ expected }, index) => [
    prompts[index] ?? '',
    ...(expected.includes('…') || fits(expected, outputs[index] ?? []) ? expected : (outputs[index] ?? [])),
  ]);
  writeFileSync(join(ROOT, page), readPage(page).replace(lines.join('\n'), block.join('\n')));
}
