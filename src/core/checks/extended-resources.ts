import { type JsonObject, objectAt, own, type Path } from '../kube/json.ts';
import type { Refusal } from '../translate/edit.ts';
import type { Check } from './check.ts';
import { containersOf, inContainer } from './containers.ts';
import { podSpecCheck } from './pod-spec.ts';

/** What every node has to share, counted by our quota. All else is a device, or memory that is set apart (hugepages-…). */
export const NATIVE_RESOURCES: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
const NATIVE: ReadonlySet<string> = new Set(NATIVE_RESOURCES);

/**
 * Devices are few and one tenant can take all; some, such as /dev/kvm, are ways into the node. Also what DRA gives by a resource name
 * (KEP-5004), since that goes past the refusal of `resourceClaims`. Admission policies use the same list.
 */
export const extendedResourcesCheck: Check = podSpecCheck('isolation.extended-resources', (spec, base, ctx) => {
  const allowed = ctx.profile.allow.extendedResources;
  const asked = (holder: JsonObject, path: Path): Refusal[] =>
    (['limits', 'requests'] as const).flatMap((field) =>
      Object.keys(objectAt(holder, 'resources', field) ?? {})
        .filter((resource) => !NATIVE.has(resource) && !allowed.includes(resource))
        .map((resource): Refusal => {
          const params = { resource, profile: ctx.profile.name, allowed: allowed.join(', ') || 'none' };
          return { reason: 'ExtendedResourceBlocked', params, path: [...path, 'resources', field, resource] };
        }),
    );
  const inContainers = containersOf(spec).flatMap((container) => asked(container.spec, inContainer(base, container)));
  return own(spec, 'resources') === undefined ? inContainers : [...asked(spec, base), ...inContainers];
});
