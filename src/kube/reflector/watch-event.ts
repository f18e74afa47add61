import { isObject, type Json, objectAt, own, stringAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import type { Failure } from '../failure.ts';
import { parseJson } from '../parse-json.ts';
import { statusFailure } from '../status-failure.ts';

/** One line of a watch. */
export type WatchEvent =
  | { readonly type: 'put'; readonly object: KubeObject }
  | { readonly type: 'deleted'; readonly object: KubeObject }
  /** nothing happened up to this version; `initialEnd`: all that was there when the watch began has been sent (KEP-3157) */
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEnd: boolean }
  | { readonly type: 'error'; readonly failure: Failure };

const INITIAL_END = 'k8s.io/initial-events-end';

export function readWatchEvent(line: string): WatchEvent {
  let event: Json;
  try {
    event = parseJson(line);
  } catch {
    return malformed('a line of the watch is no JSON');
  }
  const object = objectAt(event, 'object');
  if (!isObject(event) || object === undefined) return malformed('an event of the watch holds no object');
  const type = own(event, 'type');
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
      return { type: 'put', object };
    case 'DELETED':
      return { type: 'deleted', object };
    case 'BOOKMARK':
      return {
        type: 'bookmark',
        resourceVersion: resourceVersionOf(object),
        initialEnd: stringAt(object, 'metadata', 'annotations', INITIAL_END) === 'true',
      };
    case 'ERROR': {
      const code = own(object, 'code');
      return { type: 'error', failure: statusFailure(typeof code === 'number' ? code : 500, object) };
    }
    default:
      return malformed('an event of the watch has a type that nobody knows');
  }
}

export function resourceVersionOf(object: KubeObject): string {
  return stringAt(object, 'metadata', 'resourceVersion') ?? '';
}

function malformed(message: string): WatchEvent {
  return { type: 'error', failure: { kind: 'malformed', message } };
}
