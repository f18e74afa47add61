import type { NameLimits } from '../../identity/host-name.ts';
import { type Json, objectAt } from '../../kube/json.ts';
import type { Subject } from '../../plan/tenant-context.ts';

/**
 * The limits of a subject's host name: the kind's, less what an Indexed Job appends for its pods' host names (`-<index>`, a DNS label of 63;
 * a CronJob's Jobs have eleven characters more, of which its own limit of 52 counts two).
 */
export function nameLimitsOf(subject: Subject): NameLimits {
  const { nameLimit, dots } = subject.row;
  if (subject.key === 'Job.batch') {
    const suffix = indexSuffix(objectAt(subject.object, 'spec')?.['completionMode'], objectAt(subject.object, 'spec')?.['completions']);
    return suffix === undefined ? { nameLimit, dots } : { nameLimit: 63 - suffix, dots: false };
  }
  if (subject.key === 'CronJob.batch') {
    const job = objectAt(subject.object, 'spec', 'jobTemplate', 'spec');
    const suffix = indexSuffix(job?.['completionMode'], job?.['completions']);
    return suffix === undefined ? { nameLimit, dots } : { nameLimit: Math.min(52, 54 - suffix), dots: false };
  }
  return { nameLimit, dots };
}

/** Length of `-<last index>` of an Indexed Job; undefined for any other. */
function indexSuffix(mode: Json | undefined, completions: Json | undefined): number | undefined {
  if (mode !== 'Indexed') return undefined;
  const count = typeof completions === 'number' || typeof completions === 'bigint' ? Number(completions) : 1;
  // More than 10^9 completions are no Job that an API server takes; the name still needs room for its digest.
  const last = Math.min(Math.max(Math.trunc(count) - 1, 0), 999_999_999);
  return `-${last}`.length;
}
