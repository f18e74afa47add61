import { KEY } from '../identity/metadata.ts';
import { madeSecret } from '../kube/made-secret.ts';
import { annotationsOf, type KubeObject, nameOf } from '../kube/object.ts';
import type { Refusal } from '../translate/edit.ts';
import { claimedHosts } from '../translate/kinds/ingress.ts';
import type { TenantDraft } from './draft-tenant.ts';
import type { PreviousObject } from './plan-types.ts';
import type { Projection } from './project.ts';

/** What only the whole fleet can know: two sources of one host name, and two tenants that claim one Ingress host. */
export function checkFleet(drafts: readonly TenantDraft[], previous: readonly PreviousObject[]): TenantDraft[] {
  const refusals = new Map<Projection, Refusal>();
  for (const draft of drafts) findCollisions(draft, refusals);
  findTakenHosts(drafts, previous, refusals);
  if (refusals.size === 0) return [...drafts];
  return drafts.map((draft) => ({
    ...draft,
    projections: draft.projections.map((projection) => {
      const refusal = refusals.get(projection);
      if (refusal === undefined) return projection;
      return { ...projection, refusals: [refusal], trace: projection.trace.add('fleet.collisions', 'Blocked') };
    }),
  }));
}

const isProjected = (projection: Projection): boolean => projection.edit !== undefined && projection.refusals.length === 0;

/**
 * Names are injective, so two sources share one only where a controller makes an object of a name that is there already: two
 * ExternalSecrets with one target. Neither side is rendered rather than one of them by luck.
 */
function findCollisions({ projections }: TenantDraft, refusals: Map<Projection, Refusal>): void {
  const byName = new Map<string, Projection>();
  for (const projection of projections) {
    if (projection.edit === undefined || !isProjected(projection)) continue;
    for (const key of namesOnHost(projection.subject.key, projection.edit.object)) {
      const other = byName.get(key);
      if (other === undefined) {
        byName.set(key, projection);
        continue;
      }
      const params = { host: key.replace('|', ' '), a: sourceText(other), b: sourceText(projection) };
      for (const side of [other, projection]) refusals.set(side, { reason: 'NameCollision', params });
    }
  }
}

function namesOnHost(key: string, object: KubeObject): string[] {
  const secret = madeSecret(key, object);
  return secret === undefined ? [`${key}|${nameOf(object)}`] : [`${key}|${nameOf(object)}`, `Secret|${secret}`];
}

function sourceText({ subject }: Projection): string {
  return `${subject.row.kind} ${subject.virtualNamespace}/${subject.name} (${subject.source.path})`;
}

/** Over the fleet the incumbent keeps a host; without one, nobody gets it. One tenant may repeat its own. */
function findTakenHosts(drafts: readonly TenantDraft[], previous: readonly PreviousObject[], refusals: Map<Projection, Refusal>): void {
  const claims = new Map<string, { readonly tenant: string; readonly projection: Projection }[]>();
  for (const { ctx, projections } of drafts) {
    const tenant = `${ctx.tenant.namespace}/${ctx.tenant.name}`;
    for (const projection of projections) {
      if (projection.subject.key !== 'Ingress.networking.k8s.io' || projection.edit === undefined || !isProjected(projection)) continue;
      for (const host of claimedHosts(projection.edit.object)) {
        const list = claims.get(host);
        if (list === undefined) claims.set(host, [{ tenant, projection }]);
        else list.push({ tenant, projection });
      }
    }
  }
  let incumbents: ReadonlyMap<string, string> | undefined;
  for (const [host, list] of claims) {
    const tenants = new Set(list.map(({ tenant }) => tenant));
    if (tenants.size < 2) continue;
    incumbents ??= incumbentsOf(previous);
    const incumbent = incumbents.get(host);
    for (const { tenant, projection } of list) {
      if (tenant === incumbent) continue;
      const owner =
        incumbent ??
        [...tenants]
          .filter((other) => other !== tenant)
          .sort()
          .join(', ');
      refusals.set(projection, { reason: 'IngressHostTaken', params: { host, owner: `tenant ${owner}` } });
    }
  }
}

function incumbentsOf(previous: readonly PreviousObject[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const entry of previous) {
    if (!entry.source.path.includes('/ingress.networking.k8s.io_')) continue;
    const tenant = annotationsOf(entry.object).get(KEY.tenantCluster);
    if (tenant !== undefined) for (const host of claimedHosts(entry.object)) owners.set(host, tenant);
  }
  return owners;
}
