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

interface Control {
  /** where it stands: a field of the profile's or the TenantCluster's spec */
  readonly field: string;
  /** undefined where it is not declared, or declared off */
  value(ctx: TenantContext): string | undefined;
  /** the controls of compiled objects that enforce it */
  readonly objects?: readonly string[];
  /** whether checks and translation hold tenant objects to it as well */
  readonly render?: boolean;
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
  { field: 'controls.runtimeClassName', value: (ctx) => ctx.profile.runtimeClassName, render: true },
  // Pod Security forbids both at every level; the control makes the render say so by name.
  { field: 'controls.blockHostPathVolumes', value: (ctx) => on(ctx.profile.blockHostPath), objects: ['podSecurity'], render: true },
  { field: 'controls.blockPrivilegedContainers', value: (ctx) => on(ctx.profile.blockPrivileged), objects: ['podSecurity'], render: true },
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
  { field: 'networking.podCIDR', value: (ctx) => ctx.tenant.podCIDR, missing: () => HOST_NETWORK },
  { field: 'networking.serviceCIDR', value: (ctx) => ctx.tenant.serviceCIDR, missing: () => HOST_NETWORK },
  {
    field: 'networking.dnsServiceIP',
    value: (ctx) => ctx.tenant.dnsServiceIP,
    objects: ['dnsServer'],
    missing: (ctx) =>
      ctx.tenant.dns === 'server'
        ? undefined
        : { why: 'networking.dns is aliases, which runs no DNS server', fix: 'Set networking.dns: server.' },
  },
  {
    field: 'resources',
    value: ({ tenant: { resources } }) =>
      Object.entries(resources)
        .map(([name, text]) => `${name}=${text}`)
        .join(',') || undefined,
    objects: ['resources'],
  },
  { field: 'mode', value: (ctx) => (ctx.tenant.mode === 'dedicated' ? 'dedicated' : undefined), render: true },
];

/** What the tenant's profile and TenantCluster declare, and what enforces each: one row a declared control, in a fixed order. */
export function controlMatrix(ctx: TenantContext, compiled: readonly CompiledObject[]): readonly ControlRow[] {
  return CONTROLS.flatMap((control) => {
    const value = control.value(ctx);
    if (value === undefined) return [];
    const objects = compiled
      .filter((entry) => control.objects?.includes(entry.control) === true)
      .map(({ object }) => `${kindOf(object)}/${nameOf(object)}`);
    const missing = control.missing?.(ctx);
    const row = { field: control.field, value, enforcedBy: [...objects, ...(control.render === true ? ['render'] : [])] };
    return [missing === undefined ? row : { ...row, notEnforced: missing }];
  });
}
