import { finding } from '../decision/finding.ts';
import { KEY } from '../identity/metadata.ts';
import { annotationsOf, type KubeObject, kindOf, nameOf } from '../kube/object.ts';
import { holds, isOurs, type OldTree } from './old-tree.ts';
import type { Finding, HostFile, Printer, TenantPlan } from './plan-types.ts';
import type { Source } from './tenant-context.ts';

const SHOWN = 4;

/**
 * A tenant can freeze itself, and then its namespaces, quotas and network policies stay as they were too: what the platform has
 * changed about them is said, since nobody would look for it in a tree that did not move.
 */
export function boundaryWaits(
  { namespace, name, frozen }: TenantPlan,
  boundary: readonly HostFile[],
  { old, printer, source }: { readonly old: OldTree; readonly printer: Printer | undefined; readonly source: Source },
): Finding[] {
  if (frozen === undefined || old.folder(namespace).length === 0) return [];
  const waiting = boundary.filter(({ path, object }) => {
    const before = old.at(path);
    return before === undefined || !holds(before, object, printer?.print(object));
  });
  const made = new Set(boundary.map(({ path }) => path));
  const leaving = old.folder(namespace).filter(({ source: { path }, object }) => isOurs(object) && !isProjected(object) && !made.has(path));
  const objects = [...waiting, ...leaving].map(({ object }) => `${kindOf(object)}/${nameOf(object)}`);
  if (objects.length === 0) return [];
  const more = objects.length > SHOWN ? ` and ${objects.length - SHOWN} more` : '';
  const tenant = `${namespace}/${name}`;
  return [finding('BoundaryWaits', { tenant, objects: `${objects.slice(0, SHOWN).join(', ')}${more}` }, source, { tenant })];
}

/** A tenant's own object, or a short name for one. */
function isProjected(object: KubeObject): boolean {
  return annotationsOf(object).has(KEY.virtualName);
}
