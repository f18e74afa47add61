import { findRelease, KUBERNETES_RELEASES } from '../controlplane/kubernetes-versions.ts';
import { withPointer } from '../decision/decide.ts';
import { finding } from '../decision/finding.ts';
import type { ControlRow } from '../isolation/controls.ts';
import { unreachableNotes } from '../isolation/unreachable.ts';
import { pointer } from '../kube/pointer.ts';
import { tenantTooLarge } from './application-size.ts';
import type { Finding, HostFile } from './plan-types.ts';
import type { Source, TenantContext } from './tenant-context.ts';

/** Past this, kustomize slows down and the inventory of kpt nears etcd's limit (projection rules, section 1). */
const FOLDER_LIMIT = 1000;

/** What is to be said of a tenant as a whole; each stands at its TenantCluster, or at the object that brings it about. */
export function tenantFindings(ctx: TenantContext, controls: readonly ControlRow[], files: readonly HostFile[], source: Source): Finding[] {
  const { name, namespace } = ctx.tenant;
  const where = { tenant: `${namespace}/${name}` };
  const findings = controls.flatMap(({ field, value, notEnforced }): Finding[] => {
    if (notEnforced === undefined) return [];
    const found = finding('NotEnforced', { field, value, ...notEnforced }, source, where);
    // What a level promises by itself is said, but nobody asked for it by name, so it is no warning.
    return [isStated(ctx, field) ? found : { ...found, severity: 'info' }];
  });
  const objects = files.map(({ object }) => object);
  for (const note of unreachableNotes(ctx, objects)) {
    const from = note.about === undefined ? undefined : files[objects.indexOf(note.about)]?.decision.source?.file;
    const at = from === undefined || note.path === undefined ? where : { ...where, pointer: pointer(note.path) };
    findings.push(finding(note.reason, withPointer(note), from ?? source, at));
  }
  const { mode, nodePool } = ctx.tenant;
  if (mode === 'dedicated' && (nodePool?.tolerations ?? []).length === 0)
    findings.push(finding('NodePoolOpen', { tenant: name }, source, { ...where, pointer: '/spec/nodePool' }));
  findings.push(...controlPlaneFindings(ctx, source));
  const [folder, count] = fullestFolder(files);
  if (count > FOLDER_LIMIT) {
    const params = { tenant: name, folder: `host/${folder}`, count: String(count), limit: String(FOLDER_LIMIT) };
    findings.push(finding('TreeTooLarge', params, source, where));
  }
  // its FlowSchema lies with the platform
  const own = files.filter(({ path }) => path.startsWith(`${namespace}/`)).length;
  return [...findings, ...tenantTooLarge(where.tenant, own, source)];
}

/** What the reconciler will stumble over. The platform may have a table of versions of its own, so that is no error here. */
function controlPlaneFindings({ tenant }: TenantContext, source: Source): Finding[] {
  const { name, namespace, controlPlane, kubernetesVersion } = tenant;
  const at = (pointer: string): { readonly tenant: string; readonly pointer: string } => ({ tenant: `${namespace}/${name}`, pointer });
  const findings: Finding[] = [];
  if (controlPlane.datastore === 'postgres' && (controlPlane.egress?.cidrs ?? []).length === 0)
    findings.push(finding('DatastoreUnreachable', { tenant: name }, source, at('/spec/controlPlane/datastore')));
  if (kubernetesVersion !== undefined && findRelease(kubernetesVersion) === undefined) {
    const known = KUBERNETES_RELEASES.map(({ version }) => version).join(', ');
    findings.push(
      finding('KubernetesVersionUnknown', { version: kubernetesVersion, known, tenant: name }, source, at('/spec/kubernetesVersion')),
    );
  }
  return findings;
}

/** Each folder is applied by itself, so it is the folder's size that counts, spread or not. */
function fullestFolder(files: readonly HostFile[]): readonly [folder: string, count: number] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].reduce((fullest, entry) => (entry[1] > fullest[1] ? entry : fullest), ['', 0]);
}

function isStated(ctx: TenantContext, field: string): boolean {
  const [group, control] = field.split('.');
  return group !== 'controls' || control === undefined || ctx.profile.statedControls.includes(control);
}
