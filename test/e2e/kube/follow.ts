import { onTestFinished } from 'vitest';
import { SYSTEM_CLOCK } from '../../../src/kube/clock.ts';
import type { Connection } from '../../../src/kube/connection/connection.ts';
import { seededRandom } from '../../../src/kube/random.ts';
import type { Change } from '../../../src/kube/reflector/object-store.ts';
import { type Reflector, type ReflectorOptions, reflector } from '../../../src/kube/reflector/reflector.ts';
import type { Selection } from '../../../src/kube/reflector/selection.ts';
import { type ServerBudget, serverBudget } from '../../../src/kube/server-budget.ts';
import type { Resource } from '../../../src/kube/transport/resource-path.ts';
import { clientOf } from './cluster-connection.ts';

export const CONFIG_MAP: Resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
export const SECRET: Resource = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

export interface Followed extends Reflector {
  readonly changes: readonly Change[];
  /** `added a/b`, `deleted a/b unseen` */
  words(): readonly string[];
  /** has ended when the reflector has */
  readonly ended: Promise<void>;
  stop(): void;
}

export function budgetOf(seed = 1): ServerBudget {
  return serverBudget({ clock: SYSTEM_CLOCK, random: seededRandom(seed) });
}

/** A reflector that runs until the test is over. */
export function follow(connection: Connection, selection: Selection, options: Partial<ReflectorOptions> = {}): Followed {
  const changes: Change[] = [];
  const reflected = reflector({
    transport: clientOf(connection),
    budget: budgetOf(),
    selection,
    clock: SYSTEM_CLOCK,
    random: seededRandom(2),
    onChange: (change) => changes.push(change),
    ...options,
  });
  const stop = new AbortController();
  const ended = reflected.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const words = (): string[] =>
    changes.map((change) => `${change.type} ${change.key}${change.type === 'deleted' && change.finalStateUnknown ? ' unseen' : ''}`);
  return { ...reflected, changes, words, ended, stop: () => stop.abort() };
}
