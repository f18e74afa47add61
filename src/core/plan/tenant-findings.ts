import { withPointer } from '../decision/decide.ts';
import { finding } from '../decision/finding.ts';
import type { ControlRow } from '../isolation/controls.ts';
import { unreachableNotes } from '../isolation/unreachable.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Finding } from './plan-types.ts';
import type { Source, TenantContext } from './tenant-context.ts';

/** Past this, kustomize slows down and the inventory of kpt nears etcd's limit (projection rules, section 1). */
const TREE_LIMIT = 1000;

/** What is to be said of a tenant as a whole; each stands at its TenantCluster. */
export function tenantFindings(
  ctx: TenantContext,
  controls: readonly ControlRow[],
  hostObjects: readonly KubeObject[],
  shards: number,
  source: Source,
): Finding[] {
  const { name, namespace } = ctx.tenant;
  const where = { tenant: `${namespace}/${name}` };
  const findings = controls.flatMap(({ field, value, notEnforced }): Finding[] => {
    if (notEnforced === undefined) return [];
    const found = finding('NotEnforced', { field, value, ...notEnforced }, source, where);
    // What a level promises by itself is said, but nobody asked for it by name, so it is no warning.
    return [isStated(ctx, field) ? found : { ...found, severity: 'info' }];
  });
  for (const note of unreachableNotes(ctx, hostObjects)) findings.push(finding(note.reason, withPointer(note), source, where));
  if (shards <= 1 && hostObjects.length > TREE_LIMIT) {
    findings.push(finding('TreeTooLarge', { tenant: name, count: String(hostObjects.length), limit: String(TREE_LIMIT) }, source, where));
  }
  return findings;
}

function isStated(ctx: TenantContext, field: string): boolean {
  const [group, control] = field.split('.');
  return group !== 'controls' || control === undefined || ctx.profile.statedControls.includes(control);
}
