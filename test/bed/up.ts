// npm run up [-- PATH]: a host with a node, the reconciler and a package's tenants on this machine, until it is interrupted. Needs Linux and root.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KUBERNETES_RELEASES } from '../../src/core/controlplane/kubernetes-versions.ts';
import { buildTool } from './build-tool.ts';
import { startCluster } from './cluster.ts';
import { importK3sImage } from './k3s-image.ts';

const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));
/** Of Debian's packages containerd, runc, iproute2, iptables, busybox-static and util-linux. */
const PROGRAMS = ['containerd', 'runc', 'ip', 'unshare', 'nsenter', 'setpriv', 'busybox', 'go'];

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
const host = await startCluster({ kubelet: true });
try {
  say(`a host with a node: Kubernetes ${host.version}`);
  await importK3sImage(
    host,
    KUBERNETES_RELEASES.slice(-3).map(({ version }) => version),
  );
  say('the stand-in for the image of k3s is on the node: kube-apiserver and kine, since k3s itself is not built here');
  process.stdout.write(`export KUBECONFIG=${host.kubeconfig}\nexport PATH="${join(kubectl, '..')}:$PATH"\n`);
  if (!told.signal.aborted) process.exitCode = await tenantplaneUp(host.kubeconfig);
} finally {
  await host.stop();
}

async function tenantplaneUp(kubeconfig: string): Promise<number> {
  const [path = 'examples/first-tenant', ...flags] = process.argv.slice(2);
  const argv = [join(ROOT, 'dist/tenantplane.mjs'), 'up', path, '--kubeconfig', kubeconfig, ...flags];
  // in a session of its own it is interrupted once, by us, and before the host
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', process.execPath, ...argv], { stdio: 'inherit', detached: true });
  told.signal.addEventListener('abort', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
