/**
 * The registry of reason codes. Append-only: a number is never reused and never means something else; a test compares this
 * table with its golden copy. The name doubles as Event and condition reason. `{braces}` are parameters.
 */
export type Disposition = 'Planned' | 'OutOfScope' | 'Rejected' | 'Conflict' | 'Deferred' | 'Held' | 'Failed' | 'Undecided';
export type Severity = 'info' | 'warning' | 'error';

export interface Reason {
  readonly code: `TP${number}`;
  readonly disposition: Disposition;
  /** how results, annotations of CI systems and exit codes see it: `error` is REJECT, `warning` is SKIP or something to look at */
  readonly severity: Severity;
  readonly message: string;
  readonly remedy: string;
}

/** number, disposition, severity, sentence, remedy */
export const REASONS = {
  // 1xxx identity and references
  NameMapped: [1001, 'Planned', 'info', '{kind} {source} becomes {host}.'],
  NameHashed: [1002, 'Planned', 'info', 'The readable host name of {source} is too long or ambiguous; {host} carries a digest instead.'],
  NameCollision: [
    1003,
    'Rejected',
    'warning',
    'Two sources map to host name {host}: {a} and {b}. Neither is rendered.',
    'Rename one of the two.',
  ],
  HostObjectForeign: [
    1004,
    'Rejected',
    'warning',
    '{host} is already in the rendered tree at {file} and is not managed by tenantplane.',
    'Move that object out of host/, or rename the tenant object.',
  ],
  SourceDuplicated: [1007, 'Rejected', 'error', '{source} is defined {count} times: {files}.', 'Delete all but one.'],
  ReferenceUnresolved: [
    1011,
    'Planned',
    'warning',
    '{pointer} refers to {target}, which is not projected.',
    'Add {target} to objects/ and its kind to the SyncPolicy, or list it under spec.expects of the TenantCluster if something else makes it.',
  ],
  TenantMetadataDropped: [1020, 'Planned', 'info', 'Removed {key}: {why}.'],
  LabelRekeyed: [1021, 'Planned', 'info', 'Label {key} belongs to a host tool; it is kept as {newKey}.'],
  InvalidName: [1030, 'Rejected', 'warning', '{what} {value} is no legal name: {rule}.', 'Use a name that Kubernetes accepts.'],
  NameMissing: [
    1031,
    'Rejected',
    'warning',
    'The object has no metadata.name (generateName is not a name), so no host name can be predicted.',
    'Give it a metadata.name.',
  ],
  TenantMismatch: [
    1032,
    'Rejected',
    'error',
    'The annotation tenantplane.io/tenant-cluster says {annotation}, but the folder belongs to {folder}.',
    'Remove the annotation, or move the file to the objects/ folder of its tenant.',
  ],
  ShortNameMade: [
    1040,
    'Planned',
    'info',
    'Service {source} also answers under its short name {name}, so that applications find it as they do in the tenant.',
  ],

  // 2xxx scope and policy
  PolicyMatched: [2001, 'Planned', 'info', 'SyncPolicy {policy} entry {entry} projects {kind} {direction}.'],
  KindNotListed: [
    2002,
    'OutOfScope',
    'info',
    'SyncPolicy {policy} has no entry for {kind}.',
    'Add {snippet} to spec.resources of SyncPolicy {policy}.',
  ],
  SystemNamespace: [
    2003,
    'OutOfScope',
    'info',
    'Namespace {namespace} belongs to the tenant’s control plane.',
    'Move the object to a namespace of the tenant’s own.',
  ],
  ControlPlaneInfrastructure: [2004, 'OutOfScope', 'info', '{kind} {source} is made by every API server and is never projected.'],
  SelectorNotMatched: [
    2005,
    'OutOfScope',
    'info',
    'SyncPolicy {policy} entry {entry} selects {selector}, which the labels of the object do not match.',
    'Label the object, or widen the entry.',
  ],
  TenantOptOut: [
    2006,
    'OutOfScope',
    'info',
    'The object asks not to be projected (tenantplane.io/project: "false").',
    'Remove the annotation.',
  ],
  DirectionUnsupportedForKind: [2008, 'Rejected', 'error', '{kind} cannot flow {direction}: {why}.', 'Use toHost.'],
  PolicyEntryShadowed: [
    2009,
    'Planned',
    'warning',
    'SyncPolicy {policy} entry {entry} repeats an earlier one and is never reached.',
    'Merge the two entries.',
  ],
  PolicyMissing: [
    2010,
    'Held',
    'error',
    'SyncPolicy {policy} does not exist; the tenant’s tree stays as it is.',
    'Create SyncPolicy {policy}, or fix spec.syncPolicyRef.name.',
  ],
  KindIsClusterScoped: [
    2011,
    'Rejected',
    'warning',
    '{kind} is cluster-scoped; a tenant in shared mode has no place for it on the host.',
    'Leave it to the platform, or create it inside the tenant only.',
  ],
  EntryUnparseable: [2012, 'Rejected', 'error', 'SyncPolicy {policy} entry {entry}: {error}.', 'Remove the entry, or name another kind.'],
  KindNeverProjected: [2013, 'OutOfScope', 'info', '{kind} is never projected: {why}.'],
  KindUnknown: [2014, 'OutOfScope', 'warning', '{kind} is not in the table of kinds, and no SyncPolicy entry declares its scope.', '{fix}'],
  FactRead: [2015, 'OutOfScope', 'info', '{kind} {source} is read as a fact of the tenant; it is not projected itself.'],
  OptInNeeded: [
    2016,
    'Rejected',
    'warning',
    '{kind} needs the profile’s consent as well: {field} of IsolationProfile {profile} is not set.',
    'Ask the platform team for {field}, or do without.',
  ],
  ConfigFromTenant: [
    2017,
    'Rejected',
    'error',
    '{kind} is configuration of the platform and may not lie in a tenant’s objects/ folder.',
    'Remove it from objects/.',
  ],
  NoTenant: [
    2018,
    'OutOfScope',
    'warning',
    'No tenant owns {source}: there is no TenantCluster beside its folder and the function’s config names none.',
    'Put it in the objects/ folder beside a TenantCluster, or name the tenant in the config.',
  ],
  GitIgnoredAfterBootstrap: [
    2019,
    'Planned',
    'info',
    'Direction {direction}: the host object is created once; later edits in Git are not carried over, the tenant API’s copy is the tenant side.',
  ],
  ProjectedFromGit: [2020, 'OutOfScope', 'info', '{source} belongs to {owner}, which is rendered from Git.'],
  NotAnObject: [2021, 'OutOfScope', 'info', 'The document is no Kubernetes object ({why}).'],
  PlatformObject: [2022, 'OutOfScope', 'info', '{kind} {source} lies outside any objects/ folder; it is platform input and left alone.'],
  FunctionInTenant: [
    2023,
    'Rejected',
    'warning',
    'The annotation {key} asks a tool of the host to run a function.',
    'Remove the annotation.',
  ],
  ConfigCopied: [2024, 'Planned', 'info', '{kind} {source} goes to the reconciler as it is.'],
  TenantFrozen: [
    2025,
    'Held',
    'error',
    'The tree of tenant {tenant} stays as it last was: {why}.',
    'Fix what is reported for the tenant; the next render writes it.',
  ],
  ConfigHeld: [2026, 'Held', 'info', '{kind} {name} cannot be used as it is, so its copy in the tree stays as it last was.'],
  TenantClusterLost: [
    2027,
    'Held',
    'error',
    'No TenantCluster stands beside {folder} any more, but objects of tenant {tenant} still lie there, so its tree stays as it last was.',
    'Restore the TenantCluster; if the tenant shall go, delete {folder} as well.',
  ],

  // 3xxx isolation
  IsolationObjectCompiled: [3001, 'Planned', 'info', '{kind} {host} enforces {control} of IsolationProfile {profile} ({level}).'],
  RuntimeClassForced: [3002, 'Planned', 'warning', 'runtimeClassName is {value}; the tenant asked for {asked}.'],
  PodSecurityViolation: [3003, 'Rejected', 'warning', 'Pod Security {level} ({version}) forbids {violations}.', '{fix}'],
  HostPathBlocked: [
    3004,
    'Rejected',
    'warning',
    'hostPath volume {volume} is forbidden by {control}.',
    'Use a PersistentVolumeClaim or an emptyDir.',
  ],
  PrivilegedBlocked: [
    3005,
    'Rejected',
    'warning',
    'Container {container} asks for privileged mode, which {control} forbids.',
    'Remove securityContext.privileged.',
  ],
  RequestsMissing: [
    3006,
    'Planned',
    'info',
    'Container {container} states no {resource}; the LimitRange supplies {default}.',
    'State requests and limits to choose them yourself.',
  ],
  QuotaWouldBeExceeded: [
    3007,
    'Planned',
    'warning',
    'Declared {resource} adds up to {sum}, and the quota is {hard}.',
    'Raise spec.resources of the TenantCluster, or ask for less.',
  ],
  EgressDenied: [
    3008,
    'Planned',
    'warning',
    'Default deny applies and no rule admits {what}.',
    'Add a NetworkPolicy, or set networking.egressPolicy.',
  ],
  ProfileMissing: [
    3010,
    'Held',
    'error',
    'IsolationProfile {profile} does not exist; the tenant’s tree stays as it is.',
    'Create IsolationProfile {profile}, or fix spec.isolationProfileRef.name.',
  ],
  ControlBelowLevel: [
    3011,
    'Planned',
    'warning',
    'IsolationProfile {profile} says level {level}, but {control}={value} is below that level.',
    'Raise the control, or lower the level.',
  ],
  BackstopUnavailable: [
    3012,
    'Planned',
    'warning',
    'The host serves no ValidatingAdmissionPolicy v1; {control} is enforced by the render only.',
    'Use a host of Kubernetes 1.30 or later.',
  ],
  NotEnforced: [3013, 'Planned', 'warning', '{field}={value} is accepted but nothing enforces it: {why}.', '{fix}'],
  HostNamespaceBlocked: [
    3020,
    'Rejected',
    'warning',
    '{field} would share a namespace of the node, which is forbidden at every level.',
    'Remove {field}.',
  ],
  HostPortBlocked: [3021, 'Rejected', 'warning', 'Container {container} asks for host port {port}.', 'Use a Service.'],
  NodeNamePinned: [
    3022,
    'Rejected',
    'warning',
    'nodeName {node} would bypass the scheduler, its taints and quotas.',
    'Use a node selector or affinity.',
  ],
  ProjectedTokenBlocked: [
    3023,
    'Rejected',
    'warning',
    'Volume {volume} projects {what}, a credential of the host.',
    'Remove the source; the tenant’s own API issues its tokens.',
  ],
  VolumeTypeBlocked: [3024, 'Rejected', 'warning', 'Volume {volume} is of type {type}, which the profile does not allow.', '{fix}'],
  ProbeHostBlocked: [
    3025,
    'Rejected',
    'warning',
    'Container {container} has a {hook} that makes the node call host {host}.',
    'Leave the host out: the pod’s own IP is meant.',
  ],
  StorageClassBlocked: [
    3026,
    'Rejected',
    'warning',
    'Storage class {class} is not allowed by IsolationProfile {profile} (allowed: {allowed}).',
    'Use an allowed class, or none for the default.',
  ],
  VolumeNamePinned: [
    3027,
    'Rejected',
    'warning',
    '{field} pins a volume of the host ({value}).',
    'Leave it out and let the storage class provision one.',
  ],
  ExternalIPsBlocked: [
    3028,
    'Rejected',
    'warning',
    'externalIPs would let the tenant take over addresses of others (CVE-2020-8554).',
    'Remove spec.externalIPs.',
  ],
  ExternalNameBlocked: [
    3029,
    'Rejected',
    'warning',
    'ExternalName {value} is not under a suffix that the profile allows (allowed: {allowed}).',
    'Call the name directly, or ask for allow.externalNames.',
  ],
  ServiceTypeBlocked: [
    3030,
    'Rejected',
    'warning',
    'A Service of type {type} needs allow.serviceTypes of IsolationProfile {profile}, which lists {allowed}.',
    'Use ClusterIP and an Ingress, or ask for {type}.',
  ],
  SelectorlessServiceBlocked: [
    3031,
    'Rejected',
    'warning',
    'A Service without a selector can point anywhere; the profile does not allow it.',
    'Give it a selector, or ask for allow.selectorlessServices.',
  ],
  IngressHostBlocked: [
    3032,
    'Rejected',
    'warning',
    'Ingress host {host} is not the tenant’s to claim (allowed suffixes: {allowed}).',
    'Use a host under an allowed suffix.',
  ],
  IngressPathBlocked: [
    3033,
    'Rejected',
    'warning',
    'Ingress path {path} is not a plain path: {why}.',
    'Use a path of letters, digits and ._~/- with type Prefix or Exact.',
  ],
  IngressClassBlocked: [
    3034,
    'Rejected',
    'warning',
    'Ingress class {class} is not allowed by IsolationProfile {profile} (allowed: {allowed}).',
    'Use an allowed class, or none for the first allowed one.',
  ],
  IngressHostTaken: [3035, 'Rejected', 'warning', 'Ingress host {host} is already claimed by {owner}.', 'Use another host.'],
  NetworkPolicyWidens: [
    3036,
    'Planned',
    'warning',
    '{pointer} would open more than the profile allows ({what}); {now}.',
    'State peers by pod and namespace labels of the tenant.',
  ],
  AnnotationBlocked: [
    3037,
    'Planned',
    'info',
    'Annotation {key} is not on the allow-list and is left out.',
    'Ask for it under allow.annotations of the profile.',
  ],
  SecretTypeBlocked: [3038, 'Rejected', 'warning', 'A Secret of type {type} is a credential of the host’s API.', 'Use another type.'],
  SecretNotRendered: [
    3039,
    'Rejected',
    'warning',
    'Secret {source} stands in Git in plain text and is not rendered.',
    'Use an ExternalSecret or SealedSecret of that name, or set spec.secrets.render: plain on the TenantCluster.',
  ],
  SecretStoreBlocked: [
    3040,
    'Rejected',
    'warning',
    'Secret store {store} is not allowed by IsolationProfile {profile} (allowed: {allowed}).',
    'Use an allowed store, or ask for it under allow.secretStores.',
  ],
  SealedScopeStrict: [
    3041,
    'Rejected',
    'warning',
    'The SealedSecret is sealed for {scope} scope under its tenant name; the host’s controller could not unseal it as {host}.',
    '{command}',
  ],
  EncryptedFile: [
    3042,
    'Rejected',
    'warning',
    'The file is encrypted with SOPS; its content cannot be projected.',
    'Decrypt it in the pipeline before the render, or use an ExternalSecret.',
  ],
  DrainBlocked: [
    3043,
    'Rejected',
    'warning',
    'The budget forbids every eviction ({why}), so no node under it could ever be drained.',
    'Allow at least one disruption.',
  ],
  PriorityDropped: [
    3044,
    'Planned',
    'info',
    'Priority class {class} is the host’s; it is left out.',
    'Ask for it under allow.priorityClasses of the profile.',
  ],
  TolerationDropped: [
    3045,
    'Planned',
    'info',
    'Toleration of {key} is not allowed and is left out.',
    'Ask for it under allow.tolerations of the profile.',
  ],
  SchedulerBlocked: [
    3046,
    'Rejected',
    'warning',
    '{field} hands the pod to {value}, which is not the host’s scheduler.',
    'Remove {field}.',
  ],
  LimitRangeViolation: [
    3047,
    'Rejected',
    'warning',
    'Container {container}: {problem}; the host’s LimitRange would refuse every pod.',
    'Change {resource} to fit between {min} and {max}.',
  ],
  ObjectTooLarge: [3048, 'Rejected', 'warning', 'The host object would have {size} bytes; the limit is {limit}.', 'Split the object.'],
  AnnotationsTooLarge: [
    3049,
    'Rejected',
    'warning',
    'The annotations have {size} bytes; Kubernetes stores at most {limit}.',
    'Shorten them.',
  ],
  ExternalMetricBlocked: [
    3050,
    'Rejected',
    'warning',
    'Metric {metric} of type {type} reads numbers of others; the profile does not allow it.',
    'Use resource metrics, or ask for allow.externalMetrics.',
  ],
  TargetNotProjected: [
    3051,
    'Rejected',
    'warning',
    '{pointer} names {target}, which is not projected, so the object would do nothing.',
    'Add {target}, or remove this object.',
  ],
  AffinityDropped: [
    3052,
    'Planned',
    'info',
    '{pointer} reaches into other namespaces in a way that cannot be kept; it is left out.',
    'Name the tenant’s own namespaces.',
  ],
  EphemeralContainersDropped: [3053, 'Planned', 'info', 'Ephemeral containers are added to running pods only; they are left out.'],
  ModeNotImplemented: [
    3054,
    'Held',
    'error',
    'mode: {mode} is not implemented; projecting the tenant as shared would weaken its isolation.',
    'Use shared or dedicated.',
  ],
  SandboxWithoutRuntime: [
    3055,
    'Rejected',
    'error',
    'IsolationProfile {profile} is sandboxed but names no runtime class.',
    'Set controls.runtimeClassName, or leave it out for kata-qemu.',
  ],
  EgressTooOpen: [
    3056,
    'Rejected',
    'error',
    'networking.egressPolicy: unrestricted contradicts level sandboxed of IsolationProfile {profile}.',
    'Use allow-same-tenant.',
  ],
  ReservedNamespace: [
    3057,
    'Rejected',
    'error',
    'Namespace {namespace} belongs to the host; no tenant may live in it.',
    'Give the TenantCluster a namespace of its own.',
  ],
  NamespaceShared: [
    3058,
    'Rejected',
    'error',
    'Namespace {namespace} already belongs to tenant {other}; one tenant a namespace.',
    'Give each TenantCluster a namespace of its own.',
  ],
  LimitsInconsistent: [
    3059,
    'Rejected',
    'error',
    'The limits of IsolationProfile {profile} contradict each other: {problem}.',
    'Set spec.limits so that min, defaultRequest, default and max do not decrease in that order, and fit the ratio.',
  ],
  NoApiCredentials: [
    3060,
    'Planned',
    'warning',
    '{source} asks for API credentials ({why}); the projected pod has none.',
    'Mount a kubeconfig of the tenant API from a Secret.',
  ],
  DnsOtherNamespace: [
    3061,
    'Rejected',
    'warning',
    'Pods of namespace {namespace} would resolve short names of namespace {main} (networking.dns: aliases).',
    'Set networking.dns: server on the TenantCluster.',
  ],
  DnsNameUnresolvable: [
    3062,
    'Planned',
    'warning',
    'In DNS mode aliases these names do not resolve: {names}.',
    'Set networking.dns: server on the TenantCluster, or use the Service’s short name.',
  ],
  ReplicasDropped: [
    3063,
    'Planned',
    'info',
    'HorizontalPodAutoscaler {autoscaler} owns the number of replicas; spec.replicas: {replicas} is left out.',
    'Remove spec.replicas from the workload.',
  ],
  SubstitutionPattern: [
    3064,
    'Planned',
    'info',
    'The object holds text that Flux would take for a variable (dollar and brace); substitution is switched off for it.',
  ],
  HostFieldUnknown: [3065, 'Undecided', 'info', '{what} depends on {fact}, which is not known offline.', 'Give {fact} in the config.'],
  HostNetworkAlias: [3066, 'Planned', 'info', '{field} keeps meaning the host’s view: {why}.'],
  AliasLeftOut: [3067, 'Planned', 'warning', 'Service {source} has no short name on the host: {why}.', '{fix}'],
  ImageVolumeBlocked: [
    3068,
    'Rejected',
    'warning',
    'Volume {volume} mounts an image; the profile does not allow it.',
    'Use an init container that copies the files.',
  ],
  PlatformContradiction: [3069, 'Rejected', 'error', '{what}', '{fix}'],
  AffinityUnsupported: [
    3070,
    'Rejected',
    'warning',
    '{pointer} requires pods of its own namespaces or of selected ones, a union that one term cannot say.',
    'Use namespaces or namespaceSelector, not both.',
  ],
  RestartPolicyInvalid: [3071, 'Rejected', 'warning', '{field} is {value}; {kind} takes {allowed} only.', 'Set {field}.'],
  DnsServerMade: [3072, 'Planned', 'info', '{kind} {host} answers the tenant’s names (networking.dns: server of TenantCluster {tenant}).'],
  NodePoolMissing: [
    3080,
    'Held',
    'error',
    'mode: dedicated asks for nodes of its own, but spec.nodePool names none; projecting the tenant onto shared nodes would weaken its isolation.',
    'Set spec.nodePool.nodeSelector, or mode: shared.',
  ],
  QuotaInconsistent: [
    3081,
    'Rejected',
    'error',
    'The quota of tenant {tenant} leaves no room: {problem}.',
    'Raise spec.resources of the TenantCluster, or the profile’s quota.',
  ],
  DnsAddressConflict: [3082, 'Rejected', 'error', '{problem}', '{fix}'],
  IngressDenied: [
    3083,
    'Planned',
    'warning',
    'Default deny applies and no rule admits {what}.',
    'Name the namespace that the calls come from under allow.gatewayNamespaces of the profile.',
  ],
  GatewayShutOut: [
    3084,
    'Planned',
    'warning',
    'Gateways reach no pod of Service {service}, which an Ingress leads to: {why}.',
    'Add an ingress rule without "from" for that port, by number or name as the Service has it, to a NetworkPolicy that selects the pods.',
  ],
  AllowancesTooComplex: [
    3073,
    'Planned',
    'warning',
    'The pods of namespace {namespace} that no NetworkPolicy selects for {direction} cannot be told in {limit} selectors; they get no allowance in that direction.',
    'Give the policies of {namespace} a common label key, or use fewer.',
  ],
  EndpointAddressBlocked: [
    3074,
    'Rejected',
    'warning',
    'Endpoint address {address} is {why}: a node would reach itself or its own link by it.',
    'Name an address that pods can be reached at.',
  ],
  FieldBlocked: [3075, 'Rejected', 'warning', '{field} is not the tenant’s to set: {why}.', 'Remove {field}.'],
  ServiceLinksOff: [
    3076,
    'Planned',
    'warning',
    'Service links are off on the host, so these variables are not set: {names}.',
    'Use the Service’s DNS name, or set the variable in env.',
  ],

  // 5xxx removals
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

  // 7xxx changes over time
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

  // 9xxx input and output
  InputInvalid: [9001, 'Rejected', 'error', '{problem}', '{fix}'],
  UnknownField: [9002, 'Rejected', 'error', 'Unknown field {pointer}{near}.', 'Fix the spelling, or remove the field.'],
  RenderedTreeStale: [9003, 'Failed', 'error', '{file} is stale.', 'Run: tenantplane render {package}'],
  AnnotationBudgetExceeded: [
    9005,
    'Planned',
    'info',
    'The object is {size} bytes long, so it carries its identity only; the decision stands in the ledger.',
  ],
  TreeTooLarge: [
    9007,
    'Planned',
    'warning',
    'The tree of tenant {tenant} holds {count} objects; past {limit} kustomize slows down and a kpt inventory nears the size that etcd takes.',
    'Set output.shards in the function’s config to spread it over subfolders.',
  ],
  FactMissing: [9006, 'Undecided', 'info', '{what} cannot be known from this package alone.', '{fix}'],
  ObjectMalformed: [
    9010,
    'Rejected',
    'warning',
    '{pointer} is {found}, not {wanted}.',
    'Fix the field; the API server would refuse the object.',
  ],
  InputTooLarge: [9011, 'Rejected', 'error', '{what} is {size}; the limit is {limit}.', 'Split the input.'],
  PathNotAllowed: [9012, 'Rejected', 'error', 'Path {path} is not allowed: {why}.', 'Fix the path.'],
  SyntaxInvalid: [9013, 'Rejected', 'error', '{problem}', 'Fix the YAML.'],
} as const;

export type ReasonName = keyof typeof REASONS;

export function reasonOf(name: ReasonName): Reason {
  const row: readonly [number, Disposition, Severity, string, string?] = REASONS[name];
  return { code: `TP${row[0]}`, disposition: row[1], severity: row[2], message: row[3], remedy: row[4] ?? '' };
}

/** The sentence or remedy with its parameters filled in; an unknown parameter is left in braces so that a test sees it. */
export function fill(template: string, params: Readonly<Record<string, string>>): string {
  if (!template.includes('{')) return template;
  // One piece: a fleet keeps a sentence for each object, and V8 keeps what `+=` made as a tree of its pieces.
  return partsOf(template)
    .map((part, index) => (index % 2 === 0 ? part : Object.hasOwn(params, part) ? params[part] : `{${part}}`))
    .join('');
}

const PARTS = new Map<string, readonly string[]>();

/** Text and parameter names in turn. Templates are few and used for every object, so each is taken apart once. */
function partsOf(template: string): readonly string[] {
  let parts = PARTS.get(template);
  if (parts === undefined) {
    parts = template.split(/\{(\w+)\}/);
    PARTS.set(template, parts);
  }
  return parts;
}
