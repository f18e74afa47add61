import type { TenantContext } from '../plan/tenant-context.ts';

/** What blocks a field that Pod Security forbids at every level, and that a control of the profile may forbid by name. */
export interface BlockedBy {
  /** a field of the profile's spec */
  readonly control: string;
  /** the same for a sentence, with whose it is */
  readonly words: string;
}

/** @param named the profile's own control, where it is on */
export function blockedBy({ profile }: TenantContext, named: string | false): BlockedBy {
  return named === false
    ? { control: 'controls.podSecurity', words: 'Pod Security baseline' }
    : { control: named, words: `${named} of IsolationProfile ${profile.name}` };
}
