import { resourcesRequired } from '../isolation/quotas.ts';
import type { Refusal } from '../translate/edit.ts';
import { containerResources } from '../translate/pod/container-resources.ts';
import type { Check } from './check.ts';
import { containersOf, inContainer } from './containers.ts';
import { podSpecCheck } from './pod-spec.ts';

/** What the LimitRange of the host would refuse. Otherwise only an event of a ReplicaSet would tell. */
export const resourcesCheck: Check = podSpecCheck('isolation.resources', (spec, base, ctx) => {
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
});
