import { finding } from '../decision/finding.ts';
import type { Finding, TenantPlan } from './plan-types.ts';

/**
 * Objects whose file lies in another folder of the tenant from now on. Where each folder is applied by itself, the one that loses
 * them prunes them before the other has them, or after: nothing says which comes first.
 */
export function movedFiles(tenants: readonly TenantPlan[], removed: readonly string[]): readonly Finding[] {
  // where two tenants claim one namespace, each sees the other's files leave
  const gone = new Set(removed);
  const left = new Set(removed.map(homeOf));
  return tenants.flatMap(({ name, namespace, files }) => {
    const count = files.filter(({ path }) => !gone.has(path) && left.has(homeOf(path))).length;
    if (count === 0) return [];
    const tenant = `${namespace}/${name}`;
    return [finding('ObjectsChangeFolder', { tenant, count: String(count) }, { path: `host/${namespace}`, document: 0 }, { tenant })];
  });
}

/** A file by its tenant's folder and its own name, which no two objects of a tenant share. */
function homeOf(path: string): string {
  return `${path.slice(0, path.indexOf('/'))}/${path.slice(path.lastIndexOf('/') + 1)}`;
}
