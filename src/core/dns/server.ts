import { KEY } from '../identity/metadata.ts';
import { type CompiledObject, OWN_PREFIX, ownMetadata, tenantCause } from '../isolation/compiled-object.ts';
import { effectiveLimits } from '../isolation/limit-problems.ts';
import { WORKLOAD_ACCOUNT } from '../isolation/namespaces.ts';
import { policy } from '../isolation/network-policies.ts';
import { dnsRules } from '../isolation/peers.ts';
import type { JsonObject } from '../kube/json.ts';
import { type Amount, formatQuantity, parseQuantity } from '../kube/quantity.ts';
import type { ContainerLimits } from '../plan/settings.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { ProjectedService } from './aliases.ts';
import { corefile, DNS_PORT, HEALTH_PORT, LIVE_FOLDER, READY_PORT } from './corefile.ts';

/** Its name, and that of its Service and ConfigMap. */
export const DNS_SERVER = 'tenantplane-dns' as const;
/** A second ConfigMap, of rules for live names; the reconciler writes it, a render never does. */
const LIVE_CONFIG = `${DNS_SERVER}-live`;
const IMAGE = 'coredns/coredns:1.14.7';

/**
 * The DNS server of a tenant in mode server, with its Service at `dnsServiceIP` and the policies that belong to it; nothing in
 * mode aliases. It runs among the tenant's pods, so it satisfies restricted Pod Security and the namespace's LimitRange itself.
 */
export function compileDnsServer(ctx: TenantContext, services: readonly ProjectedService[]): readonly CompiledObject[] {
  const address = ctx.tenant.dnsServiceIP;
  if (ctx.tenant.dns !== 'server' || address === undefined) return [];
  const why = { control: 'dnsServer', cause: tenantCause(ctx, 'networking.dns') };
  const compiled = (object: JsonObject): CompiledObject => ({ object, ...why, tree: 'tenant', notes: [] });
  const metadata = ownMetadata(ctx, DNS_SERVER, ctx.tenant.namespace, 'dns');
  const pods: JsonObject = { matchLabels: podLabels(ctx) };
  const ports = [
    { protocol: 'UDP', port: DNS_PORT },
    { protocol: 'TCP', port: DNS_PORT },
  ];
  return [
    compiled({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Corefile: corefile(ctx, services) } }),
    compiled({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...metadata }, spec: deployment(ctx) }),
    compiled({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata },
      spec: {
        type: 'ClusterIP',
        clusterIP: address,
        selector: podLabels(ctx),
        ports: ports.map(({ protocol }) => ({ name: protocol === 'UDP' ? 'dns' : 'dns-tcp', protocol, port: 53, targetPort: DNS_PORT })),
      },
    }),
    policy(ctx, 'allow-dns', {}, ['Egress'], { egress: [{ to: [{ podSelector: pods }], ports }] }, why),
    policy(
      ctx,
      DNS_SERVER.slice(OWN_PREFIX.length),
      pods,
      ['Ingress', 'Egress'],
      { ingress: [{ from: [{ podSelector: {} }], ports }], egress: dnsRules(ctx) },
      why,
    ),
  ];
}

/** A tenant's pod cannot carry the role: it is a reserved label. */
function podLabels(ctx: TenantContext): JsonObject {
  return { [KEY.tenant]: ctx.tenantLabel, [KEY.role]: 'dns' };
}

function deployment(ctx: TenantContext): JsonObject {
  const { nodePool } = ctx.tenant;
  return {
    // Two, on different nodes where there are: without an answer every call of the tenant fails.
    replicas: 2,
    selector: { matchLabels: podLabels(ctx) },
    template: {
      metadata: { labels: podLabels(ctx) },
      spec: {
        serviceAccountName: WORKLOAD_ACCOUNT,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        // The host's DNS, which it forwards to.
        dnsPolicy: 'ClusterFirst',
        ...(ctx.profile.runtimeClassName !== undefined && { runtimeClassName: ctx.profile.runtimeClassName }),
        ...(ctx.tenant.mode === 'dedicated' &&
          nodePool !== undefined && {
            nodeSelector: { ...nodePool.nodeSelector },
            tolerations: structuredClone([...nodePool.tolerations]),
          }),
        securityContext: { runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, seccompProfile: { type: 'RuntimeDefault' } },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: podLabels(ctx) },
          },
        ],
        containers: [container(ctx)],
        volumes: [
          { name: 'config', configMap: { name: DNS_SERVER } },
          { name: 'live', configMap: { name: LIVE_CONFIG, optional: true } },
        ],
      },
    },
  };
}

function container(ctx: TenantContext): JsonObject {
  return {
    name: 'coredns',
    image: IMAGE,
    args: ['-conf', '/etc/coredns/Corefile'],
    ports: [
      { name: 'dns', containerPort: DNS_PORT, protocol: 'UDP' },
      { name: 'dns-tcp', containerPort: DNS_PORT, protocol: 'TCP' },
    ],
    livenessProbe: { httpGet: { path: '/health', port: HEALTH_PORT }, initialDelaySeconds: 10, failureThreshold: 5 },
    readinessProbe: { httpGet: { path: '/ready', port: READY_PORT } },
    resources: dnsResources(ctx.profile.limits),
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      // The image's binary has this file capability, and without it in the bounding set the kernel refuses to start it
      // (coredns/coredns#7435). Restricted Pod Security allows it; the port is an unprivileged one all the same.
      capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
    },
    volumeMounts: [
      // Whole folders: a file mounted by subPath would never change again.
      { name: 'config', mountPath: '/etc/coredns', readOnly: true },
      { name: 'live', mountPath: LIVE_FOLDER, readOnly: true },
    ],
  };
}

const WANTED = {
  requests: { cpu: '50m', memory: '64Mi', 'ephemeral-storage': '16Mi' },
  limits: { cpu: '200m', memory: '128Mi', 'ephemeral-storage': '64Mi' },
} as const;

/** What it asks for, moved inside the bounds and the ratio of the profile's LimitRange. */
export function dnsResources(limits: ContainerLimits): JsonObject {
  const requests: JsonObject = {};
  const bounds: JsonObject = {};
  const { min, max, maxLimitRequestRatio } = effectiveLimits(limits);
  for (const resource of ['cpu', 'memory', 'ephemeral-storage'] as const) {
    const inside = (text: string): Amount => between(parseQuantity(text) ?? 0n, parseQuantity(min[resource]), parseQuantity(max[resource]));
    const limit = inside(WANTED.limits[resource]);
    const ratio = parseQuantity(maxLimitRequestRatio[resource]);
    const least = ratio === undefined || ratio <= 0n ? 0n : (limit * ONE + ratio - 1n) / ratio;
    const request = inside(WANTED.requests[resource]);
    const form = resource === 'cpu' ? 'decimal' : 'binary';
    requests[resource] = formatQuantity(request > least ? request : least, form);
    bounds[resource] = formatQuantity(limit, form);
  }
  return { requests, limits: bounds };
}

const ONE: Amount = parseQuantity('1') ?? 1n;

function between(amount: Amount, min: Amount | undefined, max: Amount | undefined): Amount {
  if (min !== undefined && amount < min) return min;
  return max !== undefined && amount > max ? max : amount;
}
