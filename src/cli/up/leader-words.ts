import { RECONCILER } from '../../core/isolation/reconciler.ts';
import { visible } from '../../report/escape.ts';

/** An identity is whatever another process wrote. */
const LONGEST = 100;

/** @param other the process that leads, where it is not this one */
export function leaderWords(other: string | undefined): string {
  return other === undefined
    ? `the reconciler runs here and leads, as ${RECONCILER.namespace}/${RECONCILER.name}`
    : `the reconciler here stands by: ${shown(other)} leads, and works on the tenants with its own flags`;
}

/** Who looks after control planes once this process ends. */
export function afterwards(other: string | undefined, untilReady: boolean): string {
  if (other !== undefined) return `${shown(other)} leads and looks after the tenants, whether the reconciler here runs or not.`;
  return untilReady
    ? 'The reconciler ends now; control planes go on, and nobody looks after them until it runs again.'
    : 'The reconciler runs here until you interrupt it; control planes go on then, and nobody looks after them.';
}

function shown(identity: string): string {
  return visible(identity.length > LONGEST ? `${identity.slice(0, LONGEST)}…` : identity);
}
