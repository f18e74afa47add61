import { checkConfigOf } from '../../schema/check-config.ts';
import type { HostFactsConfig } from '../../schema/config-kinds.ts';
import { finding } from '../decision/finding.ts';
import type { JsonObject } from '../kube/json.ts';
import { isHostFacts, objectsFolder } from './assign.ts';
import type { Finding, InputObject, RenderConfig } from './plan-types.ts';
import type { HostFacts } from './settings.ts';

export type Facts = HostFactsConfig['spec'];

/** The HostFacts of a package, where it has one. Two, or one that is not legal, would be facts that nobody can rely on. */
export function readHostFacts(inputs: readonly InputObject[]): { readonly facts?: Facts; readonly findings: readonly Finding[] } {
  const found = inputs.filter(({ object, source }) => isHostFacts(object) && objectsFolder(source.path) === undefined);
  const [first, second] = found;
  if (first === undefined) return { findings: [] };
  if (second !== undefined) {
    const what = `The package has ${found.length} HostFacts objects (${found.map(({ source }) => source.path).join(', ')}).`;
    return { findings: [finding('PlatformContradiction', { what, fix: 'Keep one.' }, second.source)] };
  }
  const { value, problems } = checkConfigOf(first.object, 'HostFacts');
  const findings = problems.map(({ pointer, message, remedy }) =>
    finding('InputInvalid', { problem: `HostFacts: ${message}`, fix: remedy }, first.source, { pointer }),
  );
  return value === undefined ? { findings } : { facts: value.spec, findings };
}

/** What is known of the host. The function's config wins over the facts, since a person wrote it for this render. */
export function resolveHost(config: RenderConfig['host'], facts: Facts = {}): HostFacts {
  const minor = /^v?1\.(\d+)/.exec(config.version ?? facts.version ?? '')?.[1];
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
    ...(minor !== undefined && { minor: Number(minor) }),
    ...(networkPolicies !== undefined && { networkPolicies }),
    ...(defaultStorageClass !== undefined && { defaultStorageClass }),
    ...(defaultPriorityClass !== undefined && { defaultPriorityClass }),
    ...known({ runtimeClasses, storageClasses, ingressClasses, priorityClasses, apiVersions }),
  };
}

const DEFAULT_DOMAIN = 'cluster.local';

/** Accounts of the appliers as their own install manifests name them. The reconciler is always trusted. */
const TRUSTED_WRITERS: readonly string[] = [
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
