import { malformed } from '../../checks/shape.ts';
import { at, type Path } from '../../kube/json.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import type { Edit, Reference } from '../edit.ts';

/** The name that an object of the tenant has on the host, whether or not it is there. */
export function hostNameFor(ctx: TenantContext, kind: string, virtualNamespace: string, name: string): string {
  return kind === 'PersistentVolumeClaim' ? ctx.claimName(virtualNamespace, name) : ctx.hostName(kind, virtualNamespace, name).name;
}

/**
 * Rewrites the name at `path` to the host name of the tenant's own object of that kind, and records the reference. The target
 * need not exist: a raw name never reaches the host (projection rules, section 4). Absent, null and empty stay as they are.
 */
export function referTo(
  edit: Edit,
  path: Path,
  ctx: TenantContext,
  targetKind: string,
  virtualNamespace: string,
  how: Partial<Pick<Reference, 'optional' | 'required'>> = {},
): void {
  const name = at(edit.object, ...path);
  if (name === undefined || name === null || name === '') return;
  if (typeof name !== 'string') {
    const { reason, params } = malformed(path, name, 'a name');
    edit.refuse(reason, params, path);
    return;
  }
  edit.refer({ path, targetKind, name, virtualNamespace, optional: false, ...how });
  edit.set(path, hostNameFor(ctx, targetKind, virtualNamespace, name), 'rw.reference');
}
