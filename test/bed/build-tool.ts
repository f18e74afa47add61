/**
 * Real tools for the tests, built from their published Go modules with exact versions. They are kept in a cache outside the
 * tree, keyed by everything that they are built from, so that a warm machine starts at once.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BED: string = fileURLToPath(new URL('.', import.meta.url));

/** Folder under test/bed, and the package that is built there. */
const TOOLS = {
  crd: { folder: 'crd', main: '.' },
  kpt: { folder: 'kpt', main: '.' },
  coredns: { folder: 'coredns', main: 'github.com/coredns/coredns' },
  argocd: { folder: 'argocd', main: 'github.com/argoproj/argo-cd/v3/cmd' },
  flux: { folder: 'flux', main: '.' },
  kustomize: { folder: 'kustomize', main: 'sigs.k8s.io/kustomize/kustomize/v5' },
} as const;

export type Tool = keyof typeof TOOLS;

/** Path of the tool's binary; builds it where the cache does not hold it. `TENANTPLANE_KPT=/usr/bin/kpt` uses another one. */
export function buildTool(tool: Tool): string {
  const given = process.env[`TENANTPLANE_${tool.toUpperCase()}`];
  if (given !== undefined) return given;
  const { folder, main } = TOOLS[tool];
  const source = join(BED, folder);
  const cache = process.env['TENANTPLANE_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tenantplane');
  const home = join(cache, `${tool}-${hash(source)}`);
  const binary = join(home, tool);
  if (existsSync(binary)) return binary;

  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, `${tool}-building-`));
  process.stderr.write(`building ${tool} from its Go module (once, a minute or two) ...\n`);
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(scratch, tool), main];
  const built = spawnSync('go', args, {
    cwd: source,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' },
    encoding: 'utf8',
  });
  if (built.error !== undefined || built.status !== 0) {
    rmSync(scratch, { recursive: true, force: true });
    const why = built.error === undefined ? built.stderr : `${built.error.message}: is Go 1.26 or newer installed?`;
    throw new Error(`cannot build ${tool} in test/bed/${folder}: ${why}`);
  }
  // complete or not there: another run may be building the same thing
  if (existsSync(binary)) rmSync(scratch, { recursive: true, force: true });
  else renameSync(scratch, home);
  return binary;
}

function hash(source: string): string {
  const hasher = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const name of readdirSync(source).sort()) hasher.update(`${name}\0`).update(readFileSync(join(source, name)));
  return hasher.digest('hex').slice(0, 16);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const tool of Object.keys(TOOLS) as Tool[]) process.stdout.write(`${tool} ${buildTool(tool)}\n`);
}
