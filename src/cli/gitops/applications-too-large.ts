import { type TreeObject, treeFolders } from '../../core/gitops/tree-folders.ts';
import { sharedTooLarge, tenantTooLarge } from '../../core/plan/application-size.ts';
import type { Finding } from '../../core/plan/plan-types.ts';

/** Of tenants that are named by their namespace, since a tree need not hold TenantClusters, and of what is shared. */
export function applicationsTooLarge(objects: readonly TreeObject[]): readonly Finding[] {
  return treeFolders(objects, 'top').flatMap(({ role, path, count }) =>
    role === 'tenant' ? tenantTooLarge(path, count, { path: `host/${path}`, document: 0 }) : sharedTooLarge(path, count),
  );
}
