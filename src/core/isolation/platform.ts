import type { HostFacts, ProfileSettings } from '../plan/settings.ts';
import type { CompiledObject } from './compiled-object.ts';
import { compilePriorityLevel } from './flow-control.ts';

/** A profile with what it needs once on the host, however many tenants use it. */
export interface CompiledProfile {
  readonly profile: ProfileSettings;
  readonly objects: readonly CompiledObject[];
}

export function compileProfile(profile: ProfileSettings, host: HostFacts): CompiledProfile {
  return { profile, objects: compilePriorityLevel(profile, host) };
}
