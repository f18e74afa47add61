import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesVersion } from './kubernetes-version.ts';

/** What may come from a folder of ready binaries; of these, those of Kubernetes are of one version. */
const SERVED: readonly string[] = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'];

/**
 * The tool's binary in `KUBEBUILDER_ASSETS`, as envtest has it. Where a version is asked for, the folder's API server has to
 * be of that version; where none is, what is there is taken.
 */
export function fromAssets(tool: string, version: KubernetesVersion | undefined): string | undefined {
  const folder = process.env['KUBEBUILDER_ASSETS'];
  if (folder === undefined || !SERVED.includes(tool)) return undefined;
  const binary = join(folder, tool);
  if (!existsSync(binary)) return undefined;
  const fits = tool === 'etcd' || version === undefined || minorOf(join(folder, 'kube-apiserver')) === version;
  return fits ? binary : undefined;
}

function minorOf(server: string): string | undefined {
  const { stdout } = spawnSync(server, ['--version'], { encoding: 'utf8' });
  return /^Kubernetes v(\d+\.\d+)\./.exec(stdout ?? '')?.[1];
}
