import { madeSecret } from '../kube/made-secret.ts';
import { type KubeObject, nameOf } from '../kube/object.ts';
import type { Refusal } from '../translate/edit.ts';
import type { TenantDraft } from './draft-tenant.ts';
import { isProjected, type Projection, placeOf } from './project.ts';
import type { PlacedRefusals } from './taken-hosts.ts';

/** Refuses what collides: two sources of one host object, and the Ingress hosts that another tenant holds. */
export function refuseCollisions(draft: TenantDraft, taken: PlacedRefusals): TenantDraft {
  const refusals = new Map<Projection, Refusal>();
  findCollisions(draft, refusals);
  for (const projection of taken.size === 0 ? [] : draft.projections) {
    const refusal = taken.get(placeOf(projection));
    if (refusal !== undefined && isProjected(projection)) refusals.set(projection, refusal);
  }
  if (refusals.size === 0) return draft;
  const projections = draft.projections.map((projection) => {
    const refusal = refusals.get(projection);
    return refusal === undefined
      ? projection
      : { ...projection, refusals: [refusal], trace: projection.trace.add('fleet.collisions', 'Blocked') };
  });
  return { ...draft, projections };
}

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
