import { TENANT_API_PORT } from '../controlplane/endpoint.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { Note } from '../translate/edit.ts';
import { type CompiledObject, OWN_PREFIX, ownMetadata, profileCause, tenantCause } from './compiled-object.ts';
import { type AllowedPods, type PolicyDirection, podsWithoutPolicy, termName } from './covered-pods.ts';
import { type GatewayAllowance, gatewayAccess } from './gateway-allowances.ts';
import { controlPlanePeer, dnsRules, hostNamespace, internetPeers, tenantNamespace } from './peers.ts';

/**
 * The NetworkPolicies of the workload namespace. Egress is closed at every level, or `egressPolicy` would mean nothing; ingress
 * where the profile denies by default. Exempt is nothing: what is allowed is allowed by name.
 *
 * @param standing what gateways may call, where that stays as it is and only which gateways there are is the profile's to say
 */
export function compileNetworkPolicies(
  ctx: TenantContext,
  hostObjects: readonly KubeObject[],
  standing?: readonly GatewayAllowance[],
): CompiledObject[] {
  const closed: readonly PolicyDirection[] = ctx.profile.defaultDeny ? ['Ingress', 'Egress'] : ['Egress'];
  const deny = ctx.profile.defaultDeny
    ? { control: 'defaultDenyNetworkPolicy', cause: profileCause(ctx, 'defaultDenyNetworkPolicy') }
    : { control: 'egressPolicy', cause: tenantCause(ctx, 'networking.egressPolicy') };
  const wanted = ALLOWANCES.flatMap((allowance) => {
    const rules = allowance.rules(ctx);
    // An allowance in a direction that is open would close it for everything else.
    const directions = closed.filter((direction) => rules?.[FIELD[direction]] !== undefined);
    return rules === undefined || directions.length === 0 ? [] : [{ allowance, rules, directions }];
  });
  const gateways = ctx.profile.defaultDeny && ctx.profile.allow.gatewayNamespaces.length > 0;
  const needed = closed.filter(
    (direction) => (gateways && direction === 'Ingress') || wanted.some(({ directions }) => directions.includes(direction)),
  );
  const pods = new Map(needed.map((direction) => [direction, podsWithoutPolicy(hostObjects, direction)]));
  const ingressPods = pods.get('Ingress') ?? NO_PODS;
  const notes = [
    ...(ctx.host.networkPolicies === undefined ? [ENFORCEMENT_UNKNOWN] : []),
    ...[...pods.values()].flatMap((allowed) => allowed.notes),
  ];
  return [
    policy(ctx, 'default-deny', {}, closed, {}, { ...deny, notes }),
    ...(ctx.tenant.dns === 'server'
      ? []
      : [policy(ctx, 'allow-dns', {}, ['Egress'], { egress: dnsRules(ctx) }, { ...deny, control: 'dns' })]),
    policy(
      ctx,
      'allow-tenant-api',
      {},
      ['Egress'],
      { egress: [{ to: [controlPlanePeer(ctx)], ports: [{ protocol: 'TCP', port: TENANT_API_PORT }] }] },
      { ...deny, control: 'tenantApi' },
    ),
    ...wanted.flatMap((each) => compileAllowance(ctx, each, pods)),
    ...(gateways ? compileGateways(ctx, standing ?? gatewayAccess(ctx, hostObjects, ingressPods).allowances) : []),
  ];
}

interface Rules {
  readonly ingress?: readonly JsonObject[];
  readonly egress?: readonly JsonObject[];
}

/** What pods may do unless a policy of the tenant's own selects them: one row an allowance. */
interface Allowance {
  readonly name: string;
  readonly control: string;
  cause(ctx: TenantContext): string;
  /** undefined where the profile or TenantCluster does not ask for it */
  rules(ctx: TenantContext): Rules | undefined;
}

