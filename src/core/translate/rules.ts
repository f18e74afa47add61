/** Why a field of a host object differs from the tenant's. The id stands in the `tenantplane.io/rewrites` annotation. */
export const RULES = {
  'rw.identity': 'Names, namespace and identity metadata of the host object.',
  'rw.strip-server-fields': 'Fields that an API server fills, or that only mean something where the object was read, are dropped.',
  'rw.annotations': 'Annotations pass by allow-list.',
  'rw.reserved-metadata': 'A label that a host tool owns is kept under another key.',
  'rw.reference': 'A reference points at the tenant’s own object under its host name.',
  'rw.selector': 'A selector of pods also names tenant and virtual namespace.',
  'rw.service-account': 'Pods run as the fixed workload account, without a host token.',
  'rw.runtime-class': 'The profile’s runtime class is stamped.',
  'rw.security-context': 'Unset fields that Pod Security asks for are stamped.',
  'rw.resources': 'Limits that the namespace’s LimitRange would refuse or leave open are stamped.',
  'rw.scheduling': 'Scheduling fields follow the profile and the node pool.',
  'rw.priority': 'Priority classes of the host are not the tenant’s to name.',
  'rw.environment': 'The Kubernetes API that containers see is the tenant’s.',
  'rw.dns': 'Names resolve as they do in the tenant.',
  'rw.downward-api': 'The downward API shows the tenant’s view.',
  'rw.network-policy': 'A tenant’s policy is kept inside what the profile allows.',
  'rw.ingress': 'Class, hosts, paths and certificates stay inside what the tenant may claim.',
  'rw.service': 'Fields that the host allocates are left to it.',
  'rw.storage': 'Claims name no volume and keep their data on prune.',
  'rw.secret': 'Secrets hold no credential of the host.',
  'rw.replicas': 'An autoscaler owns the number of replicas.',
  'rw.disruption': 'A disruption budget never blocks a node drain for good.',
  'rw.alias': 'A short name for a Service of the main virtual namespace.',
  'rw.job': 'Fields that the API server generates for a Job are left to it.',
} as const;

export type RuleId = keyof typeof RULES;
