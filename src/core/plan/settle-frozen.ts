import { type Beside, boundaryMoved, boundaryWaits, restWaits } from './boundary-waits.ts';
import { frozenBoundary, withBoundary } from './frozen-boundary.ts';
import type { OldTree } from './old-tree.ts';
import type { HostFile, RenderConfig } from './plan-types.ts';
import type { TenantSettings } from './settings.ts';
import { type SettledTenant, settleBoundary } from './settle.ts';
import type { TenantContext } from './tenant-context.ts';

interface Frozen {
  readonly ctx: TenantContext;
  readonly settings: TenantSettings;
  /** what is planned around the tenant by its input */
  readonly boundary: readonly HostFile[];
  /** whether the platform's input, and not the tenant's, is what freezes it */
  readonly byPlatform: boolean;
  readonly config: RenderConfig;
  /** all that stands, where `old` is what this render answers for */
  readonly known: OldTree;
}

/**
 * Settles what a frozen tenant gets all the same. A tenant that breaks its own input must not keep an old boundary by it, so the
 * platform's word on that is written; where the platform's own word is at fault, everything stays.
 */
export function settleFrozen(settled: SettledTenant, frozen: Frozen, beside: Beside): SettledTenant {
  const { ctx, settings, boundary, byPlatform, config, known } = frozen;
  const { tenant } = settled;
  // a tenant of another name, or in another namespace, is another one to its boundary as well
  const renamed = settled.findings.some(({ reason }) => reason === 'RenameLosesData' || reason === 'TenantMoved');
  if ((boundary.length === 0 && config.scope !== 'sync') || renamed) return settled;
  const files = byPlatform ? undefined : frozenBoundary({ ctx, known, planned: tenant.decisions }, config);
  if (files === undefined) return { ...settled, findings: [...settled.findings, ...boundaryWaits(tenant, boundary, beside)] };
  const done = settleBoundary(withBoundary(tenant, boundary, files), settings, beside.old, beside.printer);
  return {
    ...done,
    findings: [
      ...settled.findings,
      ...boundaryMoved(done.tenant, done.removed, beside),
      ...restWaits(done.tenant, boundary, done.removed, ctx, beside),
    ],
  };
}
