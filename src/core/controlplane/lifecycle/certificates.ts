import { renewAt, restartAt, serverRestartAt } from '../certificate-life.ts';
import { type Found, found } from './condition-reasons.ts';
import { knownTime } from './known-time.ts';
import type { LifecycleObservation, Lifetime } from './observation.ts';
import { runningSince } from './servers.ts';

const DAY = 86_400_000;

/** No second restart for the same certificate within this time: where the first did not help, others will not. */
const RESTART_PAUSE = DAY;

/** Whether the servers are to be restarted now, so that they renew. `restartedAt`: when they last were, as an RFC 3339 time. */
export function restartDue(
  { api, live, now }: Pick<LifecycleObservation, 'api' | 'live' | 'now'>,
  restartedAt: string | undefined,
): boolean {
  const serving = api.kind === 'answers' ? api.serving : undefined;
  const shown = serving !== undefined && now >= restartAt(serving.notBefore, serving.notAfter);
  // what is not known is no time, and no comparison with it is true
  const aged = live.pods.some((pod) => now >= serverRestartAt(runningSince(pod)));
  if (!shown && !aged) return false;
  const last = knownTime(restartedAt, now);
  return last === undefined || now - last > RESTART_PAUSE;
}

/** All certificates that the tenant's API depends on, as far as they are known. */
export function lifetimesOf({ secrets, api }: Pick<LifecycleObservation, 'secrets' | 'api'>): readonly Lifetime[] {
  const { authorities, kubeconfig } = secrets;
  return [
    ...(authorities.state === 'present' ? authorities.lifetimes : []),
    ...(api.kind === 'answers' && api.serving !== undefined ? [api.serving] : []),
    ...(kubeconfig.issued === undefined ? [] : [kubeconfig.issued]),
  ];
}

/** Undefined while nothing is known of any. */
export function certificatesFound(o: Pick<LifecycleObservation, 'secrets' | 'api' | 'now'>): Found | undefined {
  const lifetimes = [...lifetimesOf(o)].sort((a, b) => a.notAfter - b.notAfter);
  const [first] = lifetimes;
  if (first === undefined) return undefined;
  const expired = lifetimes.filter(({ notAfter }) => notAfter <= o.now);
  if (expired.length > 0) return found('CertificatesValid', 'Expired', `${expired.map(({ name }) => name).join(', ')}: expired.`);
  const due = lifetimes.filter((each) => renewAt(each.notBefore, each.notAfter) <= o.now);
  if (due.length > 0)
    return found('CertificatesValid', 'RenewalDue', due.map((each) => `${each.name} lasts until ${day(each.notAfter)}.`).join(' '));
  return found('CertificatesValid', 'Valid', `The first to end is ${first.name}, on ${day(first.notAfter)}.`);
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
