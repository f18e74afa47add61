import { decide, rewriteIds } from '../decision/decide.ts';
import type { ReasonName } from '../decision/reasons.ts';
import { reasonOf } from '../decision/reasons.ts';
import type { CompiledObject } from '../isolation/compiled-object.ts';
import { kindOf } from '../kube/object.ts';
import { stampMetadata } from '../translate/common-steps.ts';
import { deliveryAnnotations } from './delivery.ts';
import { decisionAnnotations, hostRef, tenantRef } from './finish-tenant.ts';
import { fileName, tenantFolder } from './host-path.ts';
import { measure } from './measure.ts';
import type { HostFile } from './plan-types.ts';
import type { TenantContext } from './tenant-context.ts';

/** The host file of an object that we make: isolation, DNS, short names. Its cause is a field of the platform's configuration. */
export function compiledFile(
  compiled: CompiledObject,
  ctx: TenantContext,
  shards: number,
  reason: ReasonName = 'IsolationObjectCompiled',
): HostFile {
  const { object, cause, control } = compiled;
  const intent = reason === 'IsolationObjectCompiled' ? 'Isolate' : 'Serve';
  stampMetadata(
    object,
    {},
    {
      ...deliveryAnnotations(kindOf(object), { substitution: measure(object).substitution, tenant: ctx.tenant }),
      ...decisionAnnotations(false, { intent, code: reasonOf(reason).code, cause, profile: ctx.profile.name, rewrites: rewriteIds([]) }),
    },
  );
  const file = fileName(object);
  const folder = compiled.tree === 'platform' ? 'platform' : tenantFolder(ctx.tenant.namespace, file, shards);
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
