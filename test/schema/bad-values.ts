import type { JsonObject } from '../../src/schema/json.ts';
import { isolationProfile, syncDecision, syncPolicy, tenantCluster } from './manifests.ts';

export interface BadConfig {
  readonly name: string;
  readonly object: JsonObject;
  /** `pointer rule: message remedy`, all of them */
  readonly problems: readonly string[];
  /** the API server takes it: the rule is ours alone, or the kind is not one that it serves */
  readonly ours?: true;
}

const entry = (fields: Record<string, unknown>): JsonObject =>
  syncPolicy({ resources: [{ apiVersion: 'example.com/v1', kind: 'Widget', direction: 'toHost', ...fields }] });

/** Values that are wrong, alone or beside another. */
export const BAD_VALUES: readonly BadConfig[] = [
  {
    name: 'a value that is near an allowed one',
    object: tenantCluster({ mode: 'sharde' }),
    problems: ['/spec/mode Enum: spec.mode is "sharde", which is none of shared, dedicated, private. Did you mean shared?'],
  },
  {
    name: 'an allowed value in capitals',
    object: tenantCluster({ delivery: 'Git' }),
    problems: ['/spec/delivery Enum: spec.delivery is "Git", which is none of git, controller. Did you mean git?'],
  },
  {
    name: 'a value that is near none',
    object: isolationProfile({ level: 'paranoid' }),
    problems: [
      '/spec/level Enum: spec.level is "paranoid", which is none of baseline, restricted, sandboxed. Use one of baseline, restricted, sandboxed.',
    ],
  },
  {
    name: 'an empty value where one of a set must stand',
    object: syncPolicy({ conflictPolicy: '' }),
    problems: [
      '/spec/conflictPolicy Enum: spec.conflictPolicy is "", which is none of manual, tenant-wins, host-wins. Use one of manual, tenant-wins, host-wins.',
    ],
  },
  {
    name: 'a version that YAML made a number of',
    object: tenantCluster({ kubernetesVersion: 1.3 }),
    problems: [
      '/spec/kubernetesVersion Type: spec.kubernetesVersion is a number (1.3), but must be a string. Write it quoted with two digits after "1.", such as "1.34": YAML reads an unquoted 1.30 as the number 1.3.',
    ],
  },
  {
    name: 'a version of one digit',
    object: tenantCluster({ kubernetesVersion: 'v1.9' }),
    problems: [
      '/spec/kubernetesVersion Pattern: spec.kubernetesVersion is "v1.9", but must be a Kubernetes version such as v1.34.2 or 1.34. Write it quoted with two digits after "1.", such as "1.34": YAML reads an unquoted 1.30 as the number 1.3.',
    ],
  },
  {
    name: 'a number in quotes',
    object: tenantCluster({ controlPlane: { replicas: '3' } }),
    problems: [
      '/spec/controlPlane/replicas Type: spec.controlPlane.replicas is a string ("3"), but must be a whole number. Write it without quotes: 3.',
    ],
  },
  {
    name: 'a number with a fraction',
    object: tenantCluster({ controlPlane: { replicas: 1.5 } }),
    problems: [
      '/spec/controlPlane/replicas Type: spec.controlPlane.replicas is a number (1.5), but must be a whole number. Write a whole number.',
    ],
  },
  {
    name: 'no replicas at all',
    object: tenantCluster({ controlPlane: { replicas: 0 } }),
    problems: ['/spec/controlPlane/replicas Minimum: spec.controlPlane.replicas is 0, but must be at least 1. Use 1 or more.'],
  },
  {
    name: 'a port beyond the last',
    object: isolationProfile({ network: { dnsPeers: [{ namespace: 'kube-system', port: 65536 }] } }),
    problems: [
      '/spec/network/dnsPeers/0/port Maximum: spec.network.dnsPeers[0].port is 65536, but must be at most 65535. Use 65535 or less.',
    ],
  },
  {
    name: 'a number beyond what a number holds exactly',
    object: syncPolicy({ explain: { retain: 9007199254740993n } }),
    problems: [
      '/spec/explain/retain Maximum: spec.explain.retain is 9007199254740993, but must be at most 9007199254740991. Use 9007199254740991 or less.',
    ],
    ours: true,
  },
  {
    name: 'a truth in quotes',
    object: tenantCluster({ volumes: { prune: 'true' } }),
    problems: [
      '/spec/volumes/prune Type: spec.volumes.prune is a string ("true"), but must be true or false. Write true or false, without quotes.',
    ],
  },
  {
    name: 'a fraction where a quantity must stand',
    object: tenantCluster({ resources: { cpu: 0.5 } }),
    problems: ['/spec/resources/cpu Type: spec.resources.cpu is a number (0.5), but must be a string. Quote it: "0.5".'],
  },
  {
    name: 'a quantity with a unit that Kubernetes has not',
    object: tenantCluster({ resources: { memory: '2GB' } }),
    problems: [
      '/spec/resources/memory Pattern: spec.resources.memory is "2GB", but must be a quantity such as 500m, 2 or 1Gi. Write a number with an optional suffix: m, k, M, G, T, Ki, Mi, Gi or Ti.',
    ],
  },
  {
    name: 'a range without a prefix length',
    object: tenantCluster({ networking: { podCIDR: '10.42.0.0' } }),
    problems: [
      '/spec/networking/podCIDR Format: spec.networking.podCIDR is "10.42.0.0", but must be a CIDR such as 10.42.0.0/16 or fd00::/108. Write the address of a network and the length of its prefix.',
    ],
  },
  {
    name: 'an address that is none',
    object: tenantCluster({ networking: { dns: 'server', dnsServiceIP: '10.0.0.300' } }),
    problems: [
      '/spec/networking/dnsServiceIP Format: spec.networking.dnsServiceIP is "10.0.0.300", but must be an IP address such as 10.96.0.53 or fd00::53. Write the address alone, without a prefix length or port.',
    ],
  },
  {
    name: 'an interval in days',
    object: syncPolicy({ driftDetection: { interval: '1d' } }),
    problems: [
      '/spec/driftDetection/interval Pattern: spec.driftDetection.interval is "1d", but must be a duration such as 30s, 5m or 1h30m. Write numbers with the units h, m, s or ms; there is no unit for days.',
    ],
  },
  {
    name: 'a suffix with a scheme',
    object: tenantCluster({ networking: { ingressHostSuffixes: ['https://apps.example.com'] } }),
    problems: [
      '/spec/networking/ingressHostSuffixes/0 Pattern: spec.networking.ingressHostSuffixes[0] is "https://apps.example.com", but must be a DNS suffix such as apps.example.com; "{tenant}" may stand in it. Write the suffix alone, without scheme, port or "*.".',
    ],
  },
  {
    name: 'a name in a certificate with a port',
    object: tenantCluster({ controlPlane: { extraTLSSANs: ['api.example.com:6443'] } }),
    problems: [
      '/spec/controlPlane/extraTLSSANs/0 Pattern: spec.controlPlane.extraTLSSANs[0] is "api.example.com:6443", but must be a DNS name (which may begin with "*.") or an IP address. Write the name or address alone, without scheme or port.',
    ],
  },
  {
    name: 'an empty item of a list',
    object: isolationProfile({ allow: { seccompProfiles: [''] } }),
    problems: ['/spec/allow/seccompProfiles/0 Length: spec.allow.seccompProfiles[0] is empty. Give it a value, or leave the field out.'],
  },
  {
    name: 'one value where a list must stand',
    object: isolationProfile({ allow: { ingressClasses: 'nginx' } }),
    problems: [
      '/spec/allow/ingressClasses Type: spec.allow.ingressClasses is a string ("nginx"), but must be a list. Write a list, each item behind "- ".',
    ],
  },
  {
    name: 'a null in a list',
    object: isolationProfile({ allow: { ingressClasses: [null] } }),
    problems: [
      '/spec/allow/ingressClasses/0 Type: spec.allow.ingressClasses[0] is null (null), but must be a string. Write a single value.',
    ],
  },
  {
    name: 'a map key that is no name',
    object: isolationProfile({ quota: { 'count/ services': '10' } }),
    problems: [
      '/spec/quota/count~1 services Pattern: spec.quota has the key "count/ services", but a key must be a name with an optional DNS prefix, such as example.com/name. Use letters, digits, "-", "_" and ".", with at most one "/" after a DNS prefix.',
    ],
    ours: true,
  },
  {
    name: 'a store without its kind',
    object: isolationProfile({ allow: { secretStores: ['vault'] } }),
    problems: [
      '/spec/allow/secretStores/0 Pattern: spec.allow.secretStores[0] is "vault", but must be Kind/name of a secret store, such as ClusterSecretStore/vault. Write SecretStore/name or ClusterSecretStore/name.',
    ],
  },
  {
    name: 'a plural instead of a kind',
    object: syncPolicy({ resources: [{ apiVersion: 'apps/v1', kind: 'deployments', direction: 'toHost' }] }),
    problems: [
      '/spec/resources/0/kind Pattern: spec.resources[0].kind is "deployments", but must be a kind such as ConfigMap (letters and digits, beginning with a capital). Write the kind as the object’s own "kind" field has it, not its plural.',
    ],
  },
  {
    name: 'an entry without direction',
    object: syncPolicy({ resources: [{ apiVersion: 'v1', kind: 'Pod' }] }),
    problems: [
      '/spec/resources/0/direction Required: spec.resources[0].direction is missing. Set it: toHost: the tenant is the authority. fromHost: the host is, once the object was created from the tenant. bidirectional: either side may change it, and conflictPolicy decides.',
    ],
  },
  {
    name: 'a path with an index',
    object: entry({ scope: 'Namespaced', references: [{ path: 'spec.items[0].name', kind: 'Secret' }] }),
    problems: [
      '/spec/resources/0/references/0/path Pattern: spec.resources[0].references[0].path is "spec.items[0].name", but must be a field path such as spec.secretRef.name or spec.items[*].configMap. Join field names with "."; write [*] after a list.',
    ],
  },
  {
    name: 'an action of a record that is none',
    object: syncDecision({
      entries: [
        {
          time: 'yesterday',
          action: 'Adopt',
          kind: 'Pod',
          tenantNamespace: 'a',
          tenantName: 'b',
          hostNamespace: 'c',
          hostName: 'd',
        },
      ],
    }),
    problems: [
      '/status/entries/0/time Format: status.entries[0].time is "yesterday", but must be a time such as 2006-01-02T15:04:05Z (RFC 3339). Write the time in RFC 3339.',
      '/status/entries/0/action Enum: status.entries[0].action is "Adopt", which is none of Create, Update, Delete, Skip. Use one of Create, Update, Delete, Skip.',
    ],
  },
  // more than one field
  {
    name: 'replicas that cannot share a file',
    object: tenantCluster({ controlPlane: { replicas: 3 } }),
    problems: [
      '/spec/controlPlane Rule: spec.controlPlane: more than one replica needs a datastore that they share. Set spec.controlPlane.datastore.type: etcd or postgres, or replicas: 1.',
    ],
  },
  {
    name: 'an even number of etcd members',
    object: tenantCluster({ controlPlane: { replicas: 2, datastore: { type: 'etcd' } } }),
    problems: [
      '/spec/controlPlane Rule: spec.controlPlane: etcd needs 1, 3 or 5 replicas: a further one of an even number can only cost the quorum. Set spec.controlPlane.replicas to 1, 3 or 5.',
    ],
  },
  {
    name: 'a database without its URL',
    object: tenantCluster({ controlPlane: { datastore: { type: 'postgres' } } }),
    problems: [
      '/spec/controlPlane/datastore Rule: spec.controlPlane.datastore: type: postgres needs secretRef. Name the Secret that holds the URL of the database in spec.controlPlane.datastore.secretRef.name.',
    ],
  },
  {
    name: 'a DNS server without an address',
    object: tenantCluster({ networking: { dns: 'server' } }),
    problems: [
      '/spec/networking Rule: spec.networking: dns: server needs dnsServiceIP. Set spec.networking.dnsServiceIP to a free address of the host’s service range, or use dns: aliases.',
    ],
  },
  {
    name: 'a DNS server with an empty address',
    object: tenantCluster({ networking: { dns: 'server', dnsServiceIP: '' } }),
    problems: [
      '/spec/networking Rule: spec.networking: dns: server needs dnsServiceIP. Set spec.networking.dnsServiceIP to a free address of the host’s service range, or use dns: aliases.',
    ],
  },
  {
    name: 'tolerations that a pod could not have',
    object: tenantCluster({
      nodePool: {
        tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }, { operator: 'Equal' }, { key: 'a', tolerationSeconds: 5 }],
      },
    }),
    problems: [
      '/spec/nodePool/tolerations/0 Rule: spec.nodePool.tolerations[0]: operator Exists takes no value. Remove the value, or use operator Equal.',
      '/spec/nodePool/tolerations/1 Rule: spec.nodePool.tolerations[1]: a toleration without key needs operator Exists. Set key, or operator: Exists to tolerate every taint.',
      '/spec/nodePool/tolerations/2 Rule: spec.nodePool.tolerations[2]: tolerationSeconds needs effect NoExecute. Remove tolerationSeconds, or set effect: NoExecute.',
    ],
  },
  {
    name: 'an allowed toleration that no pod could have',
    object: isolationProfile({ allow: { tolerations: [{ key: 'gpu', operator: 'Exists', value: 'true' }] } }),
    problems: [
      '/spec/allow/tolerations/0 Rule: spec.allow.tolerations[0]: operator Exists takes no value. Remove the value, or use operator Equal.',
    ],
  },
  {
    name: 'references of a kind without scope',
    object: entry({ references: [{ path: 'spec.secretName', kind: 'Secret' }] }),
    problems: [
      '/spec/resources/0 Rule: spec.resources[0]: references and selectors are for custom kinds, which need scope. Add scope: Namespaced if the kind is a custom one, else remove references and selectors.',
    ],
  },
  {
    name: 'requirements of labels that do not fit their operator',
    object: entry({
      labelSelector: {
        matchExpressions: [
          { key: 'a', operator: 'In' },
          { key: 'a', operator: 'Exists', values: ['b'] },
          { key: 'a', operator: 'NotIn', values: [] },
        ],
      },
    }),
    problems: [0, 1, 2].map(
      (index) =>
        `/spec/resources/0/labelSelector/matchExpressions/${index} Rule: spec.resources[0].labelSelector.matchExpressions[${index}]: In and NotIn need values; Exists and DoesNotExist take none. Add values, or take them out.`,
    ),
  },
];
