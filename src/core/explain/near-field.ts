import { nearest } from '../../schema/nearest.ts';
import { at, isObject, type Json, type JsonObject, type Path } from '../kube/json.ts';
import { type FieldStep, itemName, resolveField } from './field-path.ts';

const MOST = 3;

/** Fields of an object that end as what was asked for does (`replicas`, `containers.image`), or else are spelt nearly so. */
export function nearFields(object: JsonObject, steps: readonly FieldStep[]): readonly string[] {
  const wanted = steps.map((step) => ('key' in step ? step.key : step.item));
  const found: string[] = [];
  walk(object, [], (path) => {
    if (found.length < MOST && endsAs(object, path, wanted)) found.push(fieldText(object, path));
    return found.length < MOST;
  });
  if (found.length > 0) return found;
  const near = misspelt(object, steps);
  return near.length > 0 ? near : outsideSpec(object, steps);
}

/** Items of lists may be left out of what is asked for; keys may not. */
function endsAs(object: JsonObject, path: Path, wanted: readonly string[]): boolean {
  let rest = wanted.length;
  for (let index = path.length - 1; index >= 0 && rest > 0; index -= 1) {
    const step = path[index];
    const names = typeof step === 'number' ? [String(step), itemName(at(object, ...path.slice(0, index + 1)))] : [step];
    if (names.includes(wanted[rest - 1])) rest -= 1;
    else if (typeof step !== 'number' || index === path.length - 1) return false;
  }
  return rest === 0;
}

function misspelt(object: JsonObject, steps: readonly FieldStep[]): readonly string[] {
  const last = steps.at(-1);
  const { path } = resolveField(object, steps);
  const parent = path.slice(0, -1);
  const around = at(object, ...parent);
  if (last === undefined || !('key' in last) || !isObject(around)) return [];
  const near = nearest(last.key, Object.keys(around));
  return near === undefined ? [] : [fieldText(object, [...parent, near])];
}

/** All that an object with a spec has at its top. */
const TOP = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status']);

/** `replicas` of a Deployment that does not have any: it is no field of the object, and may be one of its spec. */
function outsideSpec(object: JsonObject, steps: readonly FieldStep[]): readonly string[] {
  const [first] = steps;
  if (first === undefined || !('key' in first) || TOP.has(first.key) || !isObject(object['spec']) || object[first.key] !== undefined)
    return [];
  const near = nearest(first.key, TOP);
  const { path } = resolveField(object, near === undefined ? [{ key: 'spec' }, ...steps] : [{ key: near }, ...steps.slice(1)]);
  return [fieldText(object, path)];
}

/** @param see whether to go on */
function walk(value: Json | undefined, path: Path, see: (path: Path) => boolean): boolean {
  if (path.length > 0 && !see(path)) return false;
  if (Array.isArray(value)) return value.every((item, index) => walk(item, [...path, index], see));
  return isObject(value) ? Object.keys(value).every((key) => walk(value[key], [...path, key], see)) : true;
}

/** As `--field` reads it: `spec.containers[app].image`. */
function fieldText(object: JsonObject, path: Path): string {
  const words = path.map((step, index) => {
    if (typeof step === 'number') return `[${itemName(at(object, ...path.slice(0, index + 1))) ?? step}]`;
    return /^[\w-]+$/.test(step) ? `.${step}` : `["${step}"]`;
  });
  return words.join('').replace(/^\./, '');
}
