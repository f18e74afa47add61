import { digest } from '../../identity/digest.ts';
import { KEY, MANAGED_BY } from '../../identity/metadata.ts';
import { clone, isObject, type Json, type JsonObject, objectAt } from '../../kube/json.ts';
import { annotationsOf, type KubeObject, labelsOf } from '../../kube/object.ts';

/** What of an object was applied last. A field that we no longer ask for is told by it, since nothing else remembers that we did. */
const APPLIED = 'tenantplane.io/applied' as const;

/** The object with a digest of itself. */
export function stamped(object: KubeObject): KubeObject {
  const copy = clone(object);
  const metadata = objectAt(copy, 'metadata') ?? {};
  metadata['annotations'] = { ...objectAt(metadata, 'annotations'), [APPLIED]: digest([canonical(object)]) };
  return copy;
}

/** Whether an object in a control plane's namespace is this tenant's, by label and annotation together. */
export function isOwn(object: KubeObject, tenantCluster: string): boolean {
  return labelsOf(object).get(KEY.managedBy) === MANAGED_BY && annotationsOf(object).get(KEY.tenantCluster) === tenantCluster;
}

/** A claim gets its labels from the StatefulSet's template, and no annotation: that would be part of what never changes. */
export function isOwnClaim(claim: KubeObject): boolean {
  const labels = labelsOf(claim);
  return labels.get(KEY.managedBy) === MANAGED_BY && labels.get(KEY.role) === 'control-plane';
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_, part: Json) => (isObject(part) ? sorted(part) : part));
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
