import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { type Amount, formatQuantity, parseQuantity } from '../kube/quantity.ts';
import type { Level } from '../plan/settings.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { Note } from '../translate/edit.ts';
import { type CompiledObject, OWN_PREFIX, ownMetadata, profileCause, tenantCause } from './compiled-object.ts';
import { effectiveLimits } from './limit-problems.ts';
import { quotaUse } from './quota-use.ts';

/** What a tenant gets that states no `resources`: enough for `pods` pods of the LimitRange's default size. */
interface Size {
  readonly pods: number;
  readonly cpu: string;
  readonly memory: string;
  readonly ephemeral: string;
  readonly storage: string;
  readonly claims: number;
}
/** Sandboxed counts the virtual machine around each pod, whose overhead is charged too (KEP-688). */
const SIZES: Readonly<Record<Level, Size>> = {
  baseline: { pods: 300, cpu: '40', memory: '64Gi', ephemeral: '96Gi', storage: '1Ti', claims: 100 },
  restricted: { pods: 200, cpu: '20', memory: '32Gi', ephemeral: '64Gi', storage: '500Gi', claims: 50 },
  sandboxed: { pods: 200, cpu: '80', memory: '72Gi', ephemeral: '64Gi', storage: '500Gi', claims: 50 },
};

/**
 * Counts keep a tenant from filling the host's etcd; an ordinary application of 50 Services and 30 NetworkPolicies is far below
 * them. Services hold an alias for each and the tenant's DNS; ReplicaSets what a revisionHistoryLimit of 10 keeps of 60
 * Deployments, and two more each while they roll; Jobs the history of 50 CronJobs.
 */
const COUNTS: Readonly<Record<string, number>> = {
  'count/services': 120,
  'count/endpointslices.discovery.k8s.io': 400,
  'count/secrets': 200,
  'count/configmaps': 200,
  'count/deployments.apps': 60,
  'count/replicasets.apps': 60 * 12,
  'count/statefulsets.apps': 30,
  'count/replicationcontrollers': 20,
  'count/jobs.batch': 300,
  'count/cronjobs.batch': 50,
  'count/ingresses.networking.k8s.io': 50,
  'count/poddisruptionbudgets.policy': 60,
  'count/horizontalpodautoscalers.autoscaling': 60,
  'count/resourceclaims.resource.k8s.io': 0,
};
const DAEMON_SETS = 10;
const LOAD_BALANCERS = 5;
/** A LoadBalancer Service takes none: it is rendered without node ports where the profile does not allow them. */
const NODE_PORTS = 25;
const TENANT_POLICIES = 60;
/** Our own policies grow with the tenant's; in steps, so that the quota does not change with each. */
const POLICY_STEP = 50;

export type HardValues = Readonly<Record<string, string>>;

/** What a quota is worked out from. */
type Boundary = Pick<TenantContext, 'tenant' | 'profile'>;

/**
 * What the namespace's compute quota holds, with the profile's overrides. A quota on a resource makes the API server refuse pods
 * that do not state it, so only resources that the LimitRange supplies are in it.
 */
export function computeHard(ctx: Boundary): HardValues {
  const size = SIZES[ctx.profile.level];
  const hard: Record<string, string> = { 'requests.storage': size.storage, persistentvolumeclaims: String(size.claims) };
  const wanted = {
    cpu: ctx.tenant.resources.cpu ?? size.cpu,
    memory: ctx.tenant.resources.memory ?? size.memory,
    'ephemeral-storage': size.ephemeral,
  };
  const limits = effectiveLimits(ctx.profile.limits);
  if (resourcesRequired(ctx)) {
    for (const [resource, text] of Object.entries(wanted)) {
      const [request, limit, amount] = [
        parseQuantity(limits.defaultRequest[resource]),
        parseQuantity(limits.default[resource]),
        parseQuantity(text),
      ];
      if (request === undefined || limit === undefined || amount === undefined) continue;
      hard[`requests.${resource}`] = text;
      hard[`limits.${resource}`] = formatQuantity(amount * factor(request, limit), resource === 'cpu' ? 'decimal' : 'binary');
    }
  }
  return override(hard, ctx, (name) => !isCount(name));
}

/** As many times the requests as one defaulted container's limit is of its request, so that neither runs out first. */
function factor(request: Amount, limit: Amount): bigint {
  return request <= 0n ? 1n : (limit + request - 1n) / request;
}

/** Whether containers must state resources: the profile says so, or the tenant has a share that could not be counted else. */
export function resourcesRequired(ctx: Boundary): boolean {
  return ctx.profile.requireResourceRequests || ctx.tenant.resources.cpu !== undefined || ctx.tenant.resources.memory !== undefined;
}

