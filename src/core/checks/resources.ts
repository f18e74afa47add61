import { resourcesRequired } from '../isolation/quotas.ts';
import type { Refusal } from '../translate/edit.ts';
import { containerResources } from '../translate/pod/container-resources.ts';
import type { Check } from './check.ts';
import { containersOf, inContainer, podSpecOf } from './containers.ts';

/** What the LimitRange of the host would refuse. Otherwise only an event of a ReplicaSet would tell. */
export const resourcesCheck: Check = {
  id: 'isolation.resources',
  run(subject, ctx) {
    const spec = podSpecOf(subject);
    const base = subject.row.podSpec;
    if (spec === undefined || base === undefined) return undefined;
    if (!resourcesRequired(ctx)) return [];
    const refusals: Refusal[] = [];
    for (const container of containersOf(spec)) {
      if (container.list === 'ephemeralContainers') continue;
      for (const { resource, problem, min, max } of containerResources(container.spec, ctx.profile.limits).problems)
        refusals.push({
          reason: 'LimitRangeViolation',
          params: { container: container.name, problem, resource, min, max },
          path: inContainer(base, container, 'resources'),
        });
    }
    return refusals;
  },
};
