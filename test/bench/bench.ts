// npm run bench [-- --runs 3] [--check]: what a render costs, beside its peers on the same input, as a Markdown table.
// --check is CI's form: one run, without the peers that take minutes; it fails where a cost is over three times its bar:
// a guard against what grows unseen, not the bar itself, since CI's machine may be doing other things.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildTool } from '../bed/build-tool.ts';
import { type Command, type Cost, measure, median } from './measure.ts';
import { writePackage } from './package.ts';
import { resourceList } from './resource-list.ts';

const { values: flags } = parseArgs({ options: { runs: { type: 'string' }, check: { type: 'boolean', default: false } } });
const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));
const NODE = process.execPath;
const CLI = [NODE, join(ROOT, 'dist/tenantplane.mjs')];
const FUNCTION = [NODE, join(ROOT, 'dist/tenantplane-fn.mjs'), 'render-tenant'];
const SIZE = 10_000;
const RUNS = Number(flags.runs ?? (flags.check ? 1 : 3));

interface Row {
  readonly what: string;
  readonly cpu: number;
  readonly rss: number;
  readonly against: string;
  readonly bar: string;
  /** share of the bar that was used; over 1 is a miss */
  readonly used: number | undefined;
  /** the same without what is measured against a peer */
  readonly guard: number | undefined;
}

const rows: Row[] = [];
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tenantplane-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Runs a command on fresh ground each time and takes the medians. */
async function cost(make: (run: number) => Command): Promise<Pick<Cost, 'cpu' | 'rss'>> {
  const costs: Cost[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const command = make(run);
    const once = await measure(command);
    if (once.status !== 0) throw new Error(`${command.argv.join(' ')} exited ${once.status}: ${once.stderr.slice(0, 2000)}`);
    costs.push(once);
  }
  return { cpu: median(costs.map(({ cpu }) => cpu)), rss: median(costs.map(({ rss }) => rss)) };
}

function report(what: string, measured: Pick<Cost, 'cpu' | 'rss'>, against = '', bar = '', used?: number, guard = used): void {
  rows.push({ what, ...measured, against, bar, used, guard });
  process.stderr.write(`${what}: ${measured.cpu.toFixed(2)} s CPU\n`);
}

function packageOf(count: number): string {
  const path = join(folder, `package-${count}`);
  if (!existsSync(path)) writePackage(path, count);
  return path;
}

let copies = 0;
function copyOf(path: string): string {
  copies += 1;
  const copy = join(folder, `copy-${copies}`);
  cpSync(path, copy, { recursive: true });
  return copy;
}

const times = (value: number, of: number): string => `${(value / of).toFixed(2)}x`;

/** As on a developer's machine: a render keeps what the next one will say. */
const CACHED = { TENANTPLANE_CACHE: join(folder, 'cache'), CI: '' };

async function render(count: number): Promise<Pick<Cost, 'cpu' | 'rss'>> {
  const measured = await cost(() => ({ argv: [...CLI, 'render', copyOf(packageOf(count))], env: CACHED }));
  return measured;
}

async function fromFilesToFiles(): Promise<void> {
  const bare = await cost(() => ({ argv: [NODE, join(ROOT, 'test/bench/bare-load.mjs'), packageOf(SIZE)], cwd: ROOT }));
  report(`js-yaml loadAll of ${SIZE} objects, nothing else`, bare);
  const small = await render(SIZE);
  const used = small.cpu / Math.min(3, 3 * bare.cpu);
  report(`render ${SIZE} objects, files to files`, small, `${times(small.cpu, bare.cpu)} loadAll`, '3 s, 3x loadAll', used, small.cpu / 3);

  const rendered = copyOf(packageOf(SIZE));
  await cost(() => ({ argv: [...CLI, 'render', rendered], env: CACHED }));
  const again = await cost(() => ({ argv: [...CLI, 'render', rendered], env: CACHED }));
  report(`render ${SIZE} objects again, unchanged`, again, times(again.cpu, small.cpu), '1.5 s', again.cpu / 1.5);
  const planned = await cost(() => ({ argv: [...CLI, 'render', '--no-cache', rendered] }));
  report(`render ${SIZE} objects again, unchanged, planned`, planned, times(planned.cpu, small.cpu));

  const large = await render(5 * SIZE);
  const share = Math.max(large.cpu / small.cpu / 5.5, large.rss / 512);
  report(`render ${5 * SIZE} objects, files to files`, large, times(large.cpu, small.cpu), '5.5x, 512 MB', share);
}

