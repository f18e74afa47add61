import { at, stringAt } from '../kube/json.ts';
import type { Subject, TenantContext } from '../plan/tenant-context.ts';

/** Kinds whose pods have names by number in the DNS: `<name>-<n>.<service>`. */
const NUMBERED_KINDS = ['StatefulSet.apps', 'Job.batch'] as const;

/**
 * The Service under which the pods of a StatefulSet or an Indexed Job have names of their own; undefined where they have none. The Job
 * controller writes the host name of each pod (KEP-2214), the subdomain is the template's.
 */
export function numberedPodsService({ key, object }: Subject): string | undefined {
  if (key === 'StatefulSet.apps') return stringAt(object, 'spec', 'serviceName') || undefined;
  if (key !== 'Job.batch' || at(object, 'spec', 'completionMode') !== 'Indexed') return undefined;
  return stringAt(object, 'spec', 'template', 'spec', 'subdomain') || undefined;
}

/** All of the tenant's that have such pods, with their Service. */
export function numberedWorkloads(ctx: TenantContext): { readonly subject: Subject; readonly service: string }[] {
  return NUMBERED_KINDS.flatMap((kind) => ctx.all(kind)).flatMap((subject) => {
    const service = numberedPodsService(subject);
    return service === undefined ? [] : [{ subject, service }];
  });
}
