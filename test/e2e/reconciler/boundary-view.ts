import { onTestFinished } from 'vitest';
import { BOUNDARY_KINDS } from '../../../src/core/isolation/verify/boundary-kinds.ts';
import { namespaceOf } from '../../../src/core/kube/object.ts';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import { seededRandom } from '../../../src/kube/random.ts';
import { type Reflector, reflector } from '../../../src/kube/reflector/reflector.ts';
import { serverBudget } from '../../../src/kube/server-budget.ts';
import type { BoundaryView } from '../../../src/reconciler/boundary/gather.ts';
import { WATCHED_KINDS } from '../../../src/reconciler/process/watched-kinds.ts';
import type { Cluster } from '../../bed/cluster.ts';
import { clientOf, connectionOf } from '../kube/cluster-connection.ts';

/** Copies of all that boundaries are made of, until the test is over. */
export async function watchBoundaries(cluster: Cluster): Promise<BoundaryView> {
  const transport = clientOf(connectionOf(cluster));
  const [clock, random] = [SYSTEM_CLOCK, seededRandom(3)];
  const budget = serverBudget({ clock, random });
  const stop = new AbortController();
  const reflectors = new Map<string, Reflector>(
    WATCHED_KINDS.filter(({ resource }) => BOUNDARY_KINDS.some(({ plural }) => plural === resource.plural)).map(({ resource }) => [
      resource.plural,
      reflector({ transport, budget, selection: { resource }, clock, random }),
    ]),
  );
  const ended = [...reflectors.values()].map((each) => each.run(stop.signal));
  onTestFinished(async () => {
    stop.abort();
    await Promise.all(ended);
  });
  await Promise.all([...reflectors.values()].map((each) => each.synced(stop.signal)));
  return {
    store: (plural) => {
      const store = reflectors.get(plural)?.store;
      if (store === undefined) throw new TypeError(`nobody watches ${plural}`);
      return {
        get: (key) => store.get(key),
        values: () => store.values(),
        inNamespace: (namespace) => [...store.values()].filter((object) => namespaceOf(object) === namespace),
      };
    },
  };
}
