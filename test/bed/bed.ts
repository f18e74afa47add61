// npm run bed -- up | down | status | build: real Kubernetes on loopback, for people. Tests start their own: cluster.ts.
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { buildTool, TOOL_NAMES, type Tool, versionsOf } from './build-tool.ts';
import { KUBERNETES_VERSIONS, type KubernetesVersion, NEWEST } from './kubernetes-version.ts';
import { LOG, type RunningBed, type RunningProcess, runningBed, stateFolder } from './running-bed.ts';
import type { BedRequest } from './serve-bed.ts';
import { isAlive } from './server.ts';

/** a node, and what runs on it as a tenant's control plane */
const NODE_TOOLS = ['kubelet', 'kine', 'k3s-stand-in'] as const;
const SERVE: string = fileURLToPath(new URL('serve-bed.ts', import.meta.url));

function count(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 0 to 999.');
  return Number(text);
}

const program = new Command('npm run bed --').description('Real Kubernetes on loopback, built from pinned Go modules.');
program
  .command('up')
  .description('start a host and tenant API servers, and leave them running')
  .option('--tenants <count>', 'tenant API servers beside the host', count, 1)
  .addOption(new Option('--version <version>', 'of Kubernetes').choices(KUBERNETES_VERSIONS).default(NEWEST))
  .option('--kwok <nodes>', 'fake nodes of the host: its pods get Running', count, 0)
  .option('--kubelet', 'a node of the host: its pods really run, and control planes of tenants with them; needs root', false)
  .action(up);
program.command('status').description('say what runs').action(status);
program.command('down').description('end what `up` started').action(down);
program
  .command('build')
  .description('build what the cache does not hold, and print where each binary is')
  .addOption(new Option('--version <version>', 'of Kubernetes; both if not said').choices(KUBERNETES_VERSIONS))
  .addArgument(new Argument('[tools...]', 'default: all of them').choices(TOOL_NAMES))
  .action(build);

async function up(request: BedRequest): Promise<void> {
  const folder = stateFolder();
  if (runningBed(folder) !== undefined)
    throw new Error('a bed is up already: `npm run bed -- status` shows it, `npm run bed -- down` ends it');
  // here and not in the background, so that people see that it is building
  for (const tool of ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager'] as const) await buildTool(tool, request.version);
  if (request.kwok > 0 || request.kubelet) await buildTool('kube-scheduler', request.version);
  if (request.kubelet) for (const tool of NODE_TOOLS) await buildTool(tool);
  if (request.kwok > 0) await buildTool('kwok');

  const log = join(folder, LOG);
  const output = openSync(log, 'w');
  const argv = ['--import', 'tsx', SERVE, JSON.stringify(request)];
  const child = spawn(process.execPath, argv, { detached: true, stdio: ['ignore', output, output] });
  child.unref();
  let bed: RunningBed | undefined;
  while (bed === undefined) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the bed did not come up:\n${readFileSync(log, 'utf8')}`);
    await sleep(50);
    bed = runningBed(folder);
  }
  describe(bed);
}

function describe(bed: RunningBed): void {
  for (const { name, url, version, kubeconfig } of bed.clusters)
    process.stdout.write(`# ${name}: Kubernetes ${version} at ${url}\nexport KUBECONFIG=${kubeconfig}\n`);
  process.stdout.write(`# kubectl of that version\nexport PATH="${dirname(bed.kubectl)}:$PATH"\n# to end it: npm run bed -- down\n`);
}

function status(): void {
  const bed = runningBed(stateFolder());
  if (bed === undefined) {
    process.stdout.write('no bed is up: `npm run bed -- up` starts one\n');
    return;
  }
  describe(bed);
  for (const { owner, name, pid } of processesOf(bed)) {
    process.stdout.write(`# ${owner} ${name} ${pid} ${isAlive(pid) ? `${residentMiB(pid)} MiB` : 'has ended'}\n`);
  }
}

function processesOf({ etcd, clusters }: RunningBed): (RunningProcess & { readonly owner: string })[] {
  const own = clusters.flatMap(({ name, processes }) => processes.map((each) => ({ owner: name, ...each })));
  return [{ owner: 'shared', ...etcd }, ...own];
}

function residentMiB(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

async function down(): Promise<void> {
  const bed = runningBed(stateFolder());
  if (bed === undefined) {
    process.stdout.write('no bed is up\n');
    return;
  }
  process.kill(bed.pid, 'SIGTERM');
  while (isAlive(bed.pid)) await sleep(50);
}

async function build(tools: readonly Tool[], only: { readonly version?: KubernetesVersion }): Promise<void> {
  const wanted = tools.length > 0 ? tools : TOOL_NAMES;
  for (const tool of wanted) {
    const versions = versionsOf(tool).filter((version) => version === undefined || version === (only.version ?? version));
    for (const version of versions)
      process.stdout.write(`${[tool, version].filter(Boolean).join(' ')} ${await buildTool(tool, version)}\n`);
  }
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
