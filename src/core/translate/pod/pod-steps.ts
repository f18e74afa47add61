import type { Step } from '../translation.ts';
import { affinityStep, topologySpreadStep } from './affinity.ts';
import { apiNameStep } from './api-name.ts';
import { ephemeralContainersStep, ephemeralVolumesStep } from './claim-template.ts';
import { dnsConfigStep } from './dns-config.ts';
import { dnsNamesStep } from './dns-names.ts';
import { downwardApiStep } from './downward-api.ts';
import { environmentStep } from './environment.ts';
import { hostVersionsStep } from './host-versions.ts';
import { hostnameStep } from './hostname.ts';
import { referencesStep } from './references.ts';
import { resourcesStep } from './resources.ts';
import { nodeSelectorStep, priorityStep, runtimeClassStep, tolerationsStep } from './scheduling.ts';
import { securityStep } from './security.ts';
import { pullSecretsStep, serviceAccountStep } from './service-account.ts';
import { serviceLinksStep } from './service-links.ts';
import { userNamespaceStep } from './user-namespace.ts';

/**
 * What is done to every pod spec, in order. Metadata of pods and templates is the common steps' work, and comes before. What looks at
 * dnsPolicy or env as the tenant wrote them stands before what changes them; environment is the last to change
 * anything, since it moves indexes.
 */
export const podSteps: readonly Step[] = [
  ephemeralContainersStep,
  hostVersionsStep,
  referencesStep,
  pullSecretsStep,
  ephemeralVolumesStep,
  dnsNamesStep,
  serviceLinksStep,
  serviceAccountStep,
  runtimeClassStep,
  securityStep,
  userNamespaceStep,
  resourcesStep,
  tolerationsStep,
  nodeSelectorStep,
  priorityStep,
  affinityStep,
  topologySpreadStep,
  hostnameStep,
  dnsConfigStep,
  downwardApiStep,
  environmentStep,
  apiNameStep,
];
