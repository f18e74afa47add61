import { asObject, isObject, type Json, objectAt, stringAt } from '../../src/core/kube/json.ts';
import type { KubeObject } from '../../src/core/kube/object.ts';
import type { Clock } from '../../src/kube/clock.ts';
import { type Failure, failed, type Result } from '../../src/kube/failure.ts';
import { holderOf } from '../../src/kube/lease/lease-record.ts';
import type { Transport } from '../../src/kube/transport/transport.ts';

/** What becomes of a request: done and answered; done, and the answer is late, or lost; or nothing at all, also past its time. */
export type Fate = 'answered' | 'late' | 'lost' | 'hangs';

export interface LeaseHost extends Transport {
  /** `seconds METHOD` of each request */
  readonly asked: readonly string[];
  holder(): string | undefined;
  /** as somebody else writes it */
  write(lease: KubeObject | undefined): void;
}

/** A host of one Lease, which does with each request what a test says: a real one is not late at the millisecond that is meant. */
export function leaseHost(clock: Clock, fate: (method: string, time: number) => Fate = () => 'answered'): LeaseHost {
  let lease: KubeObject | undefined;
  let version = 0;
  const asked: string[] = [];

  function write(object: Json): Result<KubeObject> {
    version += 1;
    lease = { ...asObject(object), metadata: { ...objectAt(object, 'metadata'), resourceVersion: String(version) } };
    return { value: lease };
  }

  function does(method: string, body: Json): Result<KubeObject> {
    if (method === 'POST') return lease === undefined ? write(body) : refused(409, 'AlreadyExists');
    if (lease === undefined) return refused(404, 'NotFound');
    if (method === 'GET') return { value: lease };
    return versionOf(body) === versionOf(lease) ? write(body) : refused(409, 'Conflict');
  }

  return {
    server: 'https://host',
    send: async ({ method = 'GET', body, within = 30_000, signal }) => {
      asked.push(`${clock.now() / 1000} ${method}`);
      const becomes = fate(method, clock.now());
      if (becomes === 'hangs') await clock.sleep(1e9, signal);
      const done = does(method, body?.value ?? null);
      if (becomes === 'late') await clock.sleep(within - 1, signal);
      if (becomes === 'lost') {
        await clock.sleep(within, signal);
        return failed({ kind: 'timeout', message: 'no answer' });
      }
      return 'failure' in done ? done : { value: { code: 200, text: JSON.stringify(done.value), header: () => undefined } };
    },
    stream: () => Promise.reject(new Error('nobody watches')),
    connections: () => 0,
    close: () => undefined,
    asked,
    holder: () => (lease === undefined ? undefined : holderOf(lease)),
    write: (object) => {
      if (isObject(object)) write(object);
      else lease = undefined;
    },
  };
}

function refused(code: number, reason: string): { readonly failure: Failure } {
  return failed({ kind: 'status', code, reason, message: reason, details: {} });
}

function versionOf(object: Json): string | undefined {
  return stringAt(object, 'metadata', 'resourceVersion');
}
