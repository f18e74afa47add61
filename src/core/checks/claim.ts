import { asString, type JsonObject, objectAt, own, type Path } from '../kube/json.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { Refusal } from '../translate/edit.ts';
import { isSet } from './containers.ts';

const OWN_CLAIM = 'Clone from a PersistentVolumeClaim of the same namespace, or leave it out.';

/**
 * What is refused in the spec of a claim, wherever it stands: a PersistentVolumeClaim, a claim template of a StatefulSet, an
 * ephemeral volume. A claim may ask for a size of an allowed class; it may not choose which volume of the host it gets.
 */
export function claimRefusals(spec: JsonObject, path: Path, ctx: TenantContext): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const pinned = (field: string, value: string, remedy?: string): void => {
    refusals.push({
      reason: 'VolumeNamePinned',
      params: { field, value },
      path: [...path, ...field.split('.')],
      ...(remedy !== undefined && { remedy }),
    });
  };

  const volumeName = asString(own(spec, 'volumeName'));
  if (volumeName !== undefined && volumeName !== '') pinned('volumeName', volumeName);

  // A selector binds to volumes that exist already, and those are somebody's.
  const selector = objectAt(spec, 'selector');
  if (selector !== undefined) pinned('selector', 'by its labels');

  // The class name "" means a volume made by hand; only one without a class at all means the host's default.
  const allowed = ctx.profile.allow.storageClasses;
  for (const field of ['storageClassName', 'volumeAttributesClassName'] as const) {
    const value = asString(own(spec, field));
    if (value !== undefined && !allowed.includes(value) && !(field === 'volumeAttributesClassName' && value === ''))
      refusals.push({
        reason: 'StorageClassBlocked',
        params: {
          class: value === '' ? '""' : value,
          profile: ctx.profile.name,
          allowed: allowed.length === 0 ? 'the default class only' : allowed.join(', '),
        },
        path: [...path, field],
      });
  }

  for (const field of ['dataSource', 'dataSourceRef'] as const) {
    const source = objectAt(spec, field);
    if (source === undefined) continue;
    const kind = asString(source['kind']) ?? '';
    const name = asString(source['name']) ?? '';
    const namespace = asString(source['namespace']);
    if (namespace !== undefined && namespace !== '') pinned(`${field}.namespace`, namespace, OWN_CLAIM);
    if (kind !== 'PersistentVolumeClaim' || (isSet(source['apiGroup']) && source['apiGroup'] !== ''))
      pinned(field, `${kind} ${name}`, OWN_CLAIM);
  }
  return refusals;
}
