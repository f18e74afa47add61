import { decide, rewriteIds } from '../decision/decide.ts';
import type { ReasonName } from '../decision/reasons.ts';
import { reasonOf } from '../decision/reasons.ts';
import type { CompiledAlias } from '../dns/aliases.ts';
import type { CompiledObject } from '../isolation/compiled-object.ts';
import { stampMetadata } from '../translate/common-steps.ts';
import { deliveryAnnotations } from './delivery.ts';
import { decisionAnnotations, hostRef, tenantRef } from './finish-tenant.ts';
import { fileName, tenantFolder } from './host-path.ts';
import { measure } from './measure.ts';
import type { HostFile } from './plan-types.ts';
import { PLATFORM_FOLDER } from './platform-files.ts';
import type { TenantContext } from './tenant-context.ts';

/** The host file of an object that we make: isolation, DNS, short names. Its cause is a field of the platform's configuration. */
export function compiledFile(
  compiled: CompiledObject,
  ctx: TenantContext,
  shards: number,
  reason: ReasonName = 'IsolationObjectCompiled',
): HostFile {
  const { object, cause, control } = compiled;
  const isolates = reason === 'IsolationObjectCompiled';
  stampMetadata(
    object,
    {},
    {
      ...deliveryAnnotations(object, { substitution: measure(object).substitution, tenant: ctx.tenant }),
      ...decisionAnnotations(false, {
        intent: isolates ? 'Isolate' : 'Serve',
        code: reasonOf(reason).code,
        cause,
        profile: ctx.profile.name,
        rewrites: rewriteIds([]),
      }),
    },
  );
  const file = fileName(object);
  const part = isolates ? 'isolation' : 'objects';
  const folder = compiled.tree === 'platform' ? PLATFORM_FOLDER : tenantFolder(ctx.tenant.namespace, file, shards, part);
  const path = `${folder}/${file}`;
  const host = hostRef(object, path);
  const decision = decide({
    tenant: tenantRef(ctx),
    host,
    flow: 'ToHost',
    action: 'Create',
    reason,
    params: { kind: host.kind, host: host.name, control, profile: ctx.profile.name, level: ctx.profile.level, tenant: ctx.tenant.name },
    causes: [cause],
    notes: compiled.notes,
  });
  return { path, object, decision };
}

/** The host file of a Service's short name. It is not in the tenant's input, so its subject is the host object. */
export function aliasFile({ subject, object, notes }: CompiledAlias, ctx: TenantContext, shards: number): HostFile {
  const cause = `TenantCluster/${ctx.tenant.name}#networking.dns`;
  stampMetadata(
    object,
    {},
    decisionAnnotations(false, {
      intent: 'Serve',
      code: reasonOf('ShortNameMade').code,
      cause,
      profile: ctx.profile.name,
      rewrites: ['rw.alias'],
      path: subject.source.path,
    }),
  );
  const file = fileName(object);
  const path = `${tenantFolder(ctx.tenant.namespace, file, shards)}/${file}`;
  const decision = decide({
    tenant: tenantRef(ctx),
    host: hostRef(object, path),
    flow: 'ToHost',
    action: 'Create',
    reason: 'ShortNameMade',
    params: { source: `${subject.virtualNamespace}/${subject.name}`, name: subject.name },
    causes: [cause],
    notes,
  });
  return { path, object, decision };
}
