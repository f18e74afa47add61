import { BACKDATED } from '../certificate-life.ts';

/**
 * When the host says that something happened, in milliseconds since 1970; undefined where that is no time, or one that is yet to come by more
 * than clocks differ. Anybody may have written it there: a comparison with no time is never true, and one with a time to come not for years.
 */
export function knownTime(text: string | undefined, now: number): number | undefined {
  const time = Date.parse(text ?? '');
  return time <= now + BACKDATED ? time : undefined;
}
