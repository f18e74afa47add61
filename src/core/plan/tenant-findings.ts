import { withPointer } from '../decision/decide.ts';
import { finding } from '../decision/finding.ts';
import { notEnforced } from '../isolation/controls.ts';
import { unreachableNotes } from '../isolation/unreachable.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Finding } from './plan-types.ts';
import type { Source, TenantContext } from './tenant-context.ts';

/** Past this, kustomize slows down and the inventory of kpt nears etcd's limit (projection rules, section 1). */
const TREE_LIMIT = 1000;

/** What is to be said of a tenant as a whole; each stands at its TenantCluster. */
export function tenantFindings(ctx: TenantContext, hostObjects: readonly KubeObject[], shards: number, source: Source): Finding[] {
  const { name, namespace } = ctx.tenant;
  const where = { tenant: `${namespace}/${name}` };
  const findings = notEnforced(ctx).map((row) => finding('NotEnforced', { ...row }, source, where));
  for (const note of unreachableNotes(ctx, hostObjects)) findings.push(finding(note.reason, withPointer(note), source, where));
  if (shards <= 1 && hostObjects.length > TREE_LIMIT) {
    findings.push(finding('TreeTooLarge', { tenant: name, count: String(hostObjects.length), limit: String(TREE_LIMIT) }, source, where));
  }
  return findings;
}
