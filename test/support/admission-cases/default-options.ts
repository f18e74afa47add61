import type { AdmissionOptions } from '../../../src/core/isolation/admission/policy-object.ts';
import { admissionOptions } from '../../../src/core/isolation/platform.ts';
import { resolveHost } from '../../../src/core/plan/host-facts.ts';

/** What a render compiles with where neither its config nor HostFacts say anything. */
export const DEFAULT_ADMISSION: AdmissionOptions = admissionOptions(resolveHost({}));
