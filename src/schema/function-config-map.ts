/**
 * Function config as the orchestrators hand it over: our own kind, or a ConfigMap whose keys are dotted paths and whose
 * values are strings. kpt prints such values plain, so what a person meant as text may arrive as a boolean or a number.
 */
import { type ConfigCheck, checkConfigOf } from './check-config.ts';
import { type ConfigTypes, FUNCTION_SCHEMAS, type FunctionKind, VERSION } from './config-kinds.ts';
import { isObject, type Json, type JsonObject, own, put } from './json.ts';
import { nearest } from './nearest.ts';
import { type ProblemList, pointerOf, report, type SchemaProblem, shown } from './problems.ts';
import type { Schema } from './schema-language.ts';

/** The config of a function from whatever it was given; with nothing given, the defaults. */
export function functionConfig<K extends FunctionKind>(object: JsonObject | undefined, kind: K): ConfigCheck<ConfigTypes[K]> {
  if (object === undefined) return checkConfigOf(emptyConfig(kind), kind);
  return own(object, 'kind') === 'ConfigMap' && own(object, 'apiVersion') === 'v1'
    ? configFromConfigMap(object, kind)
    : checkConfigOf(object, kind);
}

/** Problems point into the ConfigMap: `/data/output.shards`. */
export function configFromConfigMap<K extends FunctionKind>(object: JsonObject, kind: K): ConfigCheck<ConfigTypes[K]> {
  const list: ProblemList = { problems: [], dropped: 0 };
  const data = own(object, 'data') ?? {};
  const leaves = leavesOf(kind);
  const config = emptyConfig(kind);
  if (!isObject(data)) {
    report(list, ['data'], {
      rule: 'Type',
      found: shown(data),
      message: 'data is no map.',
      remedy: 'Write "key: value" lines under it, such as output.shards: "4".',
    });
    return { problems: list.problems };
  }
  const keyOf = new Map<string, string>();
  for (const key of Object.keys(data)) {
    const value = own(data, key);
    if (value === undefined || value === null) continue;
    const schema = leaves.get(key);
    if (schema === undefined) {
      unknownKey(key, leaves, list);
      continue;
    }
    const typed = fromText(value, schema);
    const path = ['spec', ...key.split('.')];
    keyOf.set(pointerOf(path), key);
    place(config, path, typed);
  }
  const checked = checkConfigOf(config, kind);
  const problems = [...list.problems, ...checked.problems.map((problem) => inConfigMap(problem, keyOf))];
  return problems.length > 0 || checked.value === undefined ? { problems } : { value: checked.value, problems: [] };
}

function emptyConfig(kind: FunctionKind): JsonObject {
  return { apiVersion: `${FUNCTION_SCHEMAS[kind].group}/${VERSION}`, kind, spec: {} };
}

/** Dotted path of every field that holds a value, below `spec`. */
function leavesOf(kind: FunctionKind): ReadonlyMap<string, Schema> {
  const leaves = new Map<string, Schema>();
  const visit = (schema: Schema, path: string): void => {
    if ('properties' in schema) {
      for (const [key, child] of Object.entries(schema.properties)) visit(child, path === '' ? key : `${path}.${key}`);
    } else leaves.set(path, schema);
  };
  const { spec } = FUNCTION_SCHEMAS[kind];
  if (spec !== undefined) visit(spec, '');
  return leaves;
}

function unknownKey(key: string, leaves: ReadonlyMap<string, Schema>, list: ProblemList): void {
  const known = [...leaves.keys()];
  const inside = known.filter((path) => path.startsWith(`${key}.`));
  const near = inside[0] ?? nearest(key, known) ?? onlyEnding(key, known);
  report(list, ['data', key], {
    rule: 'UnknownField',
    message: `data has no key ${shown(key)}.`,
    remedy:
      inside.length > 0
        ? `Name a field under it: ${inside.join(', ')}.`
        : near === undefined
          ? `Remove it. Known keys: ${known.join(', ')}.`
          : `Did you mean ${near}?`,
    ...(near === undefined ? {} : { near }),
  });
}

/** `shards` for `output.shards`. */
function onlyEnding(key: string, known: readonly string[]): string | undefined {
  const found = known.filter((path) => path.endsWith(`.${key}`));
  return found.length === 1 ? found[0] : undefined;
}

/** The value that the schema's type reads out of a text; what does not read stays as it is, for the validator to refuse. */
function fromText(value: Json, schema: Schema): Json {
  const text = typeof value === 'string' ? value.trim() : value;
  if (!('type' in schema)) return value;
  switch (schema.type) {
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? `${value}` : value;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : value;
    case 'integer':
      return typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : value;
    case 'array':
      return typeof text === 'string' ? text.split(',').flatMap((item) => item.trim() || []) : value;
    case 'object':
      return value;
  }
}

function place(root: JsonObject, path: readonly string[], value: Json): void {
  let parent = root;
  for (const key of path.slice(0, -1)) {
    const next = own(parent, key);
    if (isObject(next)) parent = next;
    else {
      const made: JsonObject = {};
      put(parent, key, made);
      parent = made;
    }
  }
  put(parent, path[path.length - 1] ?? '', value);
}

function inConfigMap(problem: SchemaProblem, keyOf: ReadonlyMap<string, string>): SchemaProblem {
  for (const [pointer, key] of keyOf) {
    if (problem.pointer !== pointer && !problem.pointer.startsWith(`${pointer}/`)) continue;
    return moved(problem, key);
  }
  return moved(problem, problem.pointer.slice('/spec/'.length).replaceAll('/', '.'));
}

/** A value of a ConfigMap is text, so advice about quotes is about the text inside them. */
function moved(problem: SchemaProblem, key: string): SchemaProblem {
  const dotted = problem.pointer.slice(1).split('/');
  const from = dotted.reduce((text, step) => (/^\d+$/.test(step) ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`), '');
  return {
    ...problem,
    pointer: pointerOf(['data', key]),
    message: problem.message.replace(from, `data["${key}"]`),
    remedy: problem.remedy.replace(', without quotes', '').replace(/^Write it without quotes: .*$/, 'Write a whole number.'),
  };
}
