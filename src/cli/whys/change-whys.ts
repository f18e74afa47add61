import type { CHANGE_REASONS } from '../../core/decision/registry/change-reasons.ts';
import type { WhysOf } from './why.ts';

/** Why the rules of TP7xxx exist. One row for each reason; append only, like the registry. */
export const CHANGE_WHYS: WhysOf<typeof CHANGE_REASONS> = {
  ReplaceNeeded: ['delivery', 'The API server refuses the change of such a field, and an applier would fail at this object on every sync.'],
  ReplicasHandedOver: [
    'delivery',
    'A field that its applier gives up goes back to its default, which is 1, until the autoscaler acts again.',
  ],
  RerunAtEachSync: ['delivery', 'Once the TTL has removed the Job, Git and cluster differ again, and the tool mends that by running it.'],
};
