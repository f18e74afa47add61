import { isObject, type Json, type JsonObject, own, type Path } from '../kube/json.ts';
import { dotted } from '../kube/pointer.ts';
import { parseQuantity } from '../kube/quantity.ts';
import type { Refusal } from '../translate/edit.ts';
import { FIELD_TYPES } from './field-types.ts';
import { KIND_FIELD_TYPES } from './kind-field-types.ts';
import { LEGAL_TOGETHER } from './legal-together.ts';
import { type LegalValue, quoted } from './legal-value.ts';
import { LEGAL_VALUES } from './legal-values.ts';

type Scalar = 'string' | 'int' | 'bool' | 'quantity' | 'intstr' | 'any' | 'strings' | 'quantities';
type Shape =
  | { readonly type: 'scalar'; readonly scalar: Scalar }
  | { readonly type: 'list'; readonly item: Shape }
  | { readonly type: 'struct'; readonly name: string; readonly fields: Map<string, Shape> };

const SCALARS: Readonly<Record<Scalar, Shape>> = {
  string: { type: 'scalar', scalar: 'string' },
  int: { type: 'scalar', scalar: 'int' },
  bool: { type: 'scalar', scalar: 'bool' },
  quantity: { type: 'scalar', scalar: 'quantity' },
  intstr: { type: 'scalar', scalar: 'intstr' },
  any: { type: 'scalar', scalar: 'any' },
  strings: { type: 'scalar', scalar: 'strings' },
  quantities: { type: 'scalar', scalar: 'quantities' },
};
const WANTED: Readonly<Record<Scalar, string>> = {
  string: 'a string',
  int: 'an integer',
  bool: 'true or false',
  quantity: 'a quantity such as 500m, 2 or 128Mi',
  intstr: 'an integer or a string',
  any: 'anything',
  strings: 'a map of strings',
  quantities: 'a map of quantities',
};

const STRUCTS: ReadonlyMap<string, Shape> = compile(FIELD_TYPES + KIND_FIELD_TYPES);

function compile(text: string): ReadonlyMap<string, Shape> {
  const structs = new Map<string, Shape & { type: 'struct' }>();
  const rows: [Shape & { type: 'struct' }, string][] = [];
  let current: (Shape & { type: 'struct' }) | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith(' ') && current !== undefined) rows.push([current, line.trim()]);
    else {
      current = { type: 'struct', name: line, fields: new Map() };
      structs.set(line, current);
    }
  }
  for (const [struct, line] of rows)
    for (const entry of line.split(' ')) {
      const [field = '', type = ''] = entry.split(':');
      const list = type.endsWith('[]');
      const base = list ? type.slice(0, -2) : type;
      const shape = Object.hasOwn(SCALARS, base) ? SCALARS[base as Scalar] : structs.get(base);
      if (shape === undefined) throw new Error(`field-types: unknown type ${base}`);
      struct.fields.set(field, list ? { type: 'list', item: shape } : shape);
    }
  return structs;
}

const MOST = 10;
const CONTAINERS: ReadonlySet<string> = new Set(['Container', 'EphemeralContainer']);

/** Where a value is not what its type says: wrong types, unknown fields and illegal values, the first ten of them. */
export function shapeRefusals(value: Json | undefined, type: string, path: Path): readonly Refusal[] {
  const shape = STRUCTS.get(type);
  if (shape === undefined) throw new Error(`no type ${type}`);
  const found: Refusal[] = [];
  walk(value, shape, [...path], found, '');
  return found;
}

