/** Objects to begin with, as `tenantplane render tenantcluster|isolationprofile|syncpolicy NAME` prints them. */
import { checkConfig } from './check-config.ts';
import { GROUP, VERSION } from './config-kinds.ts';
import type { JsonObject } from './json.ts';
import type { SchemaProblem } from './problems.ts';

/** The object, and what is wrong with it where a flag was wrong: then it is not to be printed. */
export interface ExampleObject {
  readonly object: JsonObject;
  readonly problems: readonly SchemaProblem[];
}

export interface TenantClusterFlags {
  /** default: `team-<name>`. One tenant a namespace, so there is no shared default. */
  readonly namespace?: string;
  readonly mode?: string;
  readonly isolationProfile?: string;
  readonly syncPolicy?: string;
  /** left out, the newest tested one runs */
  readonly kubernetesVersion?: string;
  readonly egressPolicy?: string;
  readonly cpu?: string;
  readonly memory?: string;
}

export function exampleTenantCluster(name: string, flags: TenantClusterFlags = {}): ExampleObject {
  const resources: JsonObject = {};
  if (flags.cpu !== undefined) resources['cpu'] = flags.cpu;
  if (flags.memory !== undefined) resources['memory'] = flags.memory;
  return checked({
    apiVersion: `${GROUP}/${VERSION}`,
    kind: 'TenantCluster',
    metadata: { name, namespace: flags.namespace ?? `team-${name}` },
    spec: {
      mode: flags.mode ?? 'shared',
      ...(flags.kubernetesVersion !== undefined && { kubernetesVersion: flags.kubernetesVersion }),
      isolationProfileRef: { name: flags.isolationProfile ?? 'restricted' },
      syncPolicyRef: { name: flags.syncPolicy ?? 'default' },
      controlPlane: { replicas: 1, datastore: { type: 'sqlite' } },
      networking: { egressPolicy: flags.egressPolicy ?? 'deny-by-default' },
      migration: { allowModeChange: true },
      ...(Object.keys(resources).length === 0 ? {} : { resources }),
    },
  });
}

export interface IsolationProfileFlags {
  readonly level?: string;
}

/** Only the level: controls that are written out stay as they are when the level changes. */
export function exampleIsolationProfile(name: string, flags: IsolationProfileFlags = {}): ExampleObject {
  return checked({
    apiVersion: `${GROUP}/${VERSION}`,
    kind: 'IsolationProfile',
    metadata: { name },
    spec: { level: flags.level ?? 'restricted' },
  });
}

export interface SyncPolicyFlags {
  readonly conflictPolicy?: string;
  /** `applications`: everything that an application in Git is made of. `pods`: what the public tool lists, for a tenant that is used with kubectl. */
  readonly resources?: string;
}

const APPLICATIONS: readonly (readonly [apiVersion: string, ...kinds: string[]])[] = [
  ['v1', 'Pod', 'Service', 'ConfigMap', 'Secret', 'PersistentVolumeClaim'],
  ['apps/v1', 'Deployment', 'StatefulSet'],
  ['batch/v1', 'Job', 'CronJob'],
  ['networking.k8s.io/v1', 'Ingress', 'NetworkPolicy'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
];
const RESOURCES: Readonly<Record<string, JsonObject[]>> = {
  applications: APPLICATIONS.flatMap(([apiVersion, ...kinds]) => kinds.map((kind) => ({ apiVersion, kind, direction: 'toHost' }))),
  pods: [
    { apiVersion: 'v1', kind: 'Pod', direction: 'toHost' },
    ...['Service', 'ConfigMap', 'Secret'].map((kind) => ({ apiVersion: 'v1', kind, direction: 'bidirectional' })),
  ],
};

/** Sets that `resources` may name. */
export const EXAMPLE_RESOURCES: readonly string[] = Object.keys(RESOURCES);

export function exampleSyncPolicy(name: string, flags: SyncPolicyFlags = {}): ExampleObject {
  const set = flags.resources ?? 'applications';
  const resources = Object.hasOwn(RESOURCES, set) ? RESOURCES[set] : undefined;
  const made = checked({
    apiVersion: `${GROUP}/${VERSION}`,
    kind: 'SyncPolicy',
    metadata: { name },
    spec: {
      conflictPolicy: flags.conflictPolicy ?? 'manual',
      driftDetection: { enabled: true, interval: '30s' },
      explain: { recordDecisions: true, retain: 1000 },
      resources: (resources ?? []).map((entry) => ({ ...entry })),
    },
  });
  if (resources !== undefined) return made;
  const message = `There is no set of resources ${JSON.stringify(set)}.`;
  const remedy = `Use one of ${EXAMPLE_RESOURCES.join(', ')}.`;
  return { ...made, problems: [...made.problems, { pointer: '/spec/resources', rule: 'Enum', found: set, message, remedy }] };
}

function checked(object: JsonObject): ExampleObject {
  return { object, problems: checkConfig(object).problems };
}
