import type { REMOVAL_REASONS } from '../../core/decision/registry/removal-reasons.ts';
import type { WhysOf } from './why.ts';

/** Why the rules of TP5xxx exist. One row for each reason; append only, like the registry. */
export const REMOVAL_WHYS: WhysOf<typeof REMOVAL_REASONS> = {
  SourceRemoved: ['concepts', 'The tree holds what the tenant’s objects ask for and nothing else, so what lost its source leaves it.'],
  ScopeRemoved: ['concepts', 'Nobody deleted the object: a rule, a setting or a name changed, and this tells a reviewer which.'],
  TenantRemoved: ['how-to', 'With its TenantCluster nothing says any more how the tenant is isolated, so its whole tree goes.'],
  MassDeleteHeld: ['errors', 'A moved folder or a wrong path looks like a mass removal, and what a prune has deleted does not come back.'],
  EmptyOutput: ['errors', 'A blank render together with pruning would delete every tenant on the host.'],
  DataLeftBehind: [
    'how-to',
    'Appliers are told to keep what holds data, and what bounds pods that may still run; where claims may go with their file, spec.volumes.prune: true says so before they leave.',
  ],
  RenameLosesData: ['names', 'Host names hold the tenant’s name, so under another one each claim is a new object with an empty volume.'],
  ClaimRenamed: [
    'names',
    'A claim’s host name follows from the StatefulSet that makes it, so a changed set points at a new, empty volume.',
  ],
  TenantMoved: ['how-to', 'Volumes do not move between namespaces, so the tenant would start empty and its data stay behind.'],
  AdmissionHeld: ['errors', 'A mistyped version, or that of another host, must not open a host that does enforce these policies.'],
  ProfilePoliciesHeld: [
    'split-repositories',
    'Tenants of other packages run under a profile that its own package sees no tenant of; without its policies their namespaces would stand open.',
  ],
};
