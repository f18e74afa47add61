import { stringAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import { durationOf, holderOf } from './lease-record.ts';

/**
 * How long a lease has stood still, by the clock of the one who looks. The times in it are its holder's, and two clocks
 * never agree, so they are only looked at for change.
 */
export interface LeaseWatch {
  see(lease: KubeObject, now: number): void;
  /** whether it may be taken: it is nobody's, ours, or has stood still for as long as its holder said it would hold */
  isFree(identity: string, now: number): boolean;
}

export function leaseWatch(otherwise: number): LeaseWatch {
  let seen: { readonly lease: KubeObject; readonly version: string; readonly at: number } | undefined;
  return {
    see: (lease, now) => {
      const version = stringAt(lease, 'metadata', 'resourceVersion') ?? '';
      if (version !== seen?.version) seen = { lease, version, at: now };
    },
    isFree: (identity, now) => {
      if (seen === undefined) return true;
      const holder = holderOf(seen.lease);
      return holder === '' || holder === identity || now - seen.at >= durationOf(seen.lease, otherwise);
    },
  };
}
