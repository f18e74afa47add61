import { plan } from '../../src/core/plan/plan.ts';
import type { Finding, InputObject, Observation, Plan, PreviousObject, RenderConfig } from '../../src/core/plan/plan-types.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';

export const CONFIG: RenderConfig = { output: { config: 'include', shards: 1 }, host: {}, allowEmpty: false, scope: 'everything' };

/** Files by path, as a package would hold them. */
export type Files = Readonly<Record<string, string>>;

export function observe(files: Files, config: Partial<RenderConfig> = {}, previous?: readonly PreviousObject[]): Observation {
  const inputs: InputObject[] = [];
  const unreadable: Finding[] = [];
  for (const [path, text] of Object.entries(files)) {
    const documents = readDocuments(text, path);
    inputs.push(...documents.objects);
    unreadable.push(...documents.findings);
  }
  return { inputs, unreadable, config: { ...CONFIG, ...config }, ...(previous !== undefined && { previous }) };
}

export function planFiles(files: Files, config: Partial<RenderConfig> = {}, previous?: readonly PreviousObject[]): Plan {
  return plan(observe(files, config, previous));
}

/** Every file of the tree, by path below host/. */
export function treeOf(result: Plan): Map<string, string> {
  const files = [...result.shared, ...result.tenants.flatMap((tenant) => tenant.files)];
  return new Map(files.map((file) => [file.path, emitYaml(file.object)]));
}

/** The tree of a plan as the next plan's old one. */
export function previousOf(result: Plan): PreviousObject[] {
  return [...treeOf(result)].flatMap(([path, text]) => readDocuments(text, path).objects);
}

export function tenant(
  name: string,
  options: { readonly namespace?: string; readonly profile?: string; readonly policy?: string; readonly spec?: string } = {},
): string {
  return `apiVersion: tenantplane.io/v1alpha1
kind: TenantCluster
metadata:
  name: ${name}
  namespace: ${options.namespace ?? `team-${name}`}
spec:
  isolationProfileRef: {name: ${options.profile ?? 'restricted'}}
  syncPolicyRef: {name: ${options.policy ?? 'default'}}
${options.spec ?? ''}`;
}

export function profile(name = 'restricted', level = 'restricted', more = ''): string {
  return `apiVersion: tenantplane.io/v1alpha1
kind: IsolationProfile
metadata: {name: ${name}}
spec:
  level: ${level}
${more}`;
}

/** A policy that lists kinds as `v1/Service`. */
export function policy(kinds: readonly string[] = ALL_KINDS, name = 'default', more = ''): string {
  const entries = kinds.map((kind) => {
    const slash = kind.lastIndexOf('/');
    return `  - {apiVersion: ${kind.slice(0, slash)}, kind: ${kind.slice(slash + 1)}, direction: toHost}`;
  });
  return `apiVersion: tenantplane.io/v1alpha1
kind: SyncPolicy
metadata: {name: ${name}}
spec:
${more}  resources:
${entries.join('\n')}
`;
}

export const ALL_KINDS: readonly string[] = [
  'v1/Pod',
  'v1/Service',
  'v1/ConfigMap',
  'v1/Secret',
  'v1/PersistentVolumeClaim',
  'v1/Endpoints',
  'v1/ReplicationController',
  'v1/PodTemplate',
  'apps/v1/Deployment',
  'apps/v1/StatefulSet',
  'apps/v1/DaemonSet',
  'apps/v1/ReplicaSet',
  'batch/v1/Job',
  'batch/v1/CronJob',
  'networking.k8s.io/v1/Ingress',
  'networking.k8s.io/v1/NetworkPolicy',
  'policy/v1/PodDisruptionBudget',
  'autoscaling/v2/HorizontalPodAutoscaler',
  'discovery.k8s.io/v1/EndpointSlice',
  'external-secrets.io/v1/ExternalSecret',
  'bitnami.com/v1alpha1/SealedSecret',
];

/** A package with one tenant `dev` in `team-dev`; `objects` are its files below objects/. */
export function devPackage(
  objects: Files,
  options: { readonly spec?: string; readonly profile?: string; readonly policy?: string } = {},
): Files {
  const files: Record<string, string> = {
    'tenants/dev/tenant.yaml': tenant('dev', options.spec === undefined ? {} : { spec: options.spec }),
    'platform/profile.yaml': options.profile ?? profile(),
    'platform/policy.yaml': options.policy ?? policy(),
  };
  for (const [path, text] of Object.entries(objects)) files[`tenants/dev/objects/${path}`] = text;
  return files;
}
