/** SyncDecision: the live record, named after its TenantCluster and owned by it. Bounded, so that it fits in etcd. */
export const SYNC_DECISION = {
  kind: 'SyncDecision',
  plural: 'syncdecisions',
  singular: 'syncdecision',
  shortNames: ['sd'],
  scope: 'Namespaced',
  description:
    'Durable, bounded record of a tenant’s live decisions, and the base that conflicts are resolved by. Written by the reconciler.',
  printerColumns: [
    { name: 'Applied', type: 'integer', jsonPath: '.status.summary.byDisposition.Applied' },
    { name: 'Rejected', type: 'integer', jsonPath: '.status.summary.byDisposition.Rejected' },
    { name: 'Conflicts', type: 'integer', jsonPath: '.status.summary.byDisposition.Conflict' },
    { name: 'Last', type: 'date', jsonPath: '.status.summary.lastPass' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  status: {
    type: 'object',
    description: 'The record.',
    properties: {
      observedGeneration: { type: 'integer', description: 'Generation of the TenantCluster that the last pass read.' },
      summary: {
        type: 'object',
        description: 'Counts of the present state.',
        properties: {
          total: { type: 'integer', description: 'Objects that have a decision.', minimum: 0 },
          byDisposition: {
            type: 'object',
            description: 'Objects by disposition, such as Applied, Rejected or Conflict.',
            additionalProperties: { type: 'integer', description: 'Count.', minimum: 0 },
          },
          inSyncLastPass: { type: 'integer', description: 'Objects that needed nothing in the last pass.', minimum: 0 },
          lastPass: { type: 'string', description: 'When the last pass ended.', format: 'date-time' },
        },
      },
      chain: {
        type: 'object',
        description: 'The hash chain over the entries, with what is needed to verify it after old entries went out.',
        properties: {
          algorithm: { type: 'string', description: 'How hashes are made, such as sha256-jcs-v1.' },
          genesis: { type: 'string', description: 'Hash before the first entry.' },
          firstSeq: { type: 'integer', description: 'Number of the oldest entry that is kept.', minimum: 0 },
          evicted: { type: 'integer', description: 'Entries that went out.', minimum: 0 },
          anchor: { type: 'string', description: 'Hash of the last entry that went out.' },
          head: {
            type: 'object',
            description: 'The newest sealed entry.',
            required: ['seq', 'hash'],
            properties: {
              seq: { type: 'integer', description: 'Its number.', minimum: 0 },
              hash: { type: 'string', description: 'Its hash.' },
            },
          },
          lastCheckpoint: {
            type: 'object',
            description: 'The last head that was written down outside this cluster.',
            required: ['seq', 'hash'],
            properties: {
              seq: { type: 'integer', description: 'Number of the entry.', minimum: 0 },
              hash: { type: 'string', description: 'Hash of the entry.' },
              sink: { type: 'string', description: 'Where it was written, such as git.' },
              ref: { type: 'string', description: 'The place in the sink.' },
              signedBy: { type: 'string', description: 'Key that signed it.' },
            },
          },
        },
      },
      truncation: {
        type: 'object',
        description: 'Why entries went out.',
        properties: {
          reason: {
            type: 'string',
            description: 'Retain (the policy’s count) or Bytes (the size of the object).',
            enum: ['Retain', 'Bytes'],
          },
          limit: { type: 'integer', description: 'The limit that was reached.', minimum: 0 },
        },
      },
      entries: {
        type: 'array',
        description: 'Decisions, oldest first. A repetition raises the count of its entry.',
        'x-kubernetes-list-type': 'atomic',
        items: {
          type: 'object',
          description: 'One decision.',
          required: ['time', 'action', 'kind', 'tenantNamespace', 'tenantName', 'hostNamespace', 'hostName'],
          properties: {
            time: { type: 'string', description: 'When it was made.', format: 'date-time' },
            action: { type: 'string', description: 'What was done.', enum: ['Create', 'Update', 'Delete', 'Skip'] },
            kind: { type: 'string', description: 'Kind of the object.' },
            tenantNamespace: { type: 'string', description: 'Virtual namespace of the object.' },
            tenantName: { type: 'string', description: 'Name of the object in the tenant.' },
            hostNamespace: { type: 'string', description: 'Namespace on the host.' },
            hostName: { type: 'string', description: 'Name on the host.' },
            reason: { type: 'string', description: 'A sentence. Never holds a value of a Secret.', maxLength: 1024 },
            apiVersion: { type: 'string', description: 'API version of the object.' },
            disposition: { type: 'string', description: 'What kind of outcome it is, such as Applied or Conflict.' },
            flow: { type: 'string', description: 'Where content went.', enum: ['ToHost', 'ToTenant', 'None'] },
            code: { type: 'string', description: 'Stable code of the reason, such as TP4004.' },
            rule: { type: 'string', description: 'What decided, such as SyncPolicy/default[v1/ConfigMap].' },
            id: { type: 'string', description: 'Content address of the decision.' },
            seq: { type: 'integer', description: 'Number of the entry, never reused.', minimum: 0 },
            count: { type: 'integer', description: 'How often it was made in a row.', minimum: 1 },
            lastTime: { type: 'string', description: 'When it was last made.', format: 'date-time' },
            traceId: { type: 'string', description: 'Trace of the pass.' },
            prev: { type: 'string', description: 'Hash of the entry before.' },
            hash: { type: 'string', description: 'Hash of this entry, once it is sealed.' },
          },
        },
      },
      lastConverged: {
        type: 'object',
        description: 'The last agreement for each host object, keyed apiVersion/kind|host name.',
        additionalProperties: {
          type: 'object',
          description: 'One agreement.',
          properties: {
            tenantResourceVersion: { type: 'string', description: 'Version of the tenant’s object.' },
            hostResourceVersion: { type: 'string', description: 'Version of the host’s object.' },
            fields: {
              type: 'object',
              description: 'Digest of each field’s content at the agreement. Not kept for Secrets.',
              additionalProperties: { type: 'string', description: 'A digest.' },
            },
          },
        },
      },
    },
  },
} as const;
