import type { Step } from '../translation.ts';
import { ephemeralContainersStep, ephemeralVolumesStep } from './claim-template.ts';
import { referencesStep } from './references.ts';
import { resourcesStep } from './resources.ts';
import { nodeSelectorStep, priorityStep, runtimeClassStep, tolerationsStep } from './scheduling.ts';
import { securityStep } from './security.ts';

/** What is done to every pod spec, in order. Metadata of pods and templates is the common steps' work, and comes before. */
export const podSteps: readonly Step[] = [
  ephemeralContainersStep,
  referencesStep,
  ephemeralVolumesStep,
  runtimeClassStep,
  securityStep,
  resourcesStep,
  tolerationsStep,
  nodeSelectorStep,
  priorityStep,
];
