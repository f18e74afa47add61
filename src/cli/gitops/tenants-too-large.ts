import { type TreeObject, treeFolders } from '../../core/gitops/tree-folders.ts';
import { tenantTooLarge } from '../../core/plan/application-size.ts';
import type { Finding } from '../../core/plan/plan-types.ts';

/** Of tenants that are named by their namespace, since a tree need not hold TenantClusters. */
export function tenantsTooLarge(objects: readonly TreeObject[]): readonly Finding[] {
  return treeFolders(objects, 'top')
    .filter(({ role }) => role === 'tenant')
    .flatMap(({ path, count }) => tenantTooLarge(path, count, { path: `host/${path}`, document: 0 }));
}