async function asFunction(bareNode: number): Promise<void> {
  const list = (name: string, count: number, foreign: number): string => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, resourceList(packageOf(count), foreign));
    return file;
  };
  const out = join(folder, 'out.yaml');
  const one = list('one', 1, 0);
  const start = await cost(() => ({ argv: FUNCTION, stdin: one, stdout: out }));
  report('function on one object', start, `${times(start.cpu, bareNode)} node`, '2x node', start.cpu / bareNode / 2);
  const shares: [string, number, number, number][] = [
    ['all of them a tenant’s', SIZE, 0, 1.5],
    ['a tenth of them', SIZE / 10, SIZE - SIZE / 10, 0.8],
    ['one of them', 1, SIZE - 1, 0.8],
  ];
  for (const [share, count, foreign, limit] of shares) {
    const file = list('items', count, foreign);
    const measured = await cost(() => ({ argv: FUNCTION, stdin: file, stdout: out }));
    const own = measured.cpu - bareNode;
    report(`function on ${SIZE} items, ${share}`, measured, `${own.toFixed(2)} s less node`, `${limit} s less node`, own / limit);
  }
}

async function peers(): Promise<void> {
  const kpt = await buildTool('kpt');
  const source = await cost(() => ({ argv: [kpt, 'fn', 'source', packageOf(SIZE)] }));
  report(`kpt fn source, ${SIZE} objects`, source);
  const kptfile = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: bench\npipeline:\n  mutators:\n    - exec: cat\n';
  const cat = await cost(() => {
    const copy = copyOf(packageOf(SIZE));
    writeFileSync(join(copy, 'Kptfile'), kptfile);
    return { argv: [kpt, 'fn', 'render', copy, '--allow-exec'] };
  });
  report(`kpt fn render with \`cat\`, ${SIZE} objects`, cat);

  // it grows with the square of the number of objects: a tenth is enough to see it
  const kustomize = await buildTool('kustomize');
  const few = SIZE / 10;
  const build = await cost(() => {
    const copy = copyOf(packageOf(Math.min(few, 500)));
    const parts = Array.from({ length: Math.ceil(Math.min(few, 500) / 100) }, (_, i) => `  - tenants/t000/objects/part-0${i}.yaml\n`);
    writeFileSync(join(copy, 'kustomization.yaml'), `resources:\n${parts.join('')}`);
    return { argv: [kustomize, 'build', copy] };
  });
  report(`kustomize build, resources only, ${Math.min(few, 500)} objects`, build);
  const same = await render(Math.min(few, 500));
  report(`render ${Math.min(few, 500)} objects, files to files`, same, `${times(same.cpu, build.cpu)} kustomize`);
}

async function pods(): Promise<void> {
  const out = join(folder, 'pods.txt');
  const argv = [NODE, '--import', 'tsx', join(ROOT, 'test/bench/translate-pods.ts'), String(SIZE)];
  const measured = await cost(() => ({ argv, cwd: ROOT, stdout: out }));
  const [translated = 0, planned = 0] = readFileSync(out, 'utf8').split(' ').map(Number);
  report(`translate ${SIZE} Pods in memory`, measured, `${translated} Pods/s`, '20,000 Pods/s', 20_000 / translated);
  report(`plan ${SIZE} Pods in memory`, measured, `${planned} Pods/s`);
}

