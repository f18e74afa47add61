import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeObject } from '../../core/gitops/tree-folders.ts';
import { treeFolders } from '../../core/gitops/tree-folders.ts';
import { kindOf, namespaceOf } from '../../core/kube/object.ts';
import { isConfig, objectsFolder, tenantKeyOf } from '../../core/plan/assign.ts';
import { isOurs } from '../../core/plan/old-tree.ts';
import { HOST_FOLDER, packagePaths } from '../../krm/package.ts';
import { readDocuments } from '../../krm/yaml/read.ts';

/** Tenants of a package, as `namespace/name`, of which its tree holds nothing: it is older than they are, or they were never rendered. */
export function tenantsNotRendered(root: string, objects: readonly TreeObject[]): readonly string[] {
  const rendered = new Set(treeFolders(objects, 'top').map(({ path }) => path));
  return packagePaths(root)
    .filter((path) => !path.startsWith(`${HOST_FOLDER}/`) && objectsFolder(path) === undefined)
    .flatMap((path) => tenantClusters(join(root, path)))
    .filter((object) => !rendered.has(namespaceOf(object) ?? ''))
    .map(tenantKeyOf)
    .sort();
}

/** Only a file that speaks of one is parsed: the rest of a package may be large. */
function tenantClusters(file: string): TreeObject['object'][] {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('TenantCluster')) return [];
  const objects = readDocuments(text, file).objects.map(({ object }) => object);
  return objects.filter((object) => isConfig(object) && kindOf(object) === 'TenantCluster' && !isOurs(object));
}
