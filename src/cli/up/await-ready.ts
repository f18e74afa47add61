import { setTimeout as sleep } from 'node:timers/promises';
import { at, type JsonObject, objectsOf, stringAt } from '../../core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { Failure } from '../../kube/failure.ts';
import { getObject } from '../../kube/objects/get.ts';
import type { Call } from '../../kube/objects/object-path.ts';
import { TENANT_CLUSTERS } from '../../reconciler/process/watched-kinds.ts';
import { visible } from '../../report/escape.ts';
import { fullName } from '../kubeconfig/find-tenant.ts';
import { tellConditions } from './tell-conditions.ts';

const PAUSE = 250;
/** A server that has just become ready may be a moment late. */
const PATIENCE = 20_000;
const STALLED = '  nothing goes on until somebody does that; up sees it then, and goes on';

/**
 * Says each change of each tenant's state, until all are ready; of one that is stalled, what has to be done. One whose servers are ready and do not
 * answer is given up before its time: that they do not is a matter of the network, and no wait changes it.
 */
export async function awaitReady(tenants: readonly KubeObject[], call: Call, options: Waiting): Promise<Waited> {
  const { limit, patience = PATIENCE, leads, say } = options;
  const [told, begin] = [new Map<string, string>(), performance.now()];
  const silent = new Map<KubeObject, number>();
  const waiting = new Set(tenants);
  const [last, unreachable] = [new Map<KubeObject, KubeObject>(), new Set<KubeObject>()];
  while (waiting.size > unreachable.size && performance.now() - begin < limit) {
    for (const tenant of waiting) {
      const name = fullName(tenant);
      const read = await getObject({ resource: TENANT_CLUSTERS, namespace: namespaceOf(tenant) ?? '', name: nameOf(tenant) }, call);
      const state = 'value' in read ? stateOf(read.value) : lost(read.failure);
      if ('value' in read) last.set(tenant, read.value);
      if (told.get(name) !== state.words) {
        say(`${name}  ${visible(state.words)}`);
        if (state.stalled === true && 'value' in read) for (const line of [...tellConditions(read.value), STALLED]) say(line);
      }
      told.set(name, state.words);
      if (state.ready) waiting.delete(tenant);
      if (state.silent !== true || !leads()) silent.delete(tenant);
      else if (!silent.has(tenant)) silent.set(tenant, performance.now());
      if (performance.now() - (silent.get(tenant) ?? Number.POSITIVE_INFINITY) > patience && !state.ready) unreachable.add(tenant);
      else unreachable.delete(tenant);
    }
    if (waiting.size > unreachable.size) await sleep(PAUSE, undefined, { signal: call.signal });
  }
  const seen = (those: Iterable<KubeObject>): readonly KubeObject[] => [...those].map((tenant) => last.get(tenant) ?? tenant);
  return { tenants: seen(tenants), late: seen(waiting), unreachable: seen(unreachable) };
}

export interface Waiting {
  /** milliseconds in all */
  readonly limit: number;
  /** milliseconds without an answer of servers that are ready */
  readonly patience?: number;
  /** whether it is this process that calls the tenants */
  readonly leads: () => boolean;
  readonly say: (line: string) => void;
}

/** Tenants as they were read last: all; those that are not ready in time; of these, those that do not answer this machine. */
export interface Waited {
  readonly tenants: readonly KubeObject[];
  readonly late: readonly KubeObject[];
  readonly unreachable: readonly KubeObject[];
}

interface State {
  readonly ready: boolean;
  readonly stalled?: boolean;
  /** its servers are ready and do not answer */
  readonly silent?: boolean;
  readonly words: string;
}

function stateOf(tenant: KubeObject): State {
  const conditions = objectsOf(at(tenant, 'status', 'conditions'));
  const find = (type: string): JsonObject | undefined => conditions.find((condition) => stringAt(condition, 'type') === type);
  const ready = find('Ready');
  // of another generation it says nothing
  const fresh = at(tenant, 'status', 'observedGeneration') === at(tenant, 'metadata', 'generation');
  if (fresh && stringAt(ready, 'status') === 'True') return { ready: true, words: 'Ready' };
  const worst = find('Stalled') ?? ready;
  if (worst === undefined) return { ready: false, words: 'waits for the reconciler' };
  const [reason = '', message = ''] = [stringAt(worst, 'reason'), stringAt(worst, 'message')];
  const phase = stringAt(tenant, 'status', 'phase') ?? 'Pending';
  const silent = stringAt(find('ControlPlaneReady'), 'reason') === 'Unreachable';
  return { ready: false, silent, stalled: fresh && stringAt(worst, 'type') === 'Stalled', words: `${phase} (${reason}): ${message}` };
}

/** The host may be away for a moment. */
function lost({ message }: Failure): State {
  return { ready: false, words: `cannot be read: ${message}` };
}
