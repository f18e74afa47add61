import { controlPlaneNamespace } from '../isolation/control-plane-namespace.ts';
import { levelDefaults } from '../isolation/levels.ts';
import { asString, at, type Json, type JsonObject, objectAt, objectsOf, stringAt } from '../kube/json.ts';
import { kindKey, nameOf, namespaceOf, stringMap } from '../kube/object.ts';
import type {
  ContainerLimits,
  ControlPlaneNeeds,
  Direction,
  Level,
  PolicyEntry,
  PolicySettings,
  ProfileSettings,
  TenantSettings,
} from './settings.ts';

/**
 * Configuration objects as the planner reads them. Each comes from schema/check-config with its defaults filled in, so types
 * are right here; what a fallback says below is what an absent optional field means.
 */
export function resolveTenant(object: JsonObject, profileSuffixes: readonly string[] = []): TenantSettings {
  const name = nameOf(object);
  const namespace = namespaceOf(object) ?? '';
  const spec = objectAt(object, 'spec') ?? {};
  const networking = objectAt(spec, 'networking') ?? {};
  const dnsServiceIP = stringAt(networking, 'dnsServiceIP');
  const nodePool = objectAt(spec, 'nodePool');
  const suffixes = [...strings(networking['ingressHostSuffixes']), ...profileSuffixes].map((suffix) => suffix.replaceAll('{tenant}', name));
  return {
    name,
    namespace,
    controlPlaneNamespace: controlPlaneNamespace(name, namespace),
    mode: (stringAt(spec, 'mode') ?? 'shared') as TenantSettings['mode'],
    profile: stringAt(spec, 'isolationProfileRef', 'name') ?? '',
    policy: stringAt(spec, 'syncPolicyRef', 'name') ?? '',
    egressPolicy: (stringAt(networking, 'egressPolicy') ?? 'deny-by-default') as TenantSettings['egressPolicy'],
    dns: (stringAt(networking, 'dns') ?? (dnsServiceIP === undefined ? 'aliases' : 'server')) as TenantSettings['dns'],
    clusterDomain: 'cluster.local',
    ingressHostSuffixes: [...new Set(suffixes)].sort(),
    renderSecrets: stringAt(spec, 'secrets', 'render') === 'plain' ? 'plain' : 'none',
    pruneVolumes: at(spec, 'volumes', 'prune') === true,
    replaceImmutable: at(spec, 'migration', 'replaceImmutable') === true,
    expects: objectsOf(spec['expects']).map((entry) => ({
      kind: kindKey(stringAt(entry, 'apiVersion') ?? 'v1', stringAt(entry, 'kind') ?? ''),
      namespace: stringAt(entry, 'namespace') ?? 'default',
      name: stringAt(entry, 'name') ?? '',
    })),
    resources: optional({ cpu: quantity(at(spec, 'resources', 'cpu')), memory: quantity(at(spec, 'resources', 'memory')) }),
    controlPlane: controlPlaneNeeds(objectAt(spec, 'controlPlane') ?? {}),
    delivery: stringAt(spec, 'delivery') === 'controller' ? 'controller' : 'git',
    ...optional({
      dnsServiceIP,
      kubernetesVersion: stringAt(spec, 'kubernetesVersion'),
      mainNamespace: stringAt(networking, 'mainNamespace'),
      podCIDR: stringAt(networking, 'podCIDR'),
      serviceCIDR: stringAt(networking, 'serviceCIDR'),
      confirmedRenameFrom: stringAt(spec, 'migration', 'confirmRenameFrom'),
      nodePool:
        nodePool === undefined
          ? undefined
          : { nodeSelector: record(objectAt(nodePool, 'nodeSelector')), tolerations: objectsOf(nodePool['tolerations']) },
    }),
  };
}

function controlPlaneNeeds(controlPlane: JsonObject): ControlPlaneNeeds {
  const datastore = (stringAt(controlPlane, 'datastore', 'type') ?? 'sqlite') as ControlPlaneNeeds['datastore'];
  const egress = objectAt(controlPlane, 'datastore', 'egress');
  return {
    replicas: Number(at(controlPlane, 'replicas') ?? 1),
    loadBalancer: at(controlPlane, 'expose', 'loadBalancer') === true,
    datastore,
    // they mean nothing for the others, and so they open nothing
    ...(datastore === 'postgres' &&
      optional({
        datastoreSecret: stringAt(controlPlane, 'datastore', 'secretRef', 'name'),
        egress: egress === undefined ? undefined : { cidrs: strings(egress['cidrs']), port: Number(egress['port'] ?? 5432) },
      })),
  };
}

