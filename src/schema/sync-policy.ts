/** SyncPolicy: what crosses the boundary between a tenant and the host. */
export const SYNC_POLICY = {
  kind: 'SyncPolicy',
  plural: 'syncpolicies',
  singular: 'syncpolicy',
  shortNames: ['sp'],
  scope: 'Cluster',
  description: 'Which kinds cross the boundary between tenant and host, in which direction, how conflicts resolve, and what is recorded.',
  printerColumns: [
    { name: 'Conflicts', type: 'string', jsonPath: '.spec.conflictPolicy' },
    { name: 'Recorded', type: 'boolean', jsonPath: '.spec.explain.recordDecisions' },
    { name: 'Retain', type: 'integer', jsonPath: '.spec.explain.retain', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  spec: {
    type: 'object',
    description: 'The policy.',
    required: ['resources'],
    properties: {
      conflictPolicy: {
        type: 'string',
        description:
          'Who wins where a bidirectional object differs: manual (the side that moved alone since the last agreement; if both moved, nobody until a person settles it), tenant-wins or host-wins.',
        enum: ['manual', 'tenant-wins', 'host-wins'],
        default: 'manual',
      },
      driftDetection: {
        type: 'object',
        description: 'Comparison of host objects with what they should be, beside the watches.',
        default: {},
        properties: {
          enabled: { type: 'boolean', description: 'Compare at intervals.', default: true },
          interval: {
            type: 'string',
            description: 'Time between two comparisons.',
            format: 'duration',
            emptyIsUnset: true,
            default: '30s',
          },
        },
      },
      explain: {
        type: 'object',
        description: 'The live record of decisions. A render always has its ledger.',
        default: {},
        properties: {
          recordDecisions: {
            type: 'boolean',
            description: 'Record live decisions as Events and in SyncDecision. Without it, manual conflicts have no base to resolve by.',
            default: true,
          },
          retain: { type: 'integer', description: 'Decisions kept in SyncDecision, oldest out first.', minimum: 0, default: 1000 },
        },
      },
      resources: {
        type: 'array',
        description: 'The kinds that cross. The first entry that covers an object decides; what no entry covers stays in the tenant.',
        maxItems: 1000,
        items: {
          type: 'object',
          description: 'One kind.',
          required: ['apiVersion', 'kind', 'direction'],
          properties: {
            apiVersion: { type: 'string', description: 'API version, such as v1 or apps/v1.', format: 'api-version' },
            kind: { type: 'string', description: 'Kind, such as ConfigMap.', format: 'kind' },
            direction: {
              type: 'string',
              description:
                'toHost: the tenant is the authority. fromHost: the host is, once the object was created from the tenant. bidirectional: either side may change it, and conflictPolicy decides.',
              enum: ['toHost', 'fromHost', 'bidirectional'],
            },
            labelSelector: {
              type: 'object',
              description: 'Labels that an object must have to be covered by this entry.',
              properties: {
                matchLabels: {
                  type: 'object',
                  description: 'Labels with exactly these values.',
                  keyFormat: 'qualified-name',
                  additionalProperties: { type: 'string', description: 'Value of the label.', format: 'label-value' },
                },
                matchExpressions: {
                  type: 'array',
                  description: 'Further requirements; all must hold.',
                  maxItems: 64,
                  items: {
                    type: 'object',
                    description: 'One requirement.',
                    required: ['key', 'operator'],
                    properties: {
                      key: { type: 'string', description: 'Key of the label.', format: 'qualified-name' },
                      operator: {
                        type: 'string',
                        description: 'How the label compares with the values.',
                        enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
                      },
                      values: {
                        type: 'array',
                        description: 'Values, for In and NotIn.',
                        maxItems: 256,
                        items: { type: 'string', description: 'A value.', format: 'label-value' },
                      },
                    },
                  },
                },
              },
            },
            scope: {
              type: 'string',
              description: 'Scope of a custom kind, which the table of known kinds cannot tell. Not for known kinds.',
              enum: ['Namespaced', 'Cluster'],
            },
            references: {
              type: 'array',
              description: 'Fields of a custom kind that hold names of other objects; they are rewritten to host names.',
              maxItems: 256,
              items: {
                type: 'object',
                description: 'One reference.',
                required: ['path', 'kind'],
                properties: {
                  path: {
                    type: 'string',
                    description: 'Where the name stands, such as spec.secretRef.name or spec.items[*].configMap.',
                    format: 'field-path',
                  },
                  kind: { type: 'string', description: 'Kind of the object that is named.', format: 'kind' },
                  apiVersion: { type: 'string', description: 'API version of that object.', format: 'api-version', default: 'v1' },
                },
              },
            },
            selectors: {
              type: 'array',
              description: 'Fields of a custom kind that hold pod selectors; they are narrowed to the tenant’s own pods.',
              maxItems: 64,
              items: {
                type: 'object',
                description: 'One selector.',
                required: ['path'],
                properties: {
                  path: { type: 'string', description: 'Where the selector stands, such as spec.selector.', format: 'field-path' },
                },
              },
            },
          },
        },
      },
    },
  },
} as const;
