import { itemNames, itemsNamed } from '../../core/explain/field-path.ts';
import { isObject, type Json, type JsonObject, own, type Path, put } from '../../core/kube/json.ts';
import { dotted, parsePointer } from '../../core/kube/pointer.ts';
import { TenantplaneError } from '../errors.ts';

/** `spec.allow.serviceTypes[0]`, `spec.resources[v1/Service]`, `metadata.annotations["a.b/c"]` or a JSON Pointer. */
export function parsePath(text: string): Path {
  if (text.startsWith('/')) return parsePointer(text);
  const steps: (string | number)[] = [];
  let rest = text;
  while (rest !== '') {
    const match = /^\.?([^.[\]"]+)|^\[(\d+)\]|^\.?\["([^"]*)"\]|^\[([^\]"]+)\]/.exec(rest);
    if (match === null)
      throw new TenantplaneError('usage', `${text} is no path of a field.`, { hint: 'Write it as spec.allow.serviceTypes[0].' });
    const [whole, name, index, quoted, item] = match;
    steps.push(index === undefined ? (name ?? quoted ?? item ?? '') : Number(index));
    rest = rest.slice(whole.length);
  }
  return steps;
}

export type EditVerb = 'set' | 'append' | 'unset';

/** Edits a copy in place, making maps on the way. Steps are fields of the object, never what every object of the language has. */
export function editAt(object: JsonObject, path: Path, verb: EditVerb, value: Json): void {
  let holder: Json = object;
  for (const [index, named] of path.slice(0, -1).entries()) {
    const step: string | number = stepIn(holder, named, path.slice(0, index + 1));
    const next: Json | undefined =
      typeof step === 'number' ? (Array.isArray(holder) ? holder[step] : undefined) : isObject(holder) ? own(holder, step) : undefined;
    if (next === undefined && isObject(holder) && typeof step === 'string' && verb !== 'unset') {
      const made: JsonObject = {};
      put(holder, step, made);
      holder = made;
    } else if (next === undefined || next === null) throw nothingAt(path.slice(0, index + 1));
    else holder = next;
  }
  const last = stepIn(holder, path.at(-1), path);
  if (Array.isArray(holder) && typeof last === 'number' && last < holder.length) {
    if (verb === 'unset') holder.splice(last, 1);
    else holder[last] = verb === 'append' ? appended(holder[last], value, path) : value;
  } else if (isObject(holder) && typeof last === 'string') {
    if (verb !== 'unset') put(holder, last, verb === 'append' ? appended(own(holder, last), value, path) : value);
    else if (Object.hasOwn(holder, last)) delete holder[last];
    else throw nothingAt(path);
  } else throw nothingAt(path);
}

/** An item of a list may be called by what it is known by. */
function stepIn<Step extends string | number | undefined>(holder: Json, step: Step, path: Path): Step | number {
  if (!Array.isArray(holder) || typeof step !== 'string') return step;
  const [first, second] = itemsNamed(holder, step);
  if (first !== undefined && second === undefined) return first;
  const names = itemNames(holder);
  const list = dotted(path.slice(0, -1));
  throw new TenantplaneError('usage', second === undefined ? `${list} has no item ${step}.` : `${list} has several items ${step}.`, {
    hint: names.length === 0 ? `Write its index: ${list}[0].` : `It has ${names.join(', ')}.`,
  });
}

function appended(list: Json | undefined, value: Json, path: Path): Json {
  if (list === undefined) return [value];
  if (Array.isArray(list)) return [...list, value];
  throw new TenantplaneError('usage', `${dotted(path)} is no list, so nothing can be added to it.`, { hint: 'Leave the + out to set it.' });
}

function nothingAt(path: Path): TenantplaneError {
  return new TenantplaneError('usage', `There is nothing at ${dotted(path)}.`, {
    hint: 'Look at the object, or at tenantplane schema KIND.',
  });
}
