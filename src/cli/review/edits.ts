import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { clone, isObject, type Json, type JsonObject, put, stringAt } from '../../core/kube/json.ts';
import { kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { objectsFolder } from '../../core/plan/assign.ts';
import type { InputObject } from '../../core/plan/plan-types.ts';
import { parseDocument } from '../../krm/yaml/parse.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import { some } from '../../report/text.ts';
import { checkConfig, isConfigObject } from '../../schema/check-config.ts';
import { nearest } from '../../schema/nearest.ts';
import { TenantplaneError } from '../errors.ts';
import { noTenant } from '../package/no-tenant.ts';
import { type EditVerb, editAt, parsePath } from './edit-path.ts';
import { matchesTenant } from './select-changes.ts';

/** What is changed in thought: `--set`, `--patch` and `--use`, in this order. */
export interface Edits {
  readonly set: readonly string[];
  readonly patch: readonly string[];
  readonly use: readonly string[];
  /** the tenants that `--use` moves */
  readonly tenants: readonly string[];
}

const SET = "Write it as 'IsolationProfile/restricted:spec.level=sandboxed'; + before the path adds to a list, - takes a field out.";

/** The inputs after the edits. What is not edited is the same object; no file is written. */
export function edited(inputs: readonly InputObject[], edits: Edits, cwd: string): readonly InputObject[] {
  let now = inputs;
  for (const text of edits.set) now = withSet(now, text);
  for (const path of edits.patch) now = withPatch(now, path, cwd);
  for (const text of edits.use) now = withUse(now, text, edits.tenants);
  return now;
}

function withSet(inputs: readonly InputObject[], text: string): readonly InputObject[] {
  const match = /^([^/:]+)\/([^:]+):([+-]?)((?:[^=[]|\[[^\]]*\])+)(?:=([\s\S]*))?$/.exec(text);
  const [, kind = '', name = '', sign, path = '', value] = match ?? [];
  const verb: EditVerb = sign === '-' ? 'unset' : sign === '+' ? 'append' : 'set';
  if (match === null || (value === undefined) !== (verb === 'unset')) {
    throw new TenantplaneError('usage', `--set ${text} cannot be read.`, { hint: SET });
  }
  const input = find(inputs, kind, name);
  const object = clone(input.object);
  editAt(object, parsePath(path), verb, value === undefined ? null : yamlValue(value, text));
  return replaced(inputs, input, checked(input, object, `--set ${text}`));
}

function yamlValue(text: string, set: string): Json {
  if (text === '') return '';
  const { value, problems } = parseDocument(text);
  const [problem] = problems;
  if (value === undefined) throw new TenantplaneError('usage', `--set ${set}: the value is no YAML. ${problem?.what ?? ''}`, { hint: SET });
  return value;
}

/** A merge patch (RFC 7386) for each document; one whose object is not there yet is added. */
function withPatch(inputs: readonly InputObject[], file: string, cwd: string): readonly InputObject[] {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new TenantplaneError('usage', `The patch ${file} cannot be read.`, { hint: 'Name a file that exists.', cause: error });
  }
  const read = readDocuments(text, file);
  const problem = read.findings.find(({ severity }) => severity === 'error');
  if (problem !== undefined)
    throw new TenantplaneError('input', `${file}:${problem.source.line ?? 1}: ${problem.message}`, { hint: problem.remedy });
  let now = inputs;
  for (const patch of read.objects) {
    if (!isConfigObject(patch.object)) {
      throw new TenantplaneError(
        'usage',
        `${file}:${patch.source.line ?? 1}: ${kindOf(patch.object)} is no configuration of tenantplane.`,
        {
          hint: 'What a tenant’s own object would become says tenantplane explain-sync -f FILE.',
        },
      );
    }
    const input = now.find((other) => isConfiguration(other) && sameObject(other.object, patch.object));
    if (input === undefined) now = [...now, { ...patch, object: checked(undefined, patch.object, file) }];
    else now = replaced(now, input, checked(input, merged(input.object, patch.object), file));
  }
  return now;
}

function merged(object: JsonObject, patch: JsonObject): JsonObject {
  const result = clone(object);
  for (const [key, value] of Object.entries(patch)) {
    const before = Object.hasOwn(result, key) ? result[key] : undefined;
    if (value === null) delete result[key];
    else if (isObject(value)) put(result, key, merged(isObject(before) ? before : {}, value));
    else if (value !== undefined) put(result, key, value);
  }
  return result;
}

const REFS = { IsolationProfile: 'isolationProfileRef', SyncPolicy: 'syncPolicyRef' } as const;

