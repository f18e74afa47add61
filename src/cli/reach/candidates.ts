import { isAlias } from '../../core/dns/aliases.ts';
import { KEY } from '../../core/identity/metadata.ts';
import { annotationsOf, type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { Workload } from '../../core/reach/workloads.ts';
import { tenantId } from '../../report/tally.ts';
import type { Atlas } from './atlas.ts';

/** Something that can be an end: a workload, or a Service that stands for some. */
export interface Candidate {
  readonly tenant: string;
  readonly kind: string;
  readonly name: string;
  readonly virtualNamespace: string | undefined;
  readonly hostNamespace: string;
  readonly hostName: string;
  readonly is: { readonly workload: Workload } | { readonly service: KubeObject };
}

export function candidates({ world, tenants }: Atlas): Candidate[] {
  const workloads = world.workloads.map(
    (workload): Candidate => ({
      tenant: workload.tenant,
      kind: workload.kind,
      name: workload.name,
      virtualNamespace: workload.virtualNamespace,
      hostNamespace: workload.end.namespace,
      hostName: workload.hostName,
      is: { workload },
    }),
  );
  const services = tenants.flatMap((tenant) =>
    world.servicesIn(tenant.namespace).flatMap((service): Candidate[] => {
      // the same Service once more, under its short name
      if (isAlias(service)) return [];
      const own = annotationsOf(service);
      return [
        {
          tenant: tenantId(tenant),
          kind: 'Service',
          name: own.get(KEY.virtualName) ?? nameOf(service),
          virtualNamespace: own.get(KEY.virtualNamespace),
          hostNamespace: namespaceOf(service) ?? '',
          hostName: nameOf(service),
          is: { service },
        },
      ];
    }),
  );
  return [...workloads, ...services];
}

/** As it can be typed again. */
export function nameIn(
  { tenant, kind, name, virtualNamespace }: Pick<Candidate, 'tenant' | 'kind' | 'name' | 'virtualNamespace'>,
  atlas: Atlas,
): string {
  return `${atlas.label(tenant)}:${virtualNamespace === undefined ? '' : `${virtualNamespace}/`}${kind.toLowerCase()}/${name}`;
}
