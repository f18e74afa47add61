import { asArray, at, type Json, type JsonObject, type Path, stringAt } from '../kube/json.ts';
import { kindRow } from '../kube/kinds.ts';
import { apiVersionOf, kindKey, kindOf } from '../kube/object.ts';
import { parsePointer } from '../kube/pointer.ts';

/** A step of a field as people write it: a key, an index, or the name of a list's item. */
export type FieldStep = { readonly key: string } | { readonly item: string };

/** `/spec/replicas`, `spec.replicas`, `.spec.containers[app].image`, `metadata.annotations["a.b/c"]`; undefined where it is none of it. */
export function parseField(text: string): readonly FieldStep[] | undefined {
  if (text.startsWith('/')) return parsePointer(text).map((step) => (typeof step === 'number' ? { item: String(step) } : { key: step }));
  const steps: FieldStep[] = [];
  const rest = text.startsWith('.') || text.startsWith('[') ? text : `.${text}`;
  let end = 0;
  for (const match of rest.matchAll(/\.([^.[\]]+)|\["([^"]*)"\]|\['([^']*)'\]|\[([^\]]*)\]/gy)) {
    const [whole, key, double, single, item] = match;
    if (item === undefined) steps.push({ key: key ?? double ?? single ?? '' });
    else steps.push({ item });
    end = match.index + whole.length;
  }
  return end === rest.length && steps.length > 0 ? steps : undefined;
}

/** Keys by which the items of Kubernetes lists are told apart, the usual one first. */
const LIST_KEYS = ['name', 'key', 'mountPath', 'host', 'ip', 'type'] as const;

/** What an item of a list is called, by the first of these keys that it has. */
export function itemName(item: Json | undefined): string | undefined {
  return LIST_KEYS.map((key) => stringAt(item, key)).find((name) => name !== undefined);
}

/** The path that a field has in an object, as far as it leads; `there` says whether all of it is there. */
export function resolveField(object: JsonObject, steps: readonly FieldStep[]): { readonly path: Path; readonly there: boolean } {
  const first = resolve(object, steps);
  const [head, ...rest] = steps;
  const podSpec = kindRow(kindKey(apiVersionOf(object), kindOf(object)))?.podSpec;
  if (first.there || head === undefined || !('key' in head) || head.key !== 'spec' || podSpec === undefined) return first;
  // `spec.containers[app]` of a Deployment means its pods', where the Deployment has no such field
  const inPod = resolve(object, [...podSpec.map((step) => ({ key: String(step) })), ...rest]);
  return inPod.there ? inPod : first;
}

function resolve(object: JsonObject, steps: readonly FieldStep[]): { readonly path: Path; readonly there: boolean } {
  const path: (string | number)[] = [];
  let there = true;
  let value: Json | undefined = object;
  for (const step of steps) {
    const next = pathStep(value, step);
    path.push(next);
    value = at(value, next);
    there &&= value !== undefined;
  }
  return { path, there };
}

function pathStep(value: Json | undefined, step: FieldStep): string | number {
  const text = 'key' in step ? step.key : step.item;
  const list = asArray(value);
  if (list === undefined) return text;
  return itemsNamed(list, text)[0] ?? text;
}

/** Ways by which people name an item of a list: the first that finds any is meant. */
const NAMINGS: readonly ((item: Json, text: string) => boolean)[] = [
  ...LIST_KEYS.map((key) => (item: Json, text: string) => stringAt(item, key) === text),
  (item, text) => `${stringAt(item, 'apiVersion') ?? ''}/${stringAt(item, 'kind') ?? ''}` === text,
  (item, text) => stringAt(item, 'kind') === text,
  (item, text) => item === text,
  (item, text) => {
    const [key = '', ...value] = text.split('=');
    return value.length > 0 && String(at(item, key) ?? '') === value.join('=');
  },
];

/** The items of a list that are meant by an index, a name, `v1/Service`, `Service`, `key=value` or, of plain values, the value. */
export function itemsNamed(list: readonly Json[], text: string): readonly number[] {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return [Number(text)];
  for (const naming of NAMINGS) {
    const found = list.flatMap((item, index) => (naming(item, text) ? [index] : []));
    if (found.length > 0) return found;
  }
  return [];
}

/** What the items of a list can be called. */
export function itemNames(list: readonly Json[]): readonly string[] {
  return list.flatMap((item) => {
    const kind = stringAt(item, 'kind');
    const entry = kind === undefined ? undefined : `${stringAt(item, 'apiVersion') ?? ''}/${kind}`;
    return itemName(item) ?? entry ?? (typeof item === 'string' ? item : []);
  });
}
