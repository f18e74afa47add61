import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildTool } from './build-tool.ts';
import type { Cluster } from './cluster.ts';
import { type Image, type Layer, writeImageArchive } from './image-archive.ts';

/** Debian's, from the package busybox-static: it needs no library. */
const BUSYBOX = '/bin/busybox';

/**
 * Makes images named as k3s' own are (`docker.io/rancher/k3s:v1.34.2-k3s1` for `1.34.2`), which hold the stand-in for k3s, and imports
 * them on the cluster's node. One binary serves as every version: `/version` says the image's.
 */
export async function importK3sImage(cluster: Cluster, versions: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(cluster.node().folder, 'k3s-image-'));
  try {
    await cluster.node().importImages(await writeImageArchive(folder, await k3sLayer(), versions.map(k3sImage)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
