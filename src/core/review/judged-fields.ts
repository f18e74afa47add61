/**
 * How a change of each field of the configuration is judged: by which controls (`lattice.ts`, `bounds.ts`), or why it makes isolation
 * neither weaker nor stronger. A test holds these tables against the schemas: a field that has no row here fails it.
 */
export type Judgement = { readonly by: readonly string[] } | { readonly neutral: string };

type Fields = Readonly<Record<string, Judgement>>;

const by = (...controls: readonly string[]): Judgement => ({ by: controls });
const neutral = (why: string): Judgement => ({ neutral: why });

/** One judgement for several fields below another. */
function each(prefix: string, names: readonly string[], judgement: Judgement): Fields {
  return Object.fromEntries(names.map((name) => [`${prefix}${name}`, judgement]));
}

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;
const CONTROLS = [
  'podSecurity',
  'defaultDenyNetworkPolicy',
  'requireResourceRequests',
  'runtimeClassName',
  'blockHostPathVolumes',
  'blockPrivilegedContainers',
  'userNamespaces',
  'apiFairness',
] as const;
const ALLOWED = [
  'daemonSets',
  'selectorlessServices',
  'endpoints',
  'serviceTypes',
  'loadBalancerClasses',
  'extendedResources',
  'ingressClasses',
  'ingressHostSuffixes',
  'storageClasses',
  'csiDrivers',
  'imageVolumes',
  'annotations',
  'externalMetrics',
  'gatewayNamespaces',
  'priorityClasses',
  'secretStores',
  'seccompProfiles',
  'externalNames',
] as const;
const DEFAULTED = neutral(
  'what a container gets that states none; max, ratio and quota bound it, and the quota that is computed from it is compared',
);

const ISOLATION_PROFILE: Fields = {
  level: by(...CONTROLS.map((name) => `controls.${name}`), 'limits.max', 'limits.maxLimitRequestRatio', 'quota', 'resources'),
  ...Object.fromEntries(CONTROLS.map((name) => [`controls.${name}`, by(`controls.${name}`)])),
  'podSecurity.complete': neutral('fills in what a pod leaves open; what Pod Security refuses stays the same'),
  ...Object.fromEntries(ALLOWED.map((name) => [`allow.${name}`, by(`allow.${name}`)])),
  ...each('allow.tolerations[].', ['key', 'operator', 'value', 'effect'], by('allow.tolerations')),
  ...each('limits.defaultRequest.', RESOURCES, DEFAULTED),
  ...each('limits.default.', RESOURCES, DEFAULTED),
  ...each('limits.min.', RESOURCES, by('limits.min')),
  ...each('limits.max.', RESOURCES, by('limits.max')),
  ...each('limits.maxLimitRequestRatio.', RESOURCES, by('limits.maxLimitRequestRatio')),
  quota: by('quota', 'resources'),
  'network.hostCIDRs': by('network.hostCIDRs'),
  ...each('network.dnsPeers[].', ['namespace', 'podLabels', 'port'], by('network.dnsPeers')),
};

const OWN_SERVER = neutral('of the control plane’s own server, which runs an image of the platform and no code of the tenant');
const CONSENT = neutral('consent to a change that moves or loses something; the change itself is judged');
const OWN_OBJECTS = neutral('which of the tenant’s own objects are rendered; each is held to the profile');

const TENANT_CLUSTER: Fields = {
  mode: by('mode', 'nodePool.nodeSelector', 'nodePool.tolerations'),
  kubernetesVersion: OWN_SERVER,
  'isolationProfileRef.name': by(...CONTROLS.map((name) => `controls.${name}`), ...ALLOWED.map((name) => `allow.${name}`)),
  'syncPolicyRef.name': by('resources.customKinds'),
  'controlPlane.replicas': OWN_SERVER,
  'controlPlane.datastore.type': OWN_SERVER,
  'controlPlane.datastore.secretRef.name': OWN_SERVER,
  'controlPlane.datastore.secretRef.key': OWN_SERVER,
  'controlPlane.datastore.egress.cidrs': by('controlPlane.datastore.egress'),
  'controlPlane.datastore.egress.port': by('controlPlane.datastore.egress'),
  ...each('controlPlane.storage.', ['className', 'size', 'onDelete'], OWN_SERVER),
  'controlPlane.expose.loadBalancer': by('controlPlane.expose.loadBalancer'),
  'controlPlane.expose.annotations': by('controlPlane.expose.annotations'),
  'controlPlane.extraTLSSANs': neutral('names of a certificate; they open no way to the API'),
  'controlPlane.kubeconfig.hours': by('controlPlane.kubeconfig.hours'),
  ...each('controlPlane.resources.requests.', ['cpu', 'memory'], OWN_SERVER),
  ...each('controlPlane.resources.limits.', ['cpu', 'memory'], OWN_SERVER),
  ...each(
    'networking.',
    ['podCIDR', 'serviceCIDR', 'dnsServiceIP'],
    by('networking.podCIDR', 'networking.serviceCIDR', 'networking.dnsServiceIP'),
  ),
  'networking.egressPolicy': by('networking.egressPolicy'),
  'networking.dns': neutral('how short names resolve; both ways answer with the tenant’s own Services'),
  'networking.mainNamespace': neutral('which of the tenant’s own Services have short names'),
  'networking.ingressHostSuffixes': by('networking.ingressHostSuffixes'),
  ...each('migration.', ['allowModeChange', 'replaceImmutable', 'confirmRenameFrom'], CONSENT),
  ...each('resources.', ['cpu', 'memory'], by('resources')),
  ...each('expects[].', ['apiVersion', 'kind', 'namespace', 'name'], neutral('leaves out a warning')),
  delivery: neutral('who applies the same objects; both are trusted writers'),
  'nodePool.nodeSelector': by('nodePool.nodeSelector'),
  ...each('nodePool.tolerations[].', ['key', 'operator', 'value', 'effect'], by('nodePool.tolerations')),
  'nodePool.tolerations[].tolerationSeconds': neutral('how long a pod stays where it may be'),
  'secrets.render': OWN_OBJECTS,
  'volumes.prune': neutral('whether the tenant’s data goes with its claims; a review tells data that goes by itself'),
};

