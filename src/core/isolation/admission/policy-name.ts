import { digest } from '../../identity/digest.ts';
import { OWN_PREFIX } from '../compiled-object.ts';

/** Longest part of a name that is a profile's; what is longer is cut. */
const PROFILE_LIMIT = 100;

/**
 * The name of a policy and of its binding: `tenantplane-<profile>-<group>`.
 *
 * Injective: a group holds no hyphen, so the last one parts profile and group; a profile's name begins with no hyphen, so a cut
 * one, behind a second hyphen, is never another profile's own name.
 */
export function policyName(profile: string, group: string): string {
  if (profile.length <= PROFILE_LIMIT) return `${OWN_PREFIX}${profile}-${group}`;
  const readable = profile.slice(0, PROFILE_LIMIT - 13).replace(/[-.]+$/, '');
  return `${OWN_PREFIX}-${readable}-${digest([profile])}-${group}`;
}
