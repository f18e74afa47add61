import type { JsonObject } from '../kube/json.ts';

/** Its file in the ConfigMap. JSON is YAML. */
export const AUDIT_POLICY_FILE = 'audit-policy.json' as const;

/**
 * What the tenant's API server tells of itself, on its standard output, where the host's log collector finds it. Metadata only: bodies
 * would hold Secrets. Reads of what controllers poll are left out, and so is the first stage, which says nothing that the last does not.
 */
export const AUDIT_POLICY: JsonObject = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/version'] },
    { level: 'None', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    { level: 'None', resources: [{ group: '', resources: ['events'] }, { group: 'events.k8s.io' }] },
    // who gave whom which rights is worth its bodies, and they hold no secret
    { level: 'RequestResponse', verbs: ['create', 'update', 'patch', 'delete'], resources: [{ group: 'rbac.authorization.k8s.io' }] },
    { level: 'Metadata' },
  ],
};