const AUTHORITY = neutral('which side is the authority over an object of the tenant; no other object is reached');
const RECORD = neutral('what is recorded');
const SELECTED = by('resources.labelSelector');

const SYNC_POLICY: Fields = {
  conflictPolicy: AUTHORITY,
  'driftDetection.enabled': neutral('comparison at intervals beside the watches, which restore all the same'),
  'driftDetection.interval': neutral('comparison at intervals beside the watches, which restore all the same'),
  'explain.recordDecisions': RECORD,
  'explain.retain': RECORD,
  // of a known kind an entry opens nothing: whatever crosses is held to the profile
  'resources[].apiVersion': by('resources.customKinds'),
  'resources[].kind': by('resources.customKinds'),
  'resources[].direction': AUTHORITY,
  'resources[].labelSelector.matchLabels': SELECTED,
  ...each('resources[].labelSelector.matchExpressions[].', ['key', 'operator', 'values'], SELECTED),
  'resources[].scope': by('resources.scope'),
  ...each('resources[].references[].', ['path', 'kind', 'apiVersion'], by('resources.references')),
  'resources[].selectors[].path': by('resources.selectors'),
};

const WARNS = neutral('what is known to be there; an object that names something else is warned of or refused');
const DEFAULTS = neutral('what the API server writes where an object names none, and so is open to every tenant already');
/** controls that only a newer host enforces */
const VERSION = by('always.ownObjects', 'always.namespaces', 'controls.userNamespaces');

const HOST: Fields = {
  version: VERSION,
  clusterDomain: neutral('how names of the host are written'),
  serviceCIDRs: neutral('where addresses of DNS servers may be'),
};

const RENDER_TENANT: Fields = {
  ...each('tenant.', ['name', 'namespace'], neutral('whose the items are')),
  ...each('output.', ['config', 'shards', 'sources'], neutral('what the tree looks like')),
  ...Object.fromEntries(Object.entries(HOST).map(([name, judgement]) => [`host.${name}`, judgement])),
  'host.trustedWriters': by('host.trustedWriters'),
  'host.trustedGroups': by('host.trustedGroups'),
  failOn: neutral('how the function ends'),
  allowEmpty: neutral('guards the tree; what leaves it is told'),
  maxDeletions: neutral('guards the tree; what leaves it is told'),
  package: neutral('where the input is read'),
};

const HOST_FACTS: Fields = {
  ...HOST,
  ...each('', ['apiVersions', 'runtimeClasses', 'storageClasses', 'ingressClasses', 'priorityClasses'], WARNS),
  ...each('runtimeTolerations[].', ['runtimeClass', 'key', 'operator', 'value', 'effect'], by('host.runtimeTolerations')),
  defaultStorageClass: DEFAULTS,
  defaultPriorityClass: DEFAULTS,
  networkPolicies: by('controls.defaultDenyNetworkPolicy', 'networking.egressPolicy', 'controlPlane.datastore.egress'),
};

/** Fields below `spec`, as `resources[].kind`. */
export const JUDGED_FIELDS: Readonly<Record<'IsolationProfile' | 'TenantCluster' | 'SyncPolicy' | 'RenderTenant' | 'HostFacts', Fields>> = {
  IsolationProfile: ISOLATION_PROFILE,
  TenantCluster: TENANT_CLUSTER,
  SyncPolicy: SYNC_POLICY,
  RenderTenant: RENDER_TENANT,
  HostFacts: HOST_FACTS,
};
