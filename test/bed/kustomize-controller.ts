import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildTool } from './build-tool.ts';
import type { Cluster } from './cluster.ts';
import { onFreePort } from './free-port.ts';
import { moduleFolder } from './module-folder.ts';
import { startServer, untilReady } from './server.ts';

const MODULE: string = fileURLToPath(new URL('kustomize-controller', import.meta.url));
/** As Flux installs it: admission and RBAC know it by this name. */
const ACCOUNT = 'system:serviceaccount:flux-system:kustomize-controller';
const GROUP = 'source.toolkit.fluxcd.io';
/** Kinds of source-controller that kustomize-controller watches. Only their status matters here, so any content is legal. */
const SOURCES = ['Bucket', 'ExternalArtifact', 'GitRepository', 'OCIRepository'];

export interface KustomizeController {
  /** what a source that follows a repository does at a commit: a new artifact of the folder. @returns its revision */
  publish(folder: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts Flux's real kustomize-controller, beside a source `GitRepository/fleet` that the test publishes by itself. */
export async function startKustomizeController(cluster: Cluster): Promise<KustomizeController> {
  await install(cluster);
  const binary = await buildTool('kustomize-controller');
  const artifacts = await serveArtifacts();
  const kubeconfig = cluster.kubeconfigFor(ACCOUNT);
  const tmp = join(cluster.folder, 'kustomize-controller');
  mkdirSync(tmp, { recursive: true });
  const env = [`KUBECONFIG=${kubeconfig}`, `TMPDIR=${tmp}`, 'RUNTIME_NAMESPACE=flux-system'];
  const server = await onFreePort(async (port) => {
    const health = `127.0.0.1:${port}`;
    const flags = ['--metrics-addr=127.0.0.1:0', `--health-addr=${health}`, '--requeue-dependency=1s', '--enable-leader-election=false'];
    const started = startServer({ name: 'kustomize-controller', binary: 'env', args: [...env, binary, ...flags], folder: cluster.folder });
    await untilReady(started, () => answers(`http://${health}/readyz`));
    return started;
  });
  let published = 0;
  return {
    publish: async (folder) => {
      const archive = execFileSync('tar', ['-czf', '-', '-C', folder, '.'], { maxBuffer: 64e6 });
      published += 1;
      const revision = `main@sha1:${published.toString().padStart(40, '0')}`;
      const digest = `sha256:${createHash('sha256').update(archive).digest('hex')}`;
      const url = artifacts.put(`${published}.tar.gz`, archive);
      const artifact = { url, path: 'fleet.tar.gz', revision, digest, size: archive.length, lastUpdateTime: new Date().toISOString() };
      const ready = { type: 'Ready', status: 'True', reason: 'Succeeded', message: revision, lastTransitionTime: artifact.lastUpdateTime };
      const status = JSON.stringify({ status: { artifact, conditions: [ready] } });
      await kubectl(cluster, ['patch', '-n', 'flux-system', 'gitrepository/fleet', '--subresource=status', '--type=merge', '-p', status]);
      return revision;
    },
    stop: async () => {
      await server.end();
      artifacts.close();
    },
  };
}

/** CRD of the controller's own module, and sources with a status that is written by hand. */
async function install(cluster: Cluster): Promise<void> {
  const crds = ['-f', join(moduleFolder(MODULE, 'github.com/fluxcd/kustomize-controller'), 'config/crd/bases'), '-f', '-'];
  const sources = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: SOURCES.map(sourceCrd) });
  await kubectl(cluster, ['apply', '--server-side', ...crds], sources);
  await kubectl(cluster, ['wait', '--for=condition=Established', ...crds], sources);
  await kubectl(cluster, ['create', 'namespace', 'flux-system']);
  await kubectl(cluster, ['create', 'clusterrolebinding', 'flux', '--clusterrole=cluster-admin', `--user=${ACCOUNT}`]);
  const fleet = { apiVersion: `${GROUP}/v1`, kind: 'GitRepository', metadata: { name: 'fleet', namespace: 'flux-system' }, spec: {} };
  await kubectl(cluster, ['create', '-f', '-'], JSON.stringify(fleet));
}

function sourceCrd(kind: string): object {
  const singular = kind.toLowerCase();
  const plural = singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { kind, singular, plural, listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}

interface Artifacts {
  put(name: string, content: Buffer): string;
  close(): void;
}

async function serveArtifacts(): Promise<Artifacts> {
  const held = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const content = held.get(request.url ?? '');
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    put: (name, content) => {
      held.set(`/${name}`, content);
      return `http://127.0.0.1:${port}/${name}`;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

async function kubectl(cluster: Cluster, args: readonly string[], input = ''): Promise<void> {
  const ran = await cluster.kubectl(args, { input });
  if (ran.status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${ran.stderr}`);
}
