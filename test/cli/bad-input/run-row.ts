import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tenantplane } from '../harness.ts';
import { put } from '../tree/disk.ts';
import { type Content, PACKAGE, type Row } from './row.ts';

export interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** everything in the package, before and after */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  readonly cpuSeconds: number;
  /** of a process of its own */
  readonly megabytes: number | undefined;
}

/** A folder with the package, rendered; the rows copy it. */
export async function renderedPackage(parent: string): Promise<string> {
  const root = join(parent, 'rendered');
  put(root, PACKAGE);
  await render(root);
  return root;
}

async function render(root: string): Promise<void> {
  const { code, out, err } = await tenantplane(['render'], { cwd: root });
  if (code !== 0) throw new Error(`the package of the rows does not render:\n${out}${err}`);
}

/** @param program the built command, for rows that are measured as a process */
export async function runRow(row: Row, rendered: string, program: string): Promise<Outcome> {
  const root = mkdtempSync(join(tmpdir(), 'tenantplane-bad-'));
  try {
    cpSync(rendered, root, { recursive: true });
    if (row.before !== undefined) {
      put(root, row.before);
      await render(root);
      for (const path of Object.keys(row.before)) rmSync(join(root, path));
    }
    for (const path of row.remove ?? []) rmSync(join(root, path), { recursive: true });
    for (const [path, content] of Object.entries(row.files ?? {})) place(join(root, path), content);
    const before = snapshot(root);
    const result = await withRights(root, row, () => call(row, root, program));
    const said = (text: string): string => text.replaceAll(root, '/package');
    return { ...result, out: said(result.out), err: said(result.err), before, after: snapshot(root) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function place(path: string, content: Content): void {
  mkdirSync(bytesOf(dirname(path)), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(bytesOf(path), content);
  else symlinkSync(content.link, path);
}

/** A path for the file system. `\udcXX` stands for the byte XX, as in a name that is no UTF-8 (PEP 383 writes it so). */
function bytesOf(path: string): Buffer {
  const parts = path.split(/([\udc80-\udcff])/);
  return Buffer.concat(parts.map((part, index) => (index % 2 === 1 ? Buffer.from([part.charCodeAt(0) & 0xff]) : Buffer.from(part))));
}

async function call(row: Row, root: string, program: string): Promise<Pick<Outcome, 'exit' | 'out' | 'err' | 'cpuSeconds' | 'megabytes'>> {
  const argv = row.argv ?? ['render'];
  if (row.heavy === true) return callProcess(argv, root, program);
  const start = process.cpuUsage();
  const { code, out, err } = await tenantplane(argv, { cwd: root });
  const used = process.cpuUsage(start);
  return { exit: code, out, err, cpuSeconds: (used.user + used.system) / 1e6, megabytes: undefined };
}

/** Prints what the process has used, as the last line of stderr. */
const METER = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeSync(2, '\\n@' + JSON.stringify([(userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024]));
});`;

export function callProcess(
  argv: readonly string[],
  cwd: string,
  program: string,
  input: string | Uint8Array = '',
): Pick<Outcome, 'exit' | 'out' | 'err' | 'cpuSeconds' | 'megabytes'> {
  const meter = join(dirname(program), 'meter.cjs');
  writeFileSync(meter, METER);
  const child = spawnSync(process.execPath, ['--require', meter, program, ...argv], { cwd, input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const [, err = '', used = '[]'] = /^([\s\S]*)\n@(.*)$/.exec(child.stderr) ?? [];
  const [cpuSeconds = Number.NaN, megabytes = Number.NaN] = JSON.parse(used) as number[];
  return { exit: child.status ?? -1, out: child.stdout, err, cpuSeconds, megabytes };
}

/** Bundles the commands into a folder, as the package ships them. @returns the folder */
export function build(folder: string): string {
  const script = fileURLToPath(new URL('../../../build.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--no-types', '--out', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return folder;
}

/** Root may read and write everything, so the command runs as nobody where rights matter. */
async function withRights<T>(root: string, row: Row, run: () => Promise<T>): Promise<T> {
  const paths = [...(row.unreadable ?? []), ...(row.readOnly ?? [])];
  if (paths.length === 0) return run();
  const modes = paths.map((path) => lstatSync(join(root, path)).mode);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) openTo(root);
  for (const path of row.unreadable ?? []) chmodSync(join(root, path), 0);
  for (const path of row.readOnly ?? []) chmodSync(join(root, path), 0o555);
  if (isRoot) process.seteuid?.(65534);
  try {
    return await run();
  } finally {
    if (isRoot) process.seteuid?.(0);
    for (const [index, path] of paths.entries()) chmodSync(join(root, path), modes[index] ?? 0o755);
  }
}

function openTo(folder: string): void {
  chmodSync(folder, 0o777);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openTo(join(folder, entry.name));
    else if (entry.isFile()) chmodSync(join(folder, entry.name), 0o666);
  }
}

/** Every file, folder and link below a folder, by path. */
function snapshot(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(Buffer.from(join(root, folder), 'latin1'), { withFileTypes: true, encoding: 'buffer' })) {
      const name = entry.name.toString('latin1');
      const path = folder === '' ? name : `${folder}/${name}`;
      const place = Buffer.from(join(root, path), 'latin1');
      if (entry.isDirectory()) {
        found.set(path, 'folder');
        visit(path);
      } else found.set(path, entry.isSymbolicLink() ? `link to ${readlinkSync(place)}` : `file ${readFileSync(place, 'latin1')}`);
    }
  };
  visit('');
  return found;
}
