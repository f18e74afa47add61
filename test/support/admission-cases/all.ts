import { BENIGN_CASES } from './benign.ts';
import type { AdmissionCase } from './case.ts';
import { MESSAGE_CASES } from './messages.ts';
import { METADATA_CASES } from './metadata.ts';
import { NODE_POOL_CASES } from './node-pools.ts';
import { PLATFORM_CASES } from './platform.ts';
import { POD_CASES } from './pods.ts';
import { SCHEDULING_CASES } from './scheduling.ts';
import { SERVICE_CASES } from './services.ts';
import { STORAGE_CASES } from './storage.ts';
import { ORDINARY_TEMPLATES, TEMPLATE_CASES } from './templates.ts';
import { VARIATIONS } from './variations.ts';
import { VOLUME_CASES } from './volumes.ts';

export const HOSTILE_CASES: readonly AdmissionCase[] = [
  ...POD_CASES,
  ...VOLUME_CASES,
  ...SCHEDULING_CASES,
  ...NODE_POOL_CASES,
  ...SERVICE_CASES,
  ...STORAGE_CASES,
  ...METADATA_CASES,
  ...TEMPLATE_CASES,
  ...PLATFORM_CASES,
];

export const ADMISSION_CASES: readonly AdmissionCase[] = [
  ...HOSTILE_CASES,
  ...BENIGN_CASES,
  ...ORDINARY_TEMPLATES,
  ...VARIATIONS,
  ...MESSAGE_CASES,
];