/** @param ownPolicies NetworkPolicies that are compiled for the tenant's namespace */
export function countHard(ctx: Boundary, ownPolicies: number): HardValues {
  const { pods } = SIZES[ctx.profile.level];
  const types = ctx.profile.allow.serviceTypes;
  const numbers: Record<string, number> = {
    pods,
    // Unlike `pods`, this one counts what has finished, which Jobs leave behind.
    'count/pods': 2 * pods,
    ...COUNTS,
    'count/daemonsets.apps': ctx.profile.allow.daemonSets ? DAEMON_SETS : 0,
    'count/networkpolicies.networking.k8s.io': TENANT_POLICIES + Math.ceil(ownPolicies / POLICY_STEP) * POLICY_STEP,
    'services.loadbalancers': types.includes('LoadBalancer') ? LOAD_BALANCERS : 0,
    'services.nodeports': types.includes('NodePort') ? NODE_PORTS : 0,
  };
  const hard = Object.fromEntries(Object.entries(numbers).map(([name, units]) => [name, String(units)]));
  return override(hard, ctx, isCount);
}

function isCount(name: string): boolean {
  return name === 'pods' || name.startsWith('count/') || name.startsWith('services.');
}

function override(hard: Record<string, string>, ctx: Boundary, mine: (name: string) => boolean): HardValues {
  for (const [name, value] of Object.entries(ctx.profile.quota)) if (mine(name)) hard[name] = value;
  return Object.fromEntries(Object.entries(hard).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Four quotas, since a scope on one would stop it from holding counts.
 * @param hostObjects everything that will stand in the tenant's namespace: projected objects, aliases, DNS
 */
export function compileQuotas(ctx: TenantContext, hostObjects: readonly KubeObject[], ownPolicies: number): CompiledObject[] {
  const [compute, counts] = [computeHard(ctx), countHard(ctx, ownPolicies)];
  const use = quotaUse(hostObjects, ctx.profile.limits, ownPolicies);
  const notes = (hard: HardValues): Note[] => shortfalls(use, hard);
  return [
    quota(ctx, 'quota', { hard: { ...compute } }, 'resources', tenantCause(ctx, 'resources'), notes(compute)),
    quota(ctx, 'counts', { hard: { ...counts } }, 'quota', profileCause(ctx, 'quota'), notes(counts)),
    quota(ctx, 'no-cross-ns-affinity', scoped('CrossNamespacePodAffinity', 'Exists'), 'scheduling', profileCause(ctx, 'level')),
    quota(
      ctx,
      'no-high-priority',
      scoped('PriorityClass', 'In', ['system-cluster-critical', 'system-node-critical']),
      'priorityClasses',
      profileCause(ctx, 'level'),
    ),
  ];
}

function shortfalls(use: ReadonlyMap<string, Amount>, hard: HardValues): Note[] {
  return Object.entries(hard).flatMap(([resource, text]) => {
    const [sum, limit] = [use.get(resource), parseQuantity(text)];
    if (sum === undefined || limit === undefined || sum <= limit) return [];
    const form = /memory|storage$/.test(resource) ? 'binary' : 'decimal';
    return [{ reason: 'QuotaWouldBeExceeded', params: { resource, sum: formatQuantity(sum, form), hard: text } } satisfies Note];
  });
}

function scoped(scopeName: string, operator: string, values?: readonly string[]): JsonObject {
  return {
    hard: { pods: '0' },
    scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values !== undefined && { values: [...values] }) }] },
  };
}

function quota(
  ctx: TenantContext,
  name: string,
  spec: JsonObject,
  control: string,
  cause: string,
  notes: readonly Note[] = [],
): CompiledObject {
  return {
    object: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: ownMetadata(ctx, OWN_PREFIX + name, ctx.tenant.namespace, 'isolation'),
      spec,
    },
    control,
    cause,
    tree: 'tenant',
    notes,
  };
}

/** What of the profile and TenantCluster leaves no room for a single container of default size, in sentences. */
export function quotaProblems(ctx: Boundary): string[] {
  const hard = computeHard(ctx);
  const limits = effectiveLimits(ctx.profile.limits);
  const problems = Object.entries({ ...ctx.profile.quota, ...ctx.tenant.resources }).flatMap(([name, text]) => {
    const amount = parseQuantity(text);
    return amount === undefined || amount < 0n ? [`quota ${name} (${text}) is no quantity`] : [];
  });
  for (const [field, prefix] of [
    ['defaultRequest', 'requests'],
    ['default', 'limits'],
  ] as const) {
    for (const [resource, text] of Object.entries(limits[field])) {
      const [one, all] = [parseQuantity(text), parseQuantity(hard[`${prefix}.${resource}`])];
      if (one !== undefined && all !== undefined && one > all) {
        problems.push(
          `${field}.${resource} (${text}) is more than the whole quota ${prefix}.${resource} (${hard[`${prefix}.${resource}`]})`,
        );
      }
    }
  }
  return problems;
}
