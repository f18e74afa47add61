import type { JsonObject } from '../../core/kube/json.ts';
import { stringAt } from '../../core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { Clock } from '../../kube/clock.ts';
import { type Failure, failed, isReason, type Result } from '../../kube/failure.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import { mergePatch } from '../../kube/objects/patch.ts';
import type { ObjectStore } from '../../kube/reflector/object-store.ts';
import type { Transport } from '../../kube/transport/transport.ts';
import { TENANT_CLUSTERS } from '../process/watched-kinds.ts';
import { type Claim, claimOf } from './claim.ts';
import { leaseHolders } from './lease-holders.ts';

/** How a pass may begin: it is ours, it is somebody else's, or that is to be seen at the next look. */
export type Turn = 'ours' | 'again' | { readonly holds: string } | { readonly failure: Failure };

/** Which TenantClusters this process works on: of two whose selectors overlap, and while one goes from shard to shard, one at a time. */
export interface Claims {
  /** Whether it is ours, by our copy: right before each write. */
  has(key: string): boolean;
  turn(tenantCluster: KubeObject, signal: AbortSignal): Promise<Turn>;
  /** Lets go of one that our selector selects no more; nothing where it was not ours, or is gone. */
  release(key: string, signal: AbortSignal): Promise<Failure | undefined>;
}

export interface ClaimsOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly own: Claim;
  /** of our shard, whole */
  readonly tenants: ObjectStore;
  /** of all shards */
  readonly everywhere: ObjectStore;
  /** whether we hold our Lease */
  holds(): boolean;
}

export function claims({ transport, clock, own, tenants, everywhere, holds }: ClaimsOptions): Claims {
  const holders = leaseHolders(clock);
  /** uid of what we claimed, since what leaves our selection is not seen whole any more */
  const ours = new Map<string, string>();
  const isOurs = (claim: Claim | undefined): boolean => claim?.lease === own.lease && claim.holderIdentity === own.holderIdentity;

  return {
    has: (key) => {
      const tenantCluster = tenants.get(key);
      return tenantCluster !== undefined && isOurs(claimOf(tenantCluster));
    },
    turn: async (tenantCluster, signal) => {
      const key = `${namespaceOf(tenantCluster) ?? ''}/${nameOf(tenantCluster)}`;
      // one watch tells of all in the order in which they were made: only then its elders are known
      if (uidOf(everywhere.get(key)) !== uidOf(tenantCluster)) return 'again';
      const claim = claimOf(tenantCluster);
      if (isOurs(claim)) {
        ours.set(key, uidOf(tenantCluster));
        return 'ours';
      }
      if (claim !== undefined && claim.lease !== own.lease) {
        const standing = await holders.standingOf(claim, { transport, signal });
        if (standing !== 'gone') return standing;
      }
      if (!holds()) return 'again';
      const written = await write(tenantCluster, { ...own }, { transport, signal });
      if ('failure' in written) {
        // another one wrote it, or deleted it: the watch tells
        return isReason(written.failure, 'Conflict') || isReason(written.failure, 'NotFound') ? 'again' : written;
      }
      if (!isOurs(claimOf(written.value))) return failed(OLD_DEFINITION);
      ours.set(key, uidOf(tenantCluster));
      // the pass begins with the copy that has it
      return 'again';
    },
    release: async (key, signal) => {
      const [uid, standing] = [ours.get(key), everywhere.get(key)];
      if (uid === undefined) return undefined;
      if (standing !== undefined && uidOf(standing) === uid && holds()) {
        const written = await write(standing, null, { transport, signal });
        if ('failure' in written && !isReason(written.failure, 'NotFound')) return written.failure;
      }
      ours.delete(key);
      return undefined;
    },
  };
}

const OLD_DEFINITION: Failure = {
  kind: 'malformed',
  message: 'The host’s definition of TenantCluster has no status.leader: it is older than this reconciler (deploy/crds).',
};

/** Never over what we have not seen: of two who write at the same time, one conflicts. */
function write(seen: KubeObject, leader: JsonObject | null, call: Call): Promise<Result<KubeObject>> {
  const metadata = { uid: uidOf(seen), resourceVersion: stringAt(seen, 'metadata', 'resourceVersion') ?? '' };
  const ref = { resource: TENANT_CLUSTERS, namespace: namespaceOf(seen) ?? '', name: nameOf(seen) };
  return mergePatch(ref, { metadata, status: { leader } }, { ...call, fieldManager: 'tenantplane-claim', subresource: 'status' });
}

function uidOf(object: KubeObject | undefined): string {
  return stringAt(object, 'metadata', 'uid') ?? '';
}
