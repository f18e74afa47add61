import { type JsonObject, stringAt } from '../../core/kube/json.ts';
import { apiVersionOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { microTime } from '../micro-time.ts';
import type { Random } from '../random.ts';
import type { Resource } from '../transport/resource-path.ts';

export const EVENT: Resource = { group: 'events.k8s.io', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

/** Something that happened to an object, and that people are to see with `kubectl describe`. */
export interface Occurrence {
  readonly type: 'Normal' | 'Warning';
  /** why, in one word: a stable code */
  readonly reason: string;
  /** what was done, or failed, in one word */
  readonly action: string;
  /** a sentence; never a value of a Secret */
  readonly note: string;
  readonly regarding: KubeObject;
  readonly related?: KubeObject;
}

/** Who tells of it: `tenantplane.io/reconciler`, and the pod. */
export interface Reporter {
  readonly controller: string;
  readonly instance: string;
}

/** How often it happened again. */
export interface SeriesState {
  readonly count: number;
  readonly last: number;
}

/** Limits of the API's validation, in bytes. */
const [NOTE, WORD] = [1024, 128];

export function eventObject(
  name: string,
  what: Occurrence,
  { controller, instance }: Reporter,
  wall: number,
  series?: SeriesState,
): KubeObject {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace: eventNamespace(what) },
    eventTime: microTime(wall),
    reportingController: controller,
    reportingInstance: cut(instance, WORD),
    type: what.type,
    reason: cut(what.reason, WORD),
    action: cut(what.action, WORD),
    note: cut(what.note, NOTE),
    regarding: reference(what.regarding),
    ...(what.related !== undefined && { related: reference(what.related) }),
    ...(series !== undefined && { series: seriesOf(series) }),
  };
}

export function seriesOf({ count, last }: SeriesState): JsonObject {
  return { count, lastObservedTime: microTime(last) };
}

/** Of the object, readable, and another one for each event. */
export function eventName({ regarding }: Occurrence, wall: number, random: Random): string {
  const chance = Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
  return `${nameOf(regarding).slice(0, 200)}.${wall.toString(16)}${chance}`;
}

/** That of the object; what has none is told of in `default`, as the API demands. */
export function eventNamespace({ regarding }: Occurrence): string {
  return namespaceOf(regarding) ?? 'default';
}

/** One object, whatever happens to it. */
export function objectKey({ regarding }: Occurrence): string {
  return JSON.stringify(reference(regarding));
}

/** What makes two occurrences the same that happened twice; the note may differ. */
export function seriesKey({ type, reason, action, regarding, related }: Occurrence): string {
  return JSON.stringify([type, reason, action, reference(regarding), related === undefined ? null : reference(related)]);
}

function reference(object: KubeObject): JsonObject {
  const [namespace, uid] = [namespaceOf(object), stringAt(object, 'metadata', 'uid')];
  return {
    apiVersion: apiVersionOf(object),
    kind: kindOf(object),
    name: nameOf(object),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
  };
}

/** At most so many bytes, and whole characters. */
function cut(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  const kept = bytes
    .subarray(0, most - 3)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${kept}…`;
}
