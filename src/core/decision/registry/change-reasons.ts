/** TP7xxx: changes over time. Number, disposition, severity, sentence, remedy; append only. */
export const CHANGE_REASONS = {
  ReplaceNeeded: [7003, 'Planned', 'warning', '{pointer} cannot be changed in place on {host}: {before} to {after}.', '{fix}'],
  ReplicasHandedOver: [
    7005,
    'Planned',
    'warning',
    'An autoscaler takes over the number of replicas of {host}: an apply that removes spec.replicas sets it to 1 once.',
    'Apply it when the load allows, or remove the field from the live object’s managed fields first.',
  ],
  RerunAtEachSync: [
    7006,
    'Planned',
    'warning',
    'Job {source} has ttlSecondsAfterFinished ({ttl}); a GitOps tool would run it again after each clean-up.',
    'Remove the TTL, or make it a CronJob.',
  ],
} as const;
