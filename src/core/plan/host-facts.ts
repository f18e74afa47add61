import { checkConfigOf } from '../../schema/check-config.ts';
import type { HostFactsConfig } from '../../schema/config-kinds.ts';
import { finding } from '../decision/finding.ts';
import type { JsonObject } from '../kube/json.ts';
import { minorOf, NEWEST, OLDEST, versionProblem } from '../kube/known-versions.ts';
import { isHostFacts, objectsFolder } from './assign.ts';
import type { Finding, InputObject, RenderConfig } from './plan-types.ts';
import type { HostFacts } from './settings.ts';
import type { Source } from './tenant-context.ts';

export type Facts = HostFactsConfig['spec'];

/** The HostFacts of a package, where it has one. Two, or one that is not legal, would be facts that nobody can rely on. */
export function readHostFacts(
  inputs: readonly InputObject[],
  configured: string | undefined,
): { readonly facts?: Facts; readonly findings: readonly Finding[] } {
  const bad = configured === undefined ? [] : unknownVersion('The config’s field host.version', configured, { path: '', document: 0 });
  const found = inputs.filter(({ object, source }) => isHostFacts(object) && objectsFolder(source.path) === undefined);
  const [first, second] = found;
  if (first === undefined) return { findings: bad };
  if (second !== undefined) {
    const what = `The package has ${found.length} HostFacts objects (${found.map(({ source }) => source.path).join(', ')}).`;
    return { findings: [finding('PlatformContradiction', { what, fix: 'Keep one.' }, second.source)] };
  }
  const { value, problems } = checkConfigOf(first.object, 'HostFacts');
  const findings = problems.map(({ pointer, message, remedy }) =>
    finding('InputInvalid', { problem: `HostFacts: ${message}`, fix: remedy }, first.source, { pointer }),
  );
  if (value === undefined) return { findings };
  findings.push(...systemDefault(value.spec, first.source));
  const { version } = value.spec;
  // The config's is taken in its place.
  const unknown = configured === undefined && version !== undefined ? unknownVersion('HostFacts: version', version, first.source) : bad;
  return { facts: value.spec, findings: [...findings, ...unknown] };
}

/** Policies admit the default's name, since the API server writes it on pods: one of the system's would let tenants evict all others. */
function systemDefault({ defaultPriorityClass = '' }: Facts, source: Source): Finding[] {
  if (!isSystemPriority(defaultPriorityClass)) return [];
  const problem = `HostFacts: defaultPriorityClass is ${defaultPriorityClass}, which no tenant may have.`;
  const fix = 'Leave it out, and make another PriorityClass the default of the host.';
  return [finding('InputInvalid', { problem, fix }, source, { pointer: '/spec/defaultPriorityClass' })];
}

export function isSystemPriority(name: string): boolean {
  return name.startsWith('system-');
}

function unknownVersion(where: string, version: string, source: Source): Finding[] {
  const problem = versionProblem(version);
  if (problem === undefined) return [];
  const fix = `Use a version from 1.${OLDEST} to 1.${NEWEST} (--host-version, host.version), or leave it out for the strictest of all.`;
  return [finding('InputInvalid', { problem: `${where} ${problem}`, fix }, source, source.path === '' ? {} : { pointer: '/spec/version' })];
}

/** What is known of the host. The function's config wins over the facts, since a person wrote it for this render. */
export function resolveHost(config: RenderConfig['host'], facts: Facts = {}): HostFacts {
  const minor = minorOf(config.version ?? facts.version ?? '');
  const stated = config.clusterDomain === undefined || config.clusterDomain === DEFAULT_DOMAIN ? undefined : config.clusterDomain;
  const {
    runtimeClasses,
    storageClasses,
    ingressClasses,
    priorityClasses,
    apiVersions,
    defaultStorageClass,
    defaultPriorityClass,
    networkPolicies,
  } = facts;
  return {
    clusterDomain: stated ?? facts.clusterDomain ?? DEFAULT_DOMAIN,
    serviceCIDRs: config.serviceCIDRs ?? facts.serviceCIDRs ?? [],
    trustedWriters: config.trustedWriters ?? TRUSTED_WRITERS,
    trustedGroups: config.trustedGroups ?? TRUSTED_GROUPS,
    runtimeTolerations: byClass(facts.runtimeTolerations ?? []),
    ...(minor !== undefined && { minor }),
    ...(networkPolicies !== undefined && { networkPolicies }),
    ...(defaultStorageClass !== undefined && { defaultStorageClass }),
    ...(defaultPriorityClass !== undefined && { defaultPriorityClass }),
    ...known({ runtimeClasses, storageClasses, ingressClasses, priorityClasses, apiVersions }),
  };
}

const DEFAULT_DOMAIN = 'cluster.local';

/** Accounts of the appliers as their own install manifests name them. The reconciler is always trusted. */
export const TRUSTED_WRITERS: readonly string[] = [
  'system:serviceaccount:argocd:argocd-application-controller',
  'system:serviceaccount:flux-system:kustomize-controller',
];

/** Administrators: of any cluster, and of one that kubeadm made (since 1.29 its admin.conf is in a group of its own). */
const TRUSTED_GROUPS: readonly string[] = ['system:masters', 'kubeadm:cluster-admins'];

function byClass(tolerations: NonNullable<Facts['runtimeTolerations']>): ReadonlyMap<string, readonly JsonObject[]> {
  const classes = new Map<string, JsonObject[]>();
  for (const { runtimeClass, ...toleration } of tolerations) {
    classes.set(runtimeClass, [...(classes.get(runtimeClass) ?? []), { ...toleration }]);
  }
  return classes;
}

/** Lists that are stated, as sets; one that is left out stays unknown. */
function known<K extends string>(lists: Readonly<Record<K, readonly string[] | undefined>>): { [key in K]?: ReadonlySet<string> } {
  const sets: { [key in K]?: ReadonlySet<string> } = {};
  for (const key of Object.keys(lists) as K[]) {
    const list = lists[key];
    if (list !== undefined) sets[key] = new Set(list);
  }
  return sets;
}
