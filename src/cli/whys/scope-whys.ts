import type { SCOPE_REASONS } from '../../core/decision/registry/scope-reasons.ts';
import type { WhysOf } from './why.ts';

/** Why the rules of TP2xxx exist. One row for each reason; append only, like the registry. */
export const SCOPE_WHYS: WhysOf<typeof SCOPE_REASONS> = {
  PolicyMatched: ['concepts', 'Nothing is projected unless an entry of the SyncPolicy says so; this names the entry that did.'],
  KindNotListed: ['kinds', 'A SyncPolicy is an allow-list: a kind that nobody thought of stays inside the tenant.'],
  SystemNamespace: [
    'kinds',
    'What stands in kube-system and its like serves the API server of the tenant, and the host has objects of its own for the same work.',
  ],
  ControlPlaneInfrastructure: [
    'kinds',
    'Every API server makes this object for itself and keeps it true for its own cluster; a copy on the host would speak of the wrong one.',
  ],
  SelectorNotMatched: ['concepts', 'An entry with a labelSelector projects what it selects, so that a policy can take part of a kind.'],
  TenantOptOut: ['concepts', 'A tenant may keep an object to itself without asking for another policy.'],
  DirectionUnsupportedForKind: [
    'kinds',
    'Reserved for kinds that cannot flow back from the host; no render gives it, since a render goes to the host whatever the direction.',
  ],
  PolicyEntryShadowed: ['concepts', 'The first entry for a kind decides, so whoever edits the second sees no effect.'],
  PolicyMissing: [
    'errors',
    'Without its policy nothing of the tenant would be projected, and an applier that prunes would delete all that runs.',
  ],
  KindIsClusterScoped: ['kinds', 'A cluster-scoped object is there once for all tenants, and one tenant would decide for the others.'],
  EntryUnparseable: ['kinds', 'An entry that can never do what it says would leave objects out without a word.'],
  KindNeverProjected: [
    'kinds',
    'Objects of this kind are made by controllers, or act on the cluster they stand in; copied to the host they would act on the host.',
  ],
  KindUnknown: [
    'kinds',
    'Where references and selectors stand is known for each kind or declared in the policy; guessed, they would point at objects of others on the host.',
  ],
  FactRead: [
    'kinds',
    'A Namespace or ServiceAccount of the tenant shapes what its pods become, but on the host it would have another meaning.',
  ],
  OptInNeeded: [
    'isolation',
    'The kind costs or reaches more than one tenant, so a policy that lists it is not enough: the profile has to agree.',
  ],
  ConfigFromTenant: ['threat-model', 'Whoever may write a tenant’s objects could otherwise rewrite the profile that holds the tenant.'],
  NoTenant: ['concepts', 'The tenant’s profile decides how an object is isolated, so one without a tenant cannot be rendered safely.'],
  GitIgnoredAfterBootstrap: [
    'concepts',
    'With fromHost or bidirectional the object lives on after it is made, and Git would overwrite what the other side wrote.',
  ],
  ProjectedFromGit: ['concepts', 'Reserved for objects that the render owns and a live tenant also has; no render gives it.'],
  NotAnObject: [
    'errors',
    'A package may hold files for other tools; what is no Kubernetes object is said to be passed over, so that a typing error shows.',
  ],
  PlatformObject: [
    'concepts',
    'Only an objects/ folder belongs to a tenant; what lies outside is the platform’s, which applies it itself.',
  ],
  FunctionInTenant: ['threat-model', 'kpt and kustomize run what such an annotation names, on the machine that renders, with its rights.'],
  ToolFileInTenant: [
    'threat-model',
    'A Kptfile or kustomization is obeyed by its name alone, with the rights of whoever renders, so a tenant that may write one runs commands there.',
  ],
  ConfigCopied: ['delivery', 'The reconciler reads profiles, policies and TenantClusters on the host, from the same tree that they made.'],
  TenantFrozen: ['errors', 'Input that cannot be trusted must not change what runs, and must not hold up other tenants either.'],
  ConfigHeld: ['errors', 'The reconciler goes on with the copy that was last legal, as the tenants’ trees do.'],
  TenantClusterLost: [
    'errors',
    'A TenantCluster that is lost by mistake looks like a tenant that is gone, and pruning would delete what it runs.',
  ],
  ProjectedElsewhere: [
    'kinds',
    'The function that renders only what stands around the objects leaves them to render-sync, and says so for each.',
  ],
  ProfileHeld: [
    'errors',
    'A tenant that is frozen still runs under these policies; were they taken out, nothing on the host would hold its namespace.',
  ],
  ProfileMovedOn: [
    'errors',
    'A tenant can freeze itself, so that must not delay a stricter platform: policies and boundary change at once, while the frozen objects still fit the old ones.',
  ],
  SharedFilesBehind: [
    'errors',
    'A render of chosen tenants leaves alone what all share, so the tree may name a policy that is not there or no longer as it was.',
  ],
  BoundaryWaits: [
    'isolation',
    'Where the platform’s own input is at fault, quotas and network policies stay with the tree; where the tenant’s is, what its pods need as they run does. Nobody would look for that in a tree that did not move.',
  ],
  KindNotServed: [
    'kinds',
    'An apiVersion and kind that no host has cannot be what was meant, as a custom kind can; left out with a word only, the object would be missed later.',
  ],
};
