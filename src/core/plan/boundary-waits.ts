import { finding } from '../decision/finding.ts';
import { KEY } from '../identity/metadata.ts';
import { annotationsOf, type KubeObject, kindOf, nameOf } from '../kube/object.ts';
import { closedStill } from './closed-still.ts';
import { isProjected } from './frozen-boundary.ts';
import { holds, identityOf, isOurs, type OldTree } from './old-tree.ts';
import type { Finding, HostFile, PreviousObject, Printer, TenantPlan } from './plan-types.ts';
import { PLATFORM_FOLDER } from './platform-files.ts';
import type { Source, TenantContext } from './tenant-context.ts';

const SHOWN = 4;

/** What the boundary of a frozen tenant is compared with, and where its TenantCluster stands. */
export interface Beside {
  readonly old: OldTree;
  readonly printer: Printer | undefined;
  readonly source: Source;
}

/**
 * Where the platform's own input is at fault, a frozen tenant's namespaces, quotas and network policies stay as they were too: what
 * has changed about them is said, since nobody would look for it in a tree that did not move.
 *
 * @param boundary all that is planned around the tenant
 */
export function boundaryWaits(tenant: TenantPlan, boundary: readonly HostFile[], { old, printer, source }: Beside): Finding[] {
  const before = standing(tenant, old);
  if (before.length === 0) return [];
  const made = new Set(boundary.map(({ object }) => identityOf(object)));
  const leaving = before.filter(({ object }) => isOurs(object) && !isProjected(object) && !made.has(identityOf(object)));
  const waiting = boundary.filter(changes(before, printer));
  return waits(tenant, [...waiting, ...leaving].map(label), source);
}

/**
 * Of a boundary that is written what stays all the same: what has to fit the pods as they run, and what would bound them no more.
 *
 * @param settled the tenant with its boundary. @param removed paths that leave. @param ctx the tenant as the platform has it now
 */
export function restWaits(
  settled: TenantPlan,
  boundary: readonly HostFile[],
  removed: readonly string[],
  ctx: TenantContext,
  { old, printer, source }: Beside,
): Finding[] {
  const gone = new Set(removed);
  const planned = new Set([...settled.files, ...boundary].map(({ object }) => identityOf(object)));
  const written = new Set(settled.files.map(({ path }) => path));
  const before = standing(settled, old);
  const isChange = changes(before, printer);
  const waiting = boundary.filter((file) => !written.has(file.path) && isPlatforms(file) && isChange(file));
  const leaving = before.filter(
    ({ source: { path }, object }) =>
      isOurs(object) && !isProjected(object) && !gone.has(path) && !planned.has(identityOf(object)) && !isGrant(object),
  );
  const closed = policiesAsTheyWillBe(settled, before).flatMap((policy) => closedText(policy, ctx));
  return waits(settled, [...closed, ...[...waiting, ...leaving].map(label)], source);
}

/** What is written around pods that stay as they were may no longer suit them. */
export function boundaryMoved(settled: TenantPlan, removed: readonly string[], { old, printer, source }: Beside): Finding[] {
  const changed = settled.files.filter(changes(standing(settled, old), printer));
  const written = new Set(settled.files.map(({ object }) => identityOf(object)));
  const gone = removed.flatMap((path) => old.at(path) ?? []).filter(({ object }) => !written.has(identityOf(object)));
  if (changed.length + gone.length === 0) return [];
  const tenant = `${settled.namespace}/${settled.name}`;
  const what = `The boundary of tenant ${tenant} (${some([...changed, ...gone].map(label))})`;
  return [finding('ProfileMovedOn', { what, namespaces: settled.namespace }, source, { tenant })];
}

/** What the tree has of the tenant: its folder, and its FlowSchema, which lies with the platform. */
function standing({ namespace, name }: TenantPlan, old: OldTree): readonly PreviousObject[] {
  const flows = old.folder(PLATFORM_FOLDER).filter(({ object }) => {
    return kindOf(object) === 'FlowSchema' && annotationsOf(object).get(KEY.tenantCluster) === `${namespace}/${name}`;
  });
  return [...old.folder(namespace), ...flows];
}

/** Whether a file is not what stands: the same object in another folder is no change. */
function changes(before: readonly PreviousObject[], printer: Printer | undefined): (file: HostFile) => boolean {
  const known = new Map(before.map((entry) => [identityOf(entry.object), entry]));
  return ({ object }) => {
    const entry = known.get(identityOf(object));
    return entry === undefined || !holds(entry, object, printer?.print(object));
  };
}

/** Resolvers and gateways are the platform's to give; which pods a policy covers, and what flows back, follows the tenant's objects. */
function isPlatforms(file: HostFile): boolean {
  const { reason, params } = file.decision;
  return reason === 'DnsServerMade' || params['control'] === 'gatewayNamespaces' || params['control'] === 'dns';
}

function isGrant(object: KubeObject): boolean {
  return kindOf(object) === 'Role' || kindOf(object) === 'RoleBinding';
}

/** The tenant's own objects in the tree, narrowed where they are now. */
function policiesAsTheyWillBe({ files }: TenantPlan, before: readonly PreviousObject[]): readonly KubeObject[] {
  const narrowed = new Map(files.map(({ path, object }) => [path, object]));
  return before
    .filter(({ object }) => isOurs(object) && isProjected(object))
    .map(({ source: { path }, object }) => narrowed.get(path) ?? object);
}

function closedText(policy: KubeObject, ctx: TenantContext): string[] {
  const ranges = closedStill(policy, ctx);
  if (ranges.length === 0) return [];
  return [`NetworkPolicy/${nameOf(policy)} (keeps ${some(ranges)} closed, which nothing asks for any more)`];
}

function waits({ namespace, name }: TenantPlan, objects: readonly string[], source: Source): Finding[] {
  if (objects.length === 0) return [];
  const tenant = `${namespace}/${name}`;
  return [finding('BoundaryWaits', { tenant, objects: some(objects) }, source, { tenant })];
}

function label({ object }: { readonly object: KubeObject }): string {
  return `${kindOf(object)}/${nameOf(object)}`;
}

function some(all: readonly string[]): string {
  return `${all.slice(0, SHOWN).join(', ')}${all.length > SHOWN ? ` and ${all.length - SHOWN} more` : ''}`;
}