/** @param whose ` in container "app"`, where it is of one */
function walk(value: Json | undefined, shape: Shape, path: (string | number)[], found: Refusal[], whose: string): void {
  // A null is an absent field to the API server.
  if (value === undefined || value === null || found.length >= MOST) return;
  if (shape.type === 'scalar') {
    if (shape.scalar === 'quantities' && isObject(value)) {
      for (const [key, amount] of Object.entries(value))
        if (parseQuantity(amount) === undefined && found.length < MOST) found.push(noQuantity([...path, key], amount, whose));
    } else if (!fits(value, shape.scalar))
      found.push(shape.scalar === 'quantity' ? noQuantity(path, value, whose) : malformed(path, value, WANTED[shape.scalar]));
    return;
  }
  if (shape.type === 'list') {
    if (!Array.isArray(value)) {
      found.push(malformed(path, value, 'a list'));
      return;
    }
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      if (value[index] === null) found.push(malformed(path, null, 'an item'));
      else walk(value[index], shape.item, path, found, whose);
      path.pop();
    }
    return;
  }
  if (!isObject(value)) {
    found.push(malformed(path, value, `an object (${shape.name})`));
    return;
  }
  const name = CONTAINERS.has(shape.name) ? own(value, 'name') : undefined;
  const inside = typeof name === 'string' ? ` in container ${quoted(name)}` : whose;
  for (const key of Object.keys(value)) {
    const field = shape.fields.get(key);
    path.push(key);
    if (field !== undefined) walk(value[key], field, path, found, inside);
    else if (value[key] !== undefined && found.length < MOST) found.push(unknownField(path, shape.name));
    path.pop();
  }
  judge(value, shape.name, path, found);
}

/** Fields of the right type whose values the API server refuses, one by one and together. */
function judge(object: JsonObject, type: string, path: Path, found: Refusal[]): void {
  const add = (refusal: Refusal): void => {
    if (found.length < MOST) found.push(refusal);
  };
  const fields = Object.hasOwn(LEGAL_VALUES, type) ? LEGAL_VALUES[type] : undefined;
  for (const [field, rule] of Object.entries(fields ?? {})) {
    const value = own(object, field) ?? undefined;
    if (value === undefined ? rule.required !== true : rule.legal(value)) continue;
    add(illegal([...path, field], value, rule));
  }
  if (!Object.hasOwn(LEGAL_TOGETHER, type)) return;
  for (const problem of LEGAL_TOGETHER[type]?.(object) ?? []) {
    if (problem === undefined) continue;
    const at = [...path, ...problem.path];
    add({ reason: 'ObjectMalformed', params: { pointer: dotted(at), found: problem.found, wanted: problem.wanted }, path: at });
  }
}

function illegal(path: Path, value: Json | undefined, { wanted }: LegalValue): Refusal {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return malformed(path, value, wanted);
  const found = typeof value === 'string' ? quoted(value) : String(value);
  return { reason: 'ObjectMalformed', params: { pointer: dotted(path), found, wanted }, path };
}

function fits(value: Json, scalar: Scalar): boolean {
  switch (scalar) {
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return isInteger(value);
    case 'intstr':
      return typeof value === 'string' || isInteger(value);
    case 'quantity':
      return parseQuantity(value) !== undefined;
    case 'strings':
      return isObject(value) && Object.values(value).every((item) => typeof item === 'string' || item === null);
    case 'quantities':
      return false;
    case 'any':
      return true;
  }
}

/** Integers of the Kubernetes API are int32 or int64. */
function isInteger(value: Json): boolean {
  if (typeof value === 'bigint') return value === BigInt.asIntN(64, value);
  return typeof value === 'number' && Number.isInteger(value);
}

/** Where a field is missing or of another type: the one sentence for it. */
export function malformed(path: Path, value: Json | undefined, wanted: string): Refusal {
  return { reason: 'ObjectMalformed', params: { pointer: dotted(path), found: describe(value), wanted }, path: [...path] };
}

/** Its value is told: an amount is no place for a secret. */
function noQuantity(path: Path, value: Json | undefined, whose: string): Refusal {
  const found =
    typeof value === 'string' ? quoted(value) : typeof value === 'number' || typeof value === 'bigint' ? String(value) : describe(value);
  return {
    reason: 'ObjectMalformed',
    params: { pointer: dotted(path), found: `${found}${whose}`, wanted: WANTED.quantity },
    path: [...path],
  };
}

function unknownField(path: Path, type: string): Refusal {
  return {
    reason: 'ObjectMalformed',
    params: { pointer: dotted(path), found: 'an unknown field', wanted: `a field of ${type} in Kubernetes 1.28 to 1.37` },
    path: [...path],
    remedy: 'Fix the spelling, or remove the field.',
  };
}

/** What a value is, without saying its content: it may be a secret in the wrong place. */
function describe(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'boolean' ? 'a boolean' : typeof value === 'string' ? 'a string' : 'a number';
}
