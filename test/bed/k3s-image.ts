import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildTool, cacheFolder } from './build-tool.ts';
import type { Cluster } from './cluster.ts';
import { type Image, type Layer, writeImageArchive } from './image-archive.ts';

/** Debian's, from the package busybox-static: it needs no library. */
const BUSYBOX = '/bin/busybox';

/**
 * Makes images named as k3s' own are (`docker.io/rancher/k3s:v1.34.2-k3s1` for `1.34.2`), which hold the stand-in for k3s, and imports
 * them on the cluster's node. One binary serves as every version: `/version` says the image's.
 */
export async function importK3sImage(cluster: Cluster, versions: readonly string[]): Promise<void> {
  await cluster.node().importImages(await madeOnce(await k3sLayer(), versions.map(k3sImage)));
}

/** To copy, pack and digest 300 MB takes seconds: an archive is kept beside the tools, by all that it is made of. @returns its path */
async function madeOnce(layer: Layer, images: readonly Image[]): Promise<string> {
  const files = Object.entries(layer.files).map(([place, path]) => [place, path, statSync(path).size, statSync(path).mtimeMs]);
  const key = createHash('sha256')
    .update(JSON.stringify([files, layer.links, images]))
    .digest('hex')
    .slice(0, 16);
  const home = join(cacheFolder(), 'images');
  const archive = join(home, `k3s-${key}.tar`);
  if (existsSync(archive)) return archive;
  mkdirSync(home, { recursive: true });
  const scratch = mkdtempSync(join(home, 'making-'));
  try {
    // complete or not there: another run may have made the same meanwhile
    renameSync(await writeImageArchive(scratch, layer, images), archive);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return archive;
}

export function k3sImageName(version: string): string {
  return `docker.io/rancher/k3s:v${version}-k3s1`;
}

function k3sImage(version: string): Image {
  return { name: k3sImageName(version), entrypoint: ['/bin/k3s'], env: [`K3S_STANDIN_VERSION=v${version}+k3s1`] };
}

async function k3sLayer(): Promise<Layer> {
  const files: Record<string, string> = { 'bin/busybox': BUSYBOX, 'bin/k3s': await buildTool('k3s-stand-in') };
  for (const tool of ['kube-apiserver', 'kube-controller-manager', 'kubectl', 'kine', 'etcd', 'etcdutl'] as const)
    files[`bin/${tool}`] = await buildTool(tool);
  return { files, links: Object.fromEntries(COMMANDS.map((name) => [`bin/${name}`, 'busybox'])) };
}

/** What k3s' own image has of a shell. */
const COMMANDS = ['sh', 'cat', 'chmod', 'cp', 'env', 'id', 'ls', 'mkdir', 'mv', 'rm', 'sleep', 'stat', 'test'];
