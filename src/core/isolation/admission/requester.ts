import { list, some } from './cel.ts';
import type { AdmissionOptions } from './policy-object.ts';

/** Who asks, as CEL over `request.userInfo`. */

/** Whoever applies what was rendered: GitOps controllers, the reconciler, administrators. */
export function trusted(options: Pick<AdmissionOptions, 'trustedWriters' | 'trustedGroups'>): string {
  return requester(options.trustedWriters, options.trustedGroups);
}

/**
 * Kubernetes itself: its controllers, each with an account in kube-system or all as one user, its scheduler, and the API server,
 * which keeps the status of quotas. Without them nothing starts and EndpointSlices freeze (tried).
 */
export const KUBERNETES: string = requester(
  ['system:kube-controller-manager', 'system:kube-scheduler', 'system:apiserver'],
  ['system:serviceaccounts:kube-system'],
);

/** Kubelets delete pods and write their status. */
export const NODES: string = requester([], ['system:nodes']);

function requester(users: readonly string[], groups: readonly string[]): string {
  return some([
    ...(users.length === 0 ? [] : [`request.userInfo.username in ${list(users)}`]),
    ...(groups.length === 0 ? [] : [`(has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in ${list(groups)}))`]),
  ]);
}