const ALLOWANCES: readonly Allowance[] = [
  {
    name: 'allow-same-tenant',
    control: 'egressPolicy',
    cause: (ctx) => tenantCause(ctx, 'networking.egressPolicy'),
    rules(ctx) {
      if (ctx.tenant.egressPolicy === 'deny-by-default') return undefined;
      const peers: JsonObject[] = [{ namespaceSelector: tenantNamespace(ctx, 'workload') }];
      return { ingress: [{ from: peers }], egress: [{ to: peers }] };
    },
  },
  {
    name: 'allow-egress-internet',
    control: 'egressPolicy',
    cause: (ctx) => tenantCause(ctx, 'networking.egressPolicy'),
    rules(ctx) {
      // At sandboxed, unrestricted is refused before (EgressTooOpen); it is not rendered here either.
      if (ctx.tenant.egressPolicy !== 'unrestricted' || ctx.profile.level === 'sandboxed') return undefined;
      const peers = internetPeers(ctx.profile.network.hostCIDRs);
      return peers.length === 0 ? undefined : { egress: [{ to: peers }] };
    },
  },
];

/** One object for all pods; where the tenant has policies of its own, one for each term of the pods that are left. */
function compileAllowance(
  ctx: TenantContext,
  { allowance, rules, directions }: { allowance: Allowance; rules: Rules; directions: readonly PolicyDirection[] },
  pods: ReadonlyMap<PolicyDirection, AllowedPods>,
): CompiledObject[] {
  const why = { control: allowance.control, cause: allowance.cause(ctx) };
  if (directions.every((direction) => pods.get(direction)?.all === true)) {
    return [policy(ctx, allowance.name, {}, directions, rules, why)];
  }
  return directions.flatMap((direction) =>
    (pods.get(direction)?.selectors ?? []).map((selector) =>
      policy(ctx, termName(allowance.name, direction, selector), selector, [direction], rules, why),
    ),
  );
}

/** One object for each set of pods behind the tenant's Ingresses. */
function compileGateways(ctx: TenantContext, allowances: readonly GatewayAllowance[]): CompiledObject[] {
  const why = { control: 'gatewayNamespaces', cause: profileCause(ctx, 'allow.gatewayNamespaces') };
  const from = [...ctx.profile.allow.gatewayNamespaces].sort().map((namespace) => ({ namespaceSelector: hostNamespace(namespace) }));
  return allowances.map(({ selector, ports }) =>
    policy(ctx, termName(FROM_GATEWAY, 'Ingress', selector), selector, ['Ingress'], { ingress: [{ from, ports: [...ports] }] }, why),
  );
}

/** What the name of a gateway's allowance begins with, after our prefix. */
export const FROM_GATEWAY = 'allow-ingress-from-gateway' as const;
const NO_PODS: AllowedPods = { all: false, selectors: [], notes: [] };

const FIELD = { Ingress: 'ingress', Egress: 'egress' } as const satisfies Record<PolicyDirection, keyof Rules>;

/** A NetworkPolicy of ours: `policyTypes` always said, rules of those directions only. */
export function policy(
  ctx: TenantContext,
  name: string,
  podSelector: JsonObject,
  directions: readonly PolicyDirection[],
  rules: Rules,
  why: { readonly control: string; readonly cause: string; readonly notes?: readonly Note[]; readonly namespace?: string },
): CompiledObject {
  const spec: JsonObject = { podSelector, policyTypes: [...directions] };
  for (const direction of directions) {
    const list = rules[FIELD[direction]];
    if (list !== undefined) spec[FIELD[direction]] = structuredClone([...list]);
  }
  return {
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: ownMetadata(ctx, OWN_PREFIX + name, why.namespace ?? ctx.tenant.namespace, 'isolation'),
      spec,
    },
    control: why.control,
    cause: why.cause,
    tree: 'tenant',
    notes: why.notes ?? [],
  };
}

/** A render sees no cluster, so it cannot know whether anything acts on NetworkPolicies. */
const ENFORCEMENT_UNKNOWN: Note = {
  reason: 'HostFieldUnknown',
  params: { what: 'Whether NetworkPolicies take effect', fact: 'the network plugin (networkPolicies)' },
};
