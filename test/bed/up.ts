// npm run up [-- PATH]: a host with a node, the reconciler and a package's tenants on this machine, until it is interrupted. Needs Linux and root.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LEASE_LOST } from '../../src/cli/reconciler/lease-lost.ts';
import { KUBERNETES_RELEASES } from '../../src/core/controlplane/kubernetes-versions.ts';
import { buildTool } from './build-tool.ts';
import { startCluster } from './cluster.ts';
import { importK3sImage } from './k3s-image.ts';
import { type Ended, upAgain, upArguments } from './up-again.ts';

const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));
/** Of Debian's packages containerd, runc, iproute2, iptables, busybox-static and util-linux. */
const PROGRAMS = ['containerd', 'runc', 'ip', 'unshare', 'nsenter', 'setpriv', 'busybox', 'go'];

const UP = [join(ROOT, 'dist/tenantplane.mjs'), 'up'];

const { help, path, argv } = upArguments(process.argv.slice(2));
if (help) {
  process.stdout.write(
    'npm run up -- [PATH] [FLAGS] starts a host on this machine for tenantplane up, and ends it with it. PATH is examples/first-tenant, if none is named.\n\n',
  );
  process.exit(spawnSync(process.execPath, [...UP, '--help'], { stdio: 'inherit' }).status ?? 1);
}
if (!existsSync(path)) {
  process.stderr.write(`error: There is no package at ${path}.\n`);
  process.exit(2);
}

const missing = PROGRAMS.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
if (process.getuid?.() !== 0) missing.unshift('root (a kubelet needs it)');
if (missing.length > 0) {
  process.stderr.write(
    `npm run up needs ${missing.join(', ')}.\n  try: With a host of your own, such as kind or k3s: tenantplane up PATH --context NAME\n`,
  );
  process.exit(1);
}

const begin = performance.now();
const say = (what: string): void => {
  process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${what}\n`);
};
const told = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => told.abort());

say('building what the cache does not hold: 20 minutes the first time, nothing later');
const kubectl = await buildTool('kubectl');
const host = await startCluster({ kubelet: true, services: true });
try {
  say(`a host with a node: Kubernetes ${host.version}`);
  // one binary under every name that a package may ask for
  await importK3sImage(
    host,
    KUBERNETES_RELEASES.map(({ version }) => version),
  );
  say('the stand-in for the image of k3s is on the node: kube-apiserver and kine, since k3s itself is not built here');
  process.stdout.write(`export KUBECONFIG=${host.kubeconfig}\nexport PATH="${join(kubectl, '..')}:$PATH"\n`);
  say('when this ends (Ctrl-C), the host ends with it, and so do its tenants and their volumes');
  if (!told.signal.aborted)
    process.exitCode = await upAgain(
      () => tenantplaneUp(host.kubeconfig),
      say,
      pause,
      told.signal,
      () => takenOff(host.kubeconfig),
    );
} finally {
  say('ending the host, with its tenants and their volumes');
  await host.stop();
}

async function tenantplaneUp(kubeconfig: string): Promise<Ended> {
  const command = [process.execPath, ...UP, ...argv, '--kubeconfig', kubeconfig];
  // in a session of its own it is interrupted once, by us, and before the host
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', ...command], { stdio: ['inherit', 'inherit', 'pipe'], detached: true });
  const end = (): void => void child.kill('SIGTERM');
  told.signal.addEventListener('abort', end, { once: true });
  let [last, lost] = ['', false];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text);
    last = (last + text).slice(-10_000);
    lost ||= last.includes(LEASE_LOST);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  told.signal.removeEventListener('abort', end);
  return { code: code ?? 1, lost };
}

/** That somebody deleted the definition of tenants; a host that does not answer says nothing of it. */
function takenOff(kubeconfig: string): boolean {
  const fields = 'jsonpath={.metadata.name} {.metadata.deletionTimestamp}';
  const argv = ['get', 'crd', 'tenantclusters.tenantplane.io', '--ignore-not-found', '-o', fields, '--kubeconfig', kubeconfig];
  const { status, stdout } = spawnSync(kubectl, argv, { encoding: 'utf8', timeout: 10_000 });
  return status === 0 && !/^\S+ ?$/.test(stdout);
}

async function pause(): Promise<void> {
  await sleep(5_000, undefined, { signal: told.signal }).catch(() => undefined);
}