/** Two commits of a fleet of 200 tenants: every tenant's profile is edited, and the objects of ten of them. */
async function reviews(): Promise<void> {
  const repo = join(folder, 'repo');
  const fleet = join(repo, 'fleet');
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], { cwd: repo, stdio: 'ignore' });
  writePackage(fleet, SIZE, SIZE / 200);
  const rendered = await cost(() => ({ argv: [...CLI, 'render', '--no-cache', fleet] }));
  report(`render ${SIZE} objects of 200 tenants`, rendered);
  git('init', '-q', '.');
  git('add', '-A');
  git('commit', '-qm', 'before');
  const edit = (path: string, from: string, to: string): void => {
    const file = join(fleet, path);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${path} holds no ${from}`);
    writeFileSync(file, text.replaceAll(from, to));
  };
  edit('platform/profiles.yaml', 'level: restricted', 'level: sandboxed');
  for (let tenant = 0; tenant < 10; tenant += 1) edit(`tenants/t00${tenant}/objects/part-00.yaml`, 'replicas: 1', 'replicas: 4');
  git('commit', '-qam', 'after');
  const review = async (what: string, bar: number, argv: readonly string[]): Promise<void> => {
    const measured = await cost(() => ({ argv: [...CLI, ...argv, '--exit-code=false'], cwd: repo }));
    report(what, measured, `${times(measured.cpu, rendered.cpu)} render`, `${bar}x render`, measured.cpu / rendered.cpu / bar);
  };
  await review('diff of two commits of them', 4, ['diff', 'HEAD~1..HEAD', 'fleet']);
  await review('what-if over them', 2, ['what-if', 'fleet', '--set', 'IsolationProfile/restricted:spec.controls.userNamespaces=required']);
}

/** Questions on a fleet of 200 tenants: an answer plans the tenant that it is about, whatever the size of the fleet. */
async function questions(): Promise<void> {
  const fleet = join(folder, 'fleet');
  writePackage(fleet, SIZE, SIZE / 200);
  await cost(() => ({ argv: [...CLI, 'render', '--no-cache', fleet] }));
  const asked: readonly (readonly [what: string, words: readonly string[]])[] = [
    ['a host file', [join(fleet, 'host/team-t150/deployment.apps_app-0003-x-default-x-t150.yaml')]],
    ['a host name alone', ['app-0003-x-default-x-t150', fleet]],
    ['a tenant’s object', ['deploy/app-0003', '--tenant', 't150', fleet]],
    ['an admission policy', ['vap/tenantplane-restricted-pods', fleet]],
  ];
  for (const [what, words] of asked) {
    const measured = await cost(() => ({ argv: [...CLI, 'why', ...words] }));
    report(`why, ${what}, among ${SIZE} objects of 200 tenants`, measured, '', '1 s', measured.cpu);
  }
}

const node = await cost(() => ({ argv: [NODE, '-e', '0'] }));
report('node -e 0', node);
await asFunction(node.cpu);
await fromFilesToFiles();
await reviews();
await pods();
await questions();
if (!flags.check) await peers();

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
const verdict = (used: number | undefined): string =>
  used === undefined ? '' : used <= 1 ? 'met' : `missed (${used.toFixed(2)} of the bar)`;
process.stdout.write(
  `Node ${process.version}, ${RUNS} run${RUNS === 1 ? '' : 's'}, medians\n\n` +
    line(['what', 'CPU s', 'peak MiB', 'against', 'bar', '']) +
    line(['---', '---:', '---:', '---:', '---', '---']) +
    rows
      .map(({ what, cpu, rss, against, bar, used }) => line([what, cpu.toFixed(2), rss.toFixed(0), against, bar, verdict(used)]))
      .join(''),
);
if (flags.check && rows.some(({ guard }) => guard !== undefined && guard > 3)) process.exitCode = 1;
