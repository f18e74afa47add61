import { TENANT_API_PORT } from '../controlplane/endpoint.ts';
import { formatCidr, parseCidr } from '../kube/cidr.ts';
import type { JsonObject } from '../kube/json.ts';
import { amountOf, formatQuantity } from '../kube/quantity.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import { type CompiledObject, OWN_PREFIX, ownMetadata, tenantCause } from './compiled-object.ts';
import { policy } from './network-policies.ts';
import { CONTROL_PLANE_POD, dnsRules, reconcilerPeer, tenantNamespace } from './peers.ts';

/** etcd's client and peer ports, between its members. */
const DATASTORE_PORTS = [2379, 2380] as const;

/**
 * The boundary of the control plane's namespace. A tenant's API server calls what its tenant tells it to (webhooks, API
 * services, proxies), so it may reach DNS and its own members and nothing else; servers on a database reach that
 * too, where the TenantCluster says where it is, and not each other.
 */
export function compileControlPlane(ctx: TenantContext): CompiledObject[] {
  const why = { control: 'controlPlane', cause: tenantCause(ctx, 'controlPlane'), namespace: ctx.tenant.controlPlaneNamespace };
  const { replicas, loadBalancer, datastore, egress } = ctx.tenant.controlPlane;
  const api = [{ protocol: 'TCP', port: TENANT_API_PORT }];
  const self: JsonObject = { podSelector: { matchLabels: { ...CONTROL_PLANE_POD } } };
  const database = (egress?.cidrs ?? []).flatMap(rangePeer);
  const members =
    datastore === 'etcd' && replicas > 1 ? [...api, ...DATASTORE_PORTS.map((port) => ({ protocol: 'TCP', port }))] : undefined;
  return [
    policy(ctx, 'cp-default-deny', {}, ['Ingress', 'Egress'], {}, why),
    policy(
      ctx,
      'cp',
      { matchLabels: { ...CONTROL_PLANE_POD } },
      ['Ingress', 'Egress'],
      {
        ingress: [
          { from: [{ namespaceSelector: tenantNamespace(ctx, 'workload') }, reconcilerPeer()], ports: api },
          ...(loadBalancer ? [{ from: [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }], ports: api }] : []),
          ...(members === undefined ? [] : [{ from: [self], ports: members }]),
        ],
        egress: [
          ...dnsRules(ctx),
          ...(members === undefined ? [] : [{ to: [self], ports: members }]),
          // without a peer a rule would admit every one
          ...(egress === undefined || database.length === 0 ? [] : [{ to: database, ports: [{ protocol: 'TCP', port: egress.port }] }]),
        ],
      },
      why,
    ),
    {
      object: {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: ownMetadata(ctx, `${OWN_PREFIX}cp-counts`, why.namespace, 'isolation'),
        spec: { hard: controlPlaneHard(replicas, loadBalancer) },
      },
      control: why.control,
      cause: why.cause,
      tree: 'tenant',
      notes: [],
    },
    ...(replicas > 1 ? [disruptionBudget(ctx, why)] : []),
  ];
}

/**
 * One member at a time while nodes are drained, and a broken one whenever. With a single member any budget would hold up a
 * drain for ever, so there is none (KEP-3017 for `unhealthyPodEvictionPolicy`).
 */
function disruptionBudget(
  ctx: TenantContext,
  why: { readonly control: string; readonly cause: string; readonly namespace: string },
): CompiledObject {
  return {
    object: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: ownMetadata(ctx, `${OWN_PREFIX}cp`, why.namespace, 'isolation'),
      spec: { maxUnavailable: 1, selector: { matchLabels: { ...CONTROL_PLANE_POD } }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    },
    control: why.control,
    cause: why.cause,
    tree: 'tenant',
    notes: [],
  };
}

/** One set with its pods, one more of each for a replacement; a load balancer's Service takes a node port as well. */
function controlPlaneHard(replicas: number, loadBalancer: boolean): JsonObject {
  const count = (units: number): string => formatQuantity(amountOf(units), 'decimal');
  return {
    pods: count(replicas + 1),
    'count/statefulsets.apps': count(1),
    persistentvolumeclaims: count(replicas + 1),
    'services.loadbalancers': count(loadBalancer ? 1 : 0),
    'services.nodeports': count(loadBalancer ? 1 : 0),
  };
}

/** Canonical, as the API server will ask for it (KEP-4858). What is no range was found by the schema, and opens nothing here. */
function rangePeer(text: string): JsonObject[] {
  const range = parseCidr(text);
  return range === undefined ? [] : [{ ipBlock: { cidr: formatCidr(range) } }];
}
