import type { Check } from './check.ts';
import { dnsNamespaceCheck } from './dns-namespace.ts';
import { extendedResourcesCheck } from './extended-resources.ts';
import {
  hostNamespacesCheck,
  hostPortsCheck,
  hostUsersCheck,
  nodeChoiceCheck,
  nodeNameCheck,
  privilegedCheck,
  probeHostCheck,
  schedulerCheck,
} from './host-access.ts';
import { podSecurityCheck } from './pod-security.ts';
import { podShapeCheck } from './pod-shape.ts';
import { resourcesCheck } from './resources.ts';
import { hostPathCheck, volumesCheck } from './volumes.ts';

/** What is asked of every pod spec, in the order in which reasons weigh: the first refusal is the decision. */
export const podContentChecks: readonly Check[] = [
  podShapeCheck,
  hostPathCheck,
  privilegedCheck,
  hostNamespacesCheck,
  hostUsersCheck,
  hostPortsCheck,
  nodeNameCheck,
  nodeChoiceCheck,
  volumesCheck,
  probeHostCheck,
  schedulerCheck,
  extendedResourcesCheck,
  podSecurityCheck,
  resourcesCheck,
];

/** Where a pod may stand is asked last: it depends on which others are sound. */
export const podChecks: readonly Check[] = [...podContentChecks, dnsNamespaceCheck];
