import { kindOf, nameOf } from '../kube/object.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { CompiledObject } from './compiled-object.ts';

/** Why nothing enforces a declared control, or not all of it, and what to do. */
export interface NotEnforced {
  readonly why: string;
  readonly fix: string;
}

/** One declared control: what enforces it, or why nothing does. */
export interface ControlRow {
  /** a field of the profile's or the TenantCluster's spec */
  readonly field: string;
  readonly value: string;
  /** `Kind/name` of host objects, and `render` where the render itself refuses or stamps */
  readonly enforcedBy: readonly string[];
  readonly notEnforced?: NotEnforced;
}

/** What declares controls. */
export type Declaring = Pick<TenantContext, 'tenant' | 'profile' | 'host'>;

interface Control {
  /** where it stands: a field of the profile's or the TenantCluster's spec */
  readonly field: string;
  /** undefined where it is not declared, or declared off */
  value(ctx: Declaring): string | undefined;
  /** the controls of compiled objects that enforce it */
  readonly objects?: readonly string[];
  /** whether checks and translation hold tenant objects to it as well */
  readonly render?: boolean;
  /** whether admission policies alone enforce it, which a host before 1.30 does not have */
  readonly backstop?: boolean;
  /** why nothing enforces it and what to do, where that is so */
  missing?(ctx: TenantContext): NotEnforced | undefined;
}

const on = (flag: boolean): string | undefined => (flag ? 'true' : undefined);
function policiesIgnored({ host }: TenantContext): NotEnforced | undefined {
  if (host.networkPolicies !== 'ignored') return undefined;
  return {
    why: 'the network plugin of the host ignores NetworkPolicies, by its HostFacts',
    fix: 'Use a network plugin that enforces them.',
  };
}

const HOST_NETWORK = { why: 'pods in shared and dedicated mode have addresses of the host’s network', fix: 'Leave it out.' } as const;

const listed = (names: readonly string[]): string => names.join(' ') || 'none';

/** What is closed unless the profile opens it by name, and what is closed for every tenant. */
const CLOSED: readonly Control[] = [
  { field: 'allow.daemonSets', value: ({ profile }) => String(profile.allow.daemonSets), objects: ['daemonSets'], render: true },
  {
    field: 'allow.selectorlessServices',
    value: ({ profile }) => String(profile.allow.selectorlessServices),
    objects: ['selectorlessServices'],
    render: true,
  },
  { field: 'allow.endpoints', value: ({ profile }) => String(profile.allow.endpoints), objects: ['endpoints'], render: true },
  {
    field: 'allow.serviceTypes',
    value: ({ profile }) => listed(profile.allow.serviceTypes),
    objects: ['serviceTypes', 'quota'],
    render: true,
  },
  { field: 'allow.externalNames', value: ({ profile }) => listed(profile.allow.externalNames), objects: ['externalNames'], render: true },
  {
    field: 'allow.loadBalancerClasses',
    value: ({ profile }) => listed(profile.allow.loadBalancerClasses),
    objects: ['loadBalancerClasses'],
    render: true,
  },
  { field: 'allow.ingressClasses', value: ({ profile }) => listed(profile.allow.ingressClasses), render: true },
  {
    field: 'allow.storageClasses',
    value: ({ profile }) => listed(profile.allow.storageClasses),
    objects: ['storageClasses'],
    render: true,
  },
  { field: 'allow.csiDrivers', value: ({ profile }) => listed(profile.allow.csiDrivers), objects: ['csiDrivers'], render: true },
  {
    field: 'allow.extendedResources',
    value: ({ profile }) => listed(profile.allow.extendedResources),
    objects: ['extendedResources'],
    render: true,
  },
  { field: 'allow.imageVolumes', value: ({ profile }) => String(profile.allow.imageVolumes), objects: ['imageVolumes'], render: true },
  {
    field: 'allow.tolerations',
    value: ({ profile }) => listed(profile.allow.tolerations.map(({ key }) => key)),
    objects: ['tolerations'],
    render: true,
  },
  {
    field: 'allow.priorityClasses',
    value: ({ profile }) => listed(profile.allow.priorityClasses),
    objects: ['priorityClasses'],
    render: true,
  },
  { field: 'always.serviceAccount', value: () => 'tenantplane-workload, no token', objects: ['serviceAccount'], render: true },
  {
    field: 'always.scheduling',
    value: () => 'no node by name, scheduler or device claim of the tenant’s choice',
    objects: ['scheduling'],
    render: true,
  },
  { field: 'always.services', value: () => 'no external IPs', objects: ['services'], render: true },
  { field: 'always.secretTypes', value: () => 'no credential of the host', objects: ['secretTypes'], render: true },
  {
    field: 'always.reservedMetadata',
    value: () => 'labels and annotations of ours and of the host’s tools',
    objects: ['reservedMetadata'],
    render: true,
  },
  { field: 'always.disruptionBudgets', value: () => 'none that lets no pod go', objects: ['disruptionBudgets'], render: true },
  { field: 'always.ownObjects', value: () => 'tenantplane-… written by trusted writers', objects: ['ownObjects'], backstop: true },
  { field: 'always.namespaces', value: () => 'labelled and deleted by trusted writers', objects: ['namespaceLabels'], backstop: true },
  { field: 'always.reconcilerAccess', value: () => 'its own objects of a control plane, by name', objects: ['reconcilerAccess'] },
  { field: 'always.controlPlane', value: () => 'entered by trusted writers', objects: ['controlPlane'] },
];

