import { CONTROL_PLANE } from '../../core/controlplane/names.ts';
import { CONTROL_PLANE_POD } from '../../core/isolation/peers.ts';
import { at, isObject, type Json, objectsOf } from '../../core/kube/json.ts';
import { type KubeObject, labelsOf } from '../../core/kube/object.ts';
import { masked } from '../../report/mask-credentials.ts';

/** The servers among a namespace's pods. What they say of themselves ends in statuses and Events, which more people read than their logs. */
export function serverPods(pods: readonly KubeObject[]): readonly KubeObject[] {
  return pods.filter(isServer).map((pod) => ({ ...pod, status: withoutCredentials(pod['status'] ?? {}) }));
}

/** By its label and who made it: with the label alone, anybody's pod would be asked for the tenant's API, and waited for while it goes. */
function isServer(pod: KubeObject): boolean {
  const ofSet = objectsOf(at(pod, 'metadata', 'ownerReferences')).some(
    ({ kind, name, controller }) => kind === 'StatefulSet' && name === CONTROL_PLANE && controller === true,
  );
  return ofSet && Object.entries(CONTROL_PLANE_POD).every(([key, value]) => labelsOf(pod).get(key) === value);
}

/** Whole messages, before anything is cut out of them: what is left of a credential is not known as one. */
function withoutCredentials(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === 'message' && typeof inner === 'string' ? masked(inner) : withoutCredentials(inner ?? null),
  ]);
  return Object.fromEntries(entries);
}