/** Tenants that use OLD use NEW: a profile or a policy, which its name says where only one kind has it. */
function withUse(inputs: readonly InputObject[], text: string, tenants: readonly string[]): readonly InputObject[] {
  const match = /^(?:(IsolationProfile|SyncPolicy)\/)?([^=]+)=([^=]+)$/.exec(text);
  const hint = 'Write it as --use restricted=sandboxed, or --use IsolationProfile/restricted=sandboxed.';
  if (match === null) throw new TenantplaneError('usage', `--use ${text} cannot be read.`, { hint });
  const [, named, old = '', next = ''] = match;
  const kinds = (['IsolationProfile', 'SyncPolicy'] as const).filter((kind) => named === undefined || named === kind);
  const clusters = inputs.filter((input) => isConfiguration(input) && kindOf(input.object) === 'TenantCluster');
  const users = (kind: keyof typeof REFS): readonly InputObject[] =>
    clusters.filter(({ object }) => stringAt(object, 'spec', REFS[kind], 'name') === old);
  const used = kinds.filter((kind) => users(kind).length > 0);
  const [kind] = used;
  if (kind === undefined || used.length > 1) {
    const why = kind === undefined ? `no tenant uses ${old}` : `${old} is the name of a profile and of a policy`;
    throw new TenantplaneError('usage', `--use ${text}: ${why}.`, { hint });
  }
  find(inputs, kind, next);
  const moved = users(kind).filter((input) => tenants.length === 0 || matchesTenant(id(input), tenants));
  if (moved.length === 0) {
    const none = tenants.find((glob) => !clusters.some((cluster) => matchesTenant(id(cluster), [glob])));
    if (none !== undefined) throw noTenant(none, clusters.map(id));
    throw new TenantplaneError('usage', `--use ${text}: no tenant of ${tenants.join(', ')} uses ${old}.`, {
      hint: `Tenants that do: ${some(users(kind).map(id))} (--tenants).`,
    });
  }
  let now = inputs;
  for (const input of moved) {
    const object = clone(input.object);
    editAt(object, ['spec', REFS[kind], 'name'], 'set', next);
    now = replaced(now, input, object);
  }
  return now;
}

function isConfiguration({ object, source }: InputObject): boolean {
  return isConfigObject(object) && objectsFolder(source.path) === undefined;
}

function sameObject(a: JsonObject, b: JsonObject): boolean {
  return kindOf(a) === kindOf(b) && nameOf(a) === nameOf(b) && (namespaceOf(a) ?? '') === (namespaceOf(b) ?? '');
}

function id({ object }: InputObject): string {
  const namespace = namespaceOf(object);
  return namespace === undefined ? nameOf(object) : `${namespace}/${nameOf(object)}`;
}

/** `IsolationProfile/restricted`, `TenantCluster/team-dev/dev` or, where one has that name, `TenantCluster/dev`. */
function find(inputs: readonly InputObject[], kind: string, name: string): InputObject {
  const all = inputs.filter(isConfiguration);
  const ofKind = all.filter(({ object }) => kindOf(object).toLowerCase() === kind.toLowerCase());
  if (ofKind.length === 0) {
    const kinds = [...new Set(all.map(({ object }) => kindOf(object)))];
    throw new TenantplaneError('usage', `The package has no ${kind}.`, { hint: `It has: ${kinds.join(', ')}.${guess(kind, kinds)}` });
  }
  const found = ofKind.filter((input) => id(input) === name || nameOf(input.object) === name);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const names = ofKind.map(id);
  throw new TenantplaneError(
    'usage',
    found.length > 1 ? `There are ${found.length} ${kind} objects called ${name}.` : `There is no ${kind} ${name}.`,
    {
      hint: `${names.length <= 10 ? `There are: ${names.join(', ')}.` : `There are ${names.length}.`}${guess(name, names)}`,
    },
  );
}

function guess(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** The edited object, held against the schema: what was legal must still be. */
function checked(before: InputObject | undefined, object: JsonObject, where: string): JsonObject {
  const known = new Set(
    (before === undefined ? [] : checkConfig(before.object).problems).map(({ pointer, message }) => `${pointer} ${message}`),
  );
  const problem = checkConfig(object).problems.find(({ pointer, message }) => !known.has(`${pointer} ${message}`));
  if (problem === undefined) return object;
  throw new TenantplaneError('usage', `${where}: ${problem.message}`, { hint: problem.remedy });
}

function replaced(inputs: readonly InputObject[], input: InputObject, object: JsonObject): readonly InputObject[] {
  return inputs.map((other) => (other === input ? { ...input, object } : other));
}