/** Every control that a profile or TenantCluster can declare. A new control is a row here and objects that carry its name. */
const CONTROLS: readonly Control[] = [
  { field: 'controls.podSecurity', value: (ctx) => ctx.profile.podSecurity, objects: ['podSecurity'], render: true },
  {
    field: 'controls.defaultDenyNetworkPolicy',
    value: (ctx) => on(ctx.profile.defaultDeny),
    objects: ['defaultDenyNetworkPolicy'],
    missing: policiesIgnored,
  },
  {
    field: 'controls.requireResourceRequests',
    value: (ctx) => on(ctx.profile.requireResourceRequests),
    objects: ['requireResourceRequests'],
    render: true,
  },
  { field: 'controls.runtimeClassName', value: (ctx) => ctx.profile.runtimeClassName, objects: ['runtimeClassName'], render: true },
  // Pod Security forbids both at every level; the control makes the render say so by name.
  {
    field: 'controls.blockHostPathVolumes',
    value: (ctx) => on(ctx.profile.blockHostPath),
    objects: ['podSecurity', 'blockHostPathVolumes'],
    render: true,
  },
  {
    field: 'controls.blockPrivilegedContainers',
    value: (ctx) => on(ctx.profile.blockPrivileged),
    objects: ['podSecurity', 'blockPrivilegedContainers'],
    render: true,
  },
  {
    field: 'controls.userNamespaces',
    value: ({ profile }) => (profile.userNamespaces === 'off' ? undefined : profile.userNamespaces),
    objects: ['userNamespaces'],
    render: true,
    missing: ({ host: { minor } }) =>
      minor !== undefined && minor < 33
        ? { why: 'user namespaces are off by default before Kubernetes 1.33 (KEP-127)', fix: 'Use a host of Kubernetes 1.33 or later.' }
        : undefined,
  },
  { field: 'controls.apiFairness', value: (ctx) => ctx.profile.apiFairness, objects: ['apiFairness'] },
  {
    field: 'networking.egressPolicy',
    value: (ctx) => ctx.tenant.egressPolicy,
    objects: ['egressPolicy', 'defaultDenyNetworkPolicy'],
    missing: (ctx) =>
      policiesIgnored(ctx) ??
      (ctx.tenant.egressPolicy === 'unrestricted' && ctx.profile.network.hostCIDRs.length === 0
        ? {
            why: 'ranges of the host outside the private ones are not known, so internet egress may reach them',
            fix: 'List pod, Service and node ranges under network.hostCIDRs of the profile.',
          }
        : undefined),
  },
  {
    field: 'controlPlane.datastore.egress',
    value: ({ tenant: { controlPlane } }) =>
      controlPlane.egress?.cidrs.map((cidr) => `${cidr}:${controlPlane.egress?.port}`).join(' ') || undefined,
    objects: ['controlPlane'],
    missing: policiesIgnored,
  },
  { field: 'networking.podCIDR', value: (ctx) => ctx.tenant.podCIDR, missing: () => HOST_NETWORK },
  { field: 'networking.serviceCIDR', value: (ctx) => ctx.tenant.serviceCIDR, missing: () => HOST_NETWORK },
  {
    field: 'networking.dnsServiceIP',
    value: (ctx) => ctx.tenant.dnsServiceIP,
    objects: ['dnsServer'],
    missing: (ctx) =>
      ctx.tenant.dns === 'server'
        ? undefined
        : {
            why: 'networking.dns is aliases, which runs no DNS server',
            fix: 'Set networking.dns: server and a free networking.dnsServiceIP.',
          },
  },
  {
    field: 'resources',
    value: ({ tenant: { resources } }) =>
      Object.entries(resources)
        .map(([name, text]) => `${name}=${text}`)
        .join(',') || undefined,
    objects: ['resources'],
  },
  { field: 'mode', value: (ctx) => (ctx.tenant.mode === 'dedicated' ? 'dedicated' : undefined), objects: ['nodePool'], render: true },
];

/** What only admission policies enforce, on a host that serves none. */
const NO_BACKSTOP: NotEnforced = {
  why: 'the host serves no ValidatingAdmissionPolicy v1',
  fix: 'Use a host of Kubernetes 1.30 or later.',
};

/** A binding enforces what its policy says, which is named already. */
function enforces({ object, control, alsoEnforces = [] }: CompiledObject): readonly string[] {
  return kindOf(object) === 'ValidatingAdmissionPolicyBinding' ? [] : [control, ...alsoEnforces];
}

/** What the tenant's profile and TenantCluster declare, and what enforces each: one row a declared control, in a fixed order. */
export function controlMatrix(ctx: TenantContext, compiled: readonly CompiledObject[]): readonly ControlRow[] {
  return [...CONTROLS, ...CLOSED].flatMap((control) => {
    const value = control.value(ctx);
    if (value === undefined) return [];
    const objects = compiled
      .filter((entry) => enforces(entry).some((name) => control.objects?.includes(name) === true))
      .map(({ object }) => `${kindOf(object)}/${nameOf(object)}`);
    const enforcedBy = [...objects, ...(control.render === true ? ['render'] : [])];
    const missing = control.missing?.(ctx) ?? (enforcedBy.length === 0 && control.backstop === true ? NO_BACKSTOP : undefined);
    const row = { field: control.field, value, enforcedBy };
    return [missing === undefined ? row : { ...row, notEnforced: missing }];
  });
}

/** What is declared, as text by field, whatever enforces it. */
export function declaredControls(ctx: Declaring): ReadonlyMap<string, string> {
  return new Map(
    [...CONTROLS, ...CLOSED].flatMap((control) => {
      const value = control.value(ctx);
      return value === undefined ? [] : [[control.field, value] as const];
    }),
  );
}

/** The fields of all controls that can be declared: whoever judges them has a row for each. */
export const CONTROL_FIELDS: readonly string[] = [...CONTROLS, ...CLOSED].map(({ field }) => field);
