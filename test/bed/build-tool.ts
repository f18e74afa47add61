/**
 * Real tools for the tests, built from their published Go modules with exact versions. They are kept in a cache outside the
 * tree, keyed by everything that they are built from, so that a warm machine starts at once.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromAssets } from './assets.ts';
import { KUBERNETES_VERSIONS, type KubernetesVersion, NEWEST } from './kubernetes-version.ts';

const BED: string = fileURLToPath(new URL('.', import.meta.url));

/** Folder under test/bed, and the package that is built there. Kubernetes has a folder for each of its versions. */
const TOOLS = {
  admissioncost: { folder: 'admission-cost', main: '.' },
  crd: { folder: 'crd', main: '.' },
  kpt: { folder: 'kpt', main: '.' },
  coredns: { folder: 'coredns', main: 'github.com/coredns/coredns' },
  argocd: { folder: 'argocd', main: 'github.com/argoproj/argo-cd/v3/cmd' },
  flux: { folder: 'flux', main: '.' },
  'kustomize-controller': { folder: 'kustomize-controller', main: 'github.com/fluxcd/kustomize-controller' },
  kustomize: { folder: 'kustomize', main: 'sigs.k8s.io/kustomize/kustomize/v5' },
  etcd: { folder: 'etcd', main: 'go.etcd.io/etcd/server/v3' },
  etcdctl: { folder: 'etcd', main: 'go.etcd.io/etcd/etcdctl/v3' },
  etcdutl: { folder: 'etcd', main: 'go.etcd.io/etcd/etcdutl/v3' },
  'kube-apiserver': { folder: 'kubernetes', main: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  'kube-controller-manager': { folder: 'kubernetes', main: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  'kube-scheduler': { folder: 'kubernetes', main: 'k8s.io/kubernetes/cmd/kube-scheduler' },
  kubectl: { folder: 'kubernetes', main: 'k8s.io/kubernetes/cmd/kubectl' },
  // no older than its API server, no newer either
  kubelet: { folder: 'kubernetes-1.37', main: 'k8s.io/kubernetes/cmd/kubelet' },
  'kube-proxy': { folder: 'kubernetes-1.37', main: 'k8s.io/kubernetes/cmd/kube-proxy' },
  kwok: { folder: 'kwok', main: 'sigs.k8s.io/kwok/cmd/kwok' },
  'k3s-stand-in': { folder: 'k3s-stand-in', main: '.' },
  kine: { folder: 'kine', main: 'github.com/k3s-io/kine' },
  prometheus: { folder: 'prometheus', main: '.' },
  networkpolicy: { folder: 'network-policy', main: '.' },
} as const;

export type Tool = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as readonly Tool[];

/** The versions that a tool is built in: Kubernetes' own in several. */
export function versionsOf(tool: Tool): readonly (KubernetesVersion | undefined)[] {
  return TOOLS[tool].folder === 'kubernetes' ? KUBERNETES_VERSIONS : [undefined];
}

/**
 * Path of the tool's binary; builds it where the cache does not hold it. `TENANTPLANE_KPT=/usr/bin/kpt` uses another one, and
 * so does `KUBEBUILDER_ASSETS` for what such a folder holds. `version` is for the tools of Kubernetes: the newest if not said.
 */
export async function buildTool(tool: Tool, version?: KubernetesVersion): Promise<string> {
  const given = process.env[`TENANTPLANE_${tool.toUpperCase().replaceAll('-', '_')}`] ?? fromAssets(tool, version);
  if (given !== undefined) return given;
  const { folder: family, main } = TOOLS[tool];
  const folder = family === 'kubernetes' ? `kubernetes-${version ?? NEWEST}` : family;
  const source = join(BED, folder);
  const home = join(cacheFolder(), `${folder}-${hash(source)}`);
  const binary = join(home, tool);
  if (existsSync(binary)) return binary;

  mkdirSync(home, { recursive: true });
  const scratch = mkdtempSync(join(home, 'building-'));
  process.stderr.write(`building ${tool} in test/bed/${folder} from its Go module (once, some minutes) ...\n`);
  try {
    await go(source, join(home, 'lock'), ['build', '-trimpath', '-ldflags', linkFlags(source), '-o', join(scratch, tool), main]);
    // complete or not there: another run may have built the same thing meanwhile
    renameSync(join(scratch, tool), binary);
  } catch (error) {
    throw new Error(`cannot build ${tool} in test/bed/${folder}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return binary;
}

/** Where tools are kept, and what is made of them. */
export function cacheFolder(): string {
  return process.env['TENANTPLANE_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tenantplane');
}

/** Kubernetes' components learn their version when they are linked: without this they call themselves v0.0.0-master. */
function linkFlags(source: string): string {
  const pin = /^(?:require)?\s*k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\S+)/m.exec(readFileSync(join(source, 'go.mod'), 'utf8'));
  if (pin === null) return '-s -w';
  const [, version, major, minor] = pin;
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  return ['-s -w', ...Object.entries(values).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)].join(' ');
}

/** One build of a family at a time: what they share is then compiled once. The lock goes with the process that holds it. */
async function go(cwd: string, lock: string, args: readonly string[]): Promise<void> {
  // a compiler of Kubernetes needs the memory that suites spare their servers the work of collecting
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOGC: '100' };
  const child = spawn('flock', [lock, 'go', ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const status = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (status === 0) return;
  // flock's own word for a command that it cannot find
  throw new Error(status === 69 ? `${stderr.trim()}: is Go 1.26 or newer installed?` : stderr);
}

function hash(source: string): string {
  const hasher = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const name of readdirSync(source).sort()) hasher.update(`${name}\0`).update(readFileSync(join(source, name)));
  return hasher.digest('hex').slice(0, 16);
}
