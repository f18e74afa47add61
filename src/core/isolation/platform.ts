import type { HostFacts, ProfileSettings } from '../plan/settings.ts';
import { compileAdmission, compileSharedAdmission } from './admission/compile.ts';
import type { AdmissionOptions, PolicyObject } from './admission/policy-object.ts';
import type { CompiledObject } from './compiled-object.ts';
import { compilePriorityLevel } from './flow-control.ts';
import { RECONCILER } from './reconciler.ts';

/** A profile with what it needs once on the host, however many tenants use it. */
export interface CompiledProfile {
  readonly profile: ProfileSettings;
  readonly objects: readonly CompiledObject[];
}

export function compileProfile(profile: ProfileSettings, host: HostFacts): CompiledProfile {
  const policies = compileAdmission(profile, admissionOptions(host));
  return {
    profile,
    objects: [
      ...policies.map((policy) => compiled(policy, `IsolationProfile/${profile.name}#level`)),
      ...compilePriorityLevel(profile, host),
    ],
  };
}

/** What guards the tenants of every profile alike. */
export function compileShared(host: HostFacts): readonly CompiledObject[] {
  return compileSharedAdmission(admissionOptions(host)).map((policy) => compiled(policy, 'RenderTenant#host.trustedWriters'));
}

/** What the policies of a host are compiled with. */
export function admissionOptions(host: HostFacts): AdmissionOptions {
  const { defaultStorageClass = '', defaultPriorityClass = '' } = host;
  return {
    trustedWriters: [...host.trustedWriters, `system:serviceaccount:${RECONCILER.namespace}:${RECONCILER.name}`],
    trustedGroups: host.trustedGroups,
    runtimeTolerations: host.runtimeTolerations,
    clusterDomain: host.clusterDomain,
    ...(host.minor !== undefined && { hostMinor: host.minor }),
    ...(defaultStorageClass !== '' && { defaultStorageClass }),
    ...(defaultPriorityClass !== '' && { defaultPriorityClass }),
  };
}

function compiled({ object, controls }: PolicyObject, cause: string): CompiledObject {
  const [control = '', ...alsoEnforces] = controls;
  return { object, control, alsoEnforces, cause, tree: 'platform', notes: [] };
}
