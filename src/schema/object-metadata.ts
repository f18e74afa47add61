/** What `metadata` may hold (ObjectMeta of apimachinery v1). What a server fills in is copied and not looked at. */
export const OBJECT_METADATA = {
  type: 'object',
  description: 'Standard object metadata.',
  properties: {
    name: { type: 'string', description: 'Name of the object.', format: 'dns-subdomain' },
    namespace: { type: 'string', description: 'Namespace of the object.', format: 'dns-label', emptyIsUnset: true },
    labels: {
      type: 'object',
      description: 'Labels.',
      keyFormat: 'qualified-name',
      additionalProperties: { type: 'string', description: 'Value of the label.', format: 'label-value' },
    },
    annotations: {
      type: 'object',
      description: 'Annotations.',
      additionalProperties: { type: 'string', description: 'Value of the annotation.' },
    },
    generateName: { description: 'Set by a client.', 'x-kubernetes-preserve-unknown-fields': true },
    finalizers: { description: 'Set by controllers.', 'x-kubernetes-preserve-unknown-fields': true },
    ownerReferences: { description: 'Set by controllers.', 'x-kubernetes-preserve-unknown-fields': true },
    managedFields: { description: 'Set by the server.', 'x-kubernetes-preserve-unknown-fields': true },
    uid: { description: 'Set by the server.', 'x-kubernetes-preserve-unknown-fields': true },
    resourceVersion: { description: 'Set by the server.', 'x-kubernetes-preserve-unknown-fields': true },
    generation: { description: 'Set by the server.', 'x-kubernetes-preserve-unknown-fields': true },
    creationTimestamp: { description: 'Set by the server.', 'x-kubernetes-preserve-unknown-fields': true },
    deletionTimestamp: { description: 'Set by the server.', 'x-kubernetes-preserve-unknown-fields': true },
    deletionGracePeriodSeconds: { description: 'Set by the server.', 'x-kubernetes-preserve-unknown-fields': true },
    selfLink: { description: 'Set by old servers.', 'x-kubernetes-preserve-unknown-fields': true },
  },
} as const;
