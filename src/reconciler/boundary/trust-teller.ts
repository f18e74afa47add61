import type { Trusted } from '../../core/isolation/verify/boundary-report.ts';
import { equal } from '../../core/kube/json.ts';
import type { Log } from '../log/log.ts';

/**
 * Says whom the admission policies leave alone, where that is read from themselves: once, and again whenever it changes. A change of all of
 * them is no drift then, since a render with other settings looks the same.
 */
export function trustTeller(log: Pick<Log, 'info' | 'warn'>): (trusted: Trusted) => void {
  let known: Trusted | undefined;
  return (trusted) => {
    if (!trusted.taken || (known !== undefined && same(known, trusted))) return;
    const who = { writers: [...trusted.writers], groups: [...trusted.groups] };
    if (known === undefined) log.info('nobody said whom admission policies may trust: it is whom most of them do', who);
    else log.warn('admission policies trust others now, and nobody said whom they may', who);
    known = trusted;
  };
}

function same(a: Trusted, b: Trusted): boolean {
  return equal([...a.writers], [...b.writers]) && equal([...a.groups], [...b.groups]);
}
