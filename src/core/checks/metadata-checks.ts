import { asObject, at, describe, type Json, objectAt, own, type Path } from '../kube/json.ts';
import type { Subject } from '../plan/tenant-context.ts';
import type { Refusal } from '../translate/edit.ts';
import type { Check } from './check.ts';

/** A label key: an optional DNS subdomain and `/`, then a name (apimachinery, IsQualifiedName). */
const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

export function isQualifiedName(key: string): boolean {
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  return NAME.test(name) && (slash < 0 || (slash <= 253 && PREFIX.test(key.slice(0, slash))));
}

export function isLabelValue(value: string): boolean {
  return VALUE.test(value);
}

/** Labels and annotations that the API server would refuse, on the object and on its templates. */
export const metadataChecks: readonly Check[] = [
  {
    id: 'metadata.shape',
    run: (subject) => {
      const refusals: Refusal[] = [];
      for (const path of metadataPaths(subject)) {
        const metadata = objectAt(subject.object, ...path);
        for (const map of MAPS) {
          const value = own(metadata, map);
          if (value !== undefined) mapRefusals(value, [...path, map], refusals);
        }
      }
      return refusals;
    },
  },
  {
    id: 'metadata.annotation-size',
    run: (subject) => {
      let size = 0;
      for (const [key, value] of Object.entries(objectAt(subject.object, 'metadata', 'annotations') ?? {})) {
        size += key.length + (typeof value === 'string' ? value.length : 0);
      }
      return size > ANNOTATION_LIMIT
        ? [
            {
              reason: 'AnnotationsTooLarge',
              params: { size: String(size), limit: String(ANNOTATION_LIMIT) },
              path: ['metadata', 'annotations'],
            },
          ]
        : [];
    },
  },
  {
    id: 'metadata.count',
    run: (subject) =>
      metadataPaths(subject).flatMap((path) => {
        const metadata = objectAt(subject.object, ...path);
        return MAPS.flatMap((field): Refusal[] => {
          const count = Object.keys(asObject(own(metadata, field)) ?? {}).length;
          if (count <= METADATA_LIMIT) return [];
          const params = { field, count: String(count), limit: String(METADATA_LIMIT) };
          return [{ reason: 'MetadataTooLarge', params, path: [...path, field] }];
        });
      }),
  },
];

const MAPS = ['labels', 'annotations'] as const;

/**
 * Admission looks at each key, and past some thousands the API server lets it look no more: then a person may change nothing of
 * the object, and its tools may make nothing like it (docs/isolation.md has the figures).
 */
export const METADATA_LIMIT = 1000;

/** apimachinery, TotalAnnotationSizeLimitB. */
const ANNOTATION_LIMIT = 256 * 1024;

/** The object, and everything in it that a controller makes objects from: pods, Jobs, claims. */
function metadataPaths(subject: Pick<Subject, 'row' | 'key' | 'object'>): Path[] {
  const { podMeta, podSpec } = subject.row;
  const paths: Path[] = [['metadata']];
  if (podMeta === undefined) return paths;
  if (podMeta.length > 1) paths.push(podMeta);
  if (subject.key === 'CronJob.batch') paths.push(['spec', 'jobTemplate', 'metadata']);
  const each = (list: Path, ...rest: string[]): void => {
    const items = at(subject.object, ...list);
    if (Array.isArray(items)) items.forEach((_, index) => void paths.push([...list, index, ...rest, 'metadata']));
  };
  if (subject.key === 'StatefulSet.apps') each(['spec', 'volumeClaimTemplates']);
  if (podSpec !== undefined) each([...podSpec, 'volumes'], 'ephemeral', 'volumeClaimTemplate');
  return paths;
}

function mapRefusals(map: Json, path: Path, refusals: Refusal[]): void {
  const object = asObject(map);
  if (object === undefined) {
    if (map !== null) refusals.push(malformed(path, describe(map), 'a map of strings'));
    return;
  }
  const labels = path.at(-1) === 'labels';
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (typeof value !== 'string' && value !== null) refusals.push(malformed([...path, key], describe(value), 'a string (quote it)'));
    else if (labels && !isQualifiedName(key))
      refusals.push(invalid('Label key', key, [...path, key], 'an optional domain and /, then at most 63 letters, digits and -_.'));
    else if (labels && typeof value === 'string' && !isLabelValue(value)) {
      refusals.push(
        invalid(`Label ${key}`, value, [...path, key], 'at most 63 letters, digits and -_., beginning and ending with a letter or digit'),
      );
    }
  }
}

function malformed(path: Path, found: string, wanted: string): Refusal {
  return { reason: 'ObjectMalformed', params: { found, wanted }, path };
}

function invalid(what: string, value: string, path: Path, rule: string): Refusal {
  return { reason: 'InvalidName', params: { what, value: JSON.stringify(value.slice(0, 80)), rule }, path };
}
