/** TP5xxx: removals. Number, disposition, severity, sentence, remedy; append only. */
export const REMOVAL_REASONS = {
  SourceRemoved: [5001, 'Planned', 'info', 'The tenant object {source} is gone.'],
  ScopeRemoved: [5002, 'Planned', 'info', '{source} is no longer projected: {why}.'],
  TenantRemoved: [5003, 'Planned', 'warning', 'TenantCluster {tenant} is gone.'],
  MassDeleteHeld: [
    5004,
    'Held',
    'error',
    '{count} of {total} host objects would be removed (limit {limit}).',
    'If that is meant, repeat with --max-deletions {count} (config: maxDeletions).',
  ],
  EmptyOutput: [
    5006,
    'Held',
    'error',
    'The render would leave nothing in a tree that holds {total} objects.',
    'If that is meant, repeat with --allow-empty (config: allowEmpty: true).',
  ],
  DataLeftBehind: [
    5007,
    'Planned',
    'warning',
    '{host} is taken out of the tree but keeps its data on the host ({why}).',
    'Delete it on the host once the data is not needed, or set spec.volumes.prune: true.',
  ],
  RenameLosesData: [
    5008,
    'Held',
    'error',
    'Namespace {namespace} belonged to tenant {old}; under the name {name} every object gets a new name and volumes start empty.',
    'Move the data first, then set spec.migration.confirmRenameFrom: {old}.',
  ],
  ClaimRenamed: [
    5009,
    'Held',
    'error',
    'Claim {source} would be {now} on the host in place of {old}, and its volume would start empty.',
    'Keep the StatefulSet that the claim is made for as it was; or move the data and set spec.migration.confirmRenameFrom: {old}.',
  ],
  TenantMoved: [
    5010,
    'Held',
    'error',
    'Tenant {name} holds data in namespace {old} and would start empty in {namespace}.',
    'Move the data first, then set spec.migration.confirmRenameFrom: {old}.',
  ],
} as const;