export function resolveProfile(object: JsonObject): ProfileSettings & { readonly ingressHostSuffixes: readonly string[] } {
  const spec = objectAt(object, 'spec') ?? {};
  const level = (stringAt(spec, 'level') ?? 'baseline') as Level;
  const defaults = levelDefaults(level);
  const controls = objectAt(spec, 'controls') ?? {};
  const allow = objectAt(spec, 'allow') ?? {};
  const flag = (name: string, otherwise: boolean): boolean => (typeof controls[name] === 'boolean' ? controls[name] : otherwise);
  return {
    name: nameOf(object),
    level,
    podSecurity: (stringAt(controls, 'podSecurity') ?? defaults.podSecurity) as ProfileSettings['podSecurity'],
    completePodSecurity: stringAt(spec, 'podSecurity', 'complete') === 'all' ? 'all' : 'seccomp',
    defaultDeny: flag('defaultDenyNetworkPolicy', defaults.defaultDeny),
    requireResourceRequests: flag('requireResourceRequests', defaults.requireResourceRequests),
    blockHostPath: flag('blockHostPathVolumes', defaults.blockHostPath),
    blockPrivileged: flag('blockPrivilegedContainers', defaults.blockPrivileged),
    userNamespaces: (stringAt(controls, 'userNamespaces') ?? 'off') as ProfileSettings['userNamespaces'],
    ...optional({
      runtimeClassName: stringAt(controls, 'runtimeClassName') ?? defaults.runtimeClassName,
      apiFairness: (stringAt(controls, 'apiFairness') ?? defaults.apiFairness) as ProfileSettings['apiFairness'] | undefined,
    }),
    allow: {
      daemonSets: allow['daemonSets'] === true,
      selectorlessServices: allow['selectorlessServices'] === true,
      endpoints: allow['endpoints'] === true,
      serviceTypes: strings(allow['serviceTypes']) as ProfileSettings['allow']['serviceTypes'],
      loadBalancerClasses: strings(allow['loadBalancerClasses']),
      ingressClasses: strings(allow['ingressClasses']),
      storageClasses: strings(allow['storageClasses']),
      csiDrivers: strings(allow['csiDrivers']),
      extendedResources: strings(allow['extendedResources']),
      imageVolumes: allow['imageVolumes'] === true,
      tolerations: objectsOf(allow['tolerations']).map((entry) => ({
        key: stringAt(entry, 'key') ?? '',
        ...optional({ operator: stringAt(entry, 'operator'), value: stringAt(entry, 'value'), effect: stringAt(entry, 'effect') }),
      })),
      annotations: strings(allow['annotations']),
      externalMetrics: allow['externalMetrics'] === true,
      gatewayNamespaces: strings(allow['gatewayNamespaces']),
      priorityClasses: strings(allow['priorityClasses']),
      secretStores: strings(allow['secretStores']),
      seccompProfiles: strings(allow['seccompProfiles']),
      externalNames: strings(allow['externalNames']),
    },
    ingressHostSuffixes: strings(allow['ingressHostSuffixes']),
    statedControls: Object.keys(controls).sort(),
    limits: mergeLimits(defaults.limits, objectAt(spec, 'limits')),
    quota: record(objectAt(spec, 'quota')),
    network: {
      hostCIDRs: strings(at(spec, 'network', 'hostCIDRs')),
      dnsPeers: objectsOf(at(spec, 'network', 'dnsPeers')).map((peer) => ({
        namespace: stringAt(peer, 'namespace') ?? 'kube-system',
        podLabels: record(objectAt(peer, 'podLabels')),
        port: Number(peer['port'] ?? 53),
      })),
    },
  };
}

export function resolvePolicy(object: JsonObject): PolicySettings {
  const spec = objectAt(object, 'spec') ?? {};
  return {
    name: nameOf(object),
    conflictPolicy: (stringAt(spec, 'conflictPolicy') ?? 'manual') as PolicySettings['conflictPolicy'],
    recordDecisions: at(spec, 'explain', 'recordDecisions') !== false,
    entries: objectsOf(spec['resources']).map(resolveEntry),
  };
}

function resolveEntry(entry: JsonObject): PolicyEntry {
  const apiVersion = stringAt(entry, 'apiVersion') ?? 'v1';
  const kind = stringAt(entry, 'kind') ?? '';
  return {
    apiVersion,
    kind,
    key: kindKey(apiVersion, kind),
    direction: (stringAt(entry, 'direction') ?? 'toHost') as Direction,
    references: objectsOf(entry['references']).map((reference) => ({
      path: stringAt(reference, 'path') ?? '',
      kind: stringAt(reference, 'kind') ?? '',
      apiVersion: stringAt(reference, 'apiVersion') ?? 'v1',
    })),
    selectors: objectsOf(entry['selectors']).map((selector) => ({ path: stringAt(selector, 'path') ?? '' })),
    ...optional({ labelSelector: objectAt(entry, 'labelSelector'), scope: stringAt(entry, 'scope') as PolicyEntry['scope'] | undefined }),
  };
}

function mergeLimits(defaults: ContainerLimits, given: JsonObject | undefined): ContainerLimits {
  const part = (name: keyof ContainerLimits): Readonly<Record<string, string>> => ({ ...defaults[name], ...record(objectAt(given, name)) });
  return {
    defaultRequest: part('defaultRequest'),
    default: part('default'),
    min: part('min'),
    max: part('max'),
    maxLimitRequestRatio: part('maxLimitRequestRatio'),
  };
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.flatMap((item) => asString(item) ?? []) : [];
}

/** Quantities may be written as numbers. */
function quantity(value: Json | undefined): string | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : asString(value);
}

function record(object: JsonObject | undefined): Record<string, string> {
  const result: Record<string, string> = Object.fromEntries(stringMap(object));
  for (const [key, value] of Object.entries(object ?? {})) {
    if (typeof value === 'number' || typeof value === 'bigint') result[key] = String(value);
  }
  return result;
}

/** Leaves out what is undefined, as exactOptionalPropertyTypes asks. */
function optional<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
