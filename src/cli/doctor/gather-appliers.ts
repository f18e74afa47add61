import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject, objectAt } from '../../core/kube/json.ts';
import { apiVersionOf, groupOf } from '../../core/kube/object.ts';
import { readPackage } from '../../krm/package.ts';
import { parseDocument } from '../../krm/yaml/parse.ts';
import { SYSTEM_CLOCK } from '../../kube/clock.ts';
import { find } from '../../kube/discovery/discovered.ts';
import { discovery } from '../../kube/discovery/discovery.ts';
import { listAll } from '../../kube/reflector/list-pages.ts';
import type { Transport } from '../../kube/transport/transport.ts';
import { isApplier } from './gitops-checks.ts';

/** Objects on a host that say how trees are applied; what the account may not list, or the host does not serve, is left out. */
const KINDS: readonly { readonly group: string; readonly plural: string; readonly fieldSelector?: string }[] = [
  { group: 'argoproj.io', plural: 'applications' },
  { group: 'argoproj.io', plural: 'applicationsets' },
  { group: 'kustomize.toolkit.fluxcd.io', plural: 'kustomizations' },
  { group: 'source.toolkit.fluxcd.io', plural: 'gitrepositories' },
  { group: 'kpt.dev', plural: 'resourcegroups' },
  { group: '', plural: 'configmaps', fieldSelector: 'metadata.name=argocd-cm' },
];

export async function appliersOnHost(host: Transport, signal: AbortSignal): Promise<readonly JsonObject[]> {
  const served = await discovery(host, SYSTEM_CLOCK).all(signal);
  if ('failure' in served) return [];
  const lists = await Promise.all(
    KINDS.map(async ({ group, plural, fieldSelector }) => {
      const resource = find(served.value, { group, plural });
      if (resource === undefined) return [];
      const listed = await listAll(host, { resource, ...(fieldSelector !== undefined && { fieldSelector }) }, signal);
      return 'failure' in listed ? [] : listed.value.objects;
    }),
  );
  return lists.flat().filter(isApplier);
}

/** The package's own Kptfile, where `kpt live init` gave the package an inventory: in it, or in a file beside it. */
export function inventoryOf(root: string): readonly JsonObject[] {
  const read = (name: string): JsonObject | undefined => {
    const path = join(root, name);
    const value = existsSync(path) ? parseDocument(readFileSync(path, 'utf8')).value : undefined;
    return value !== undefined && isObject(value) && groupOf(apiVersionOf(value)) === 'kpt.dev' ? value : undefined;
  };
  const file = read('Kptfile');
  if (file === undefined) return [];
  return objectAt(file, 'inventory') !== undefined || read('resourcegroup.yaml') !== undefined ? [file] : [];
}

/** Those of a folder of manifests, such as the repository that Argo CD's app of apps reads. */
export async function appliersIn(folder: string, signal: AbortSignal): Promise<readonly JsonObject[]> {
  const { inputs } = await readPackage(folder, signal);
  return inputs.map(({ object }) => object).filter(isApplier);
}
