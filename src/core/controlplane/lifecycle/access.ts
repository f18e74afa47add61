import { controlPlaneNamespace } from '../../isolation/control-plane-namespace.ts';
import { RECONCILER_ACCESS } from '../../isolation/reconciler.ts';
import { nameOf, namespaceOf } from '../../kube/object.ts';
import type { LifecycleObservation } from './observation.ts';

/** Why the Secrets of a control plane may not be read: the rights for it stand in its namespace, and an applier brings and prunes them. */
export function accessWords({ tenantCluster, access }: Pick<LifecycleObservation, 'tenantCluster' | 'access'>): string {
  const { missing, refused } = access;
  const place = controlPlaneNamespace(nameOf(tenantCluster), namespaceOf(tenantCluster) ?? '');
  const lack =
    missing.length > 0
      ? `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not there`
      : `Role ${RECONCILER_ACCESS} does not let the reconciler in${refused === undefined ? '' : ` (${refused})`}`;
  return `In ${place}, ${lack}, so the Secrets of the control plane could not be read.`;
}
