import { isObject, type Json, type JsonObject } from '../../core/kube/json.ts';
import type {
  CommittedTree,
  Effect,
  FieldChange,
  HostChange,
  InputChange,
  IsolationChange,
  OutOfScopeChange,
  RefusalChange,
  RefusalReason,
  Review,
  ReviewSide,
  StopFinding,
} from '../../core/review/review.ts';

const VERBS = ['changed', 'added', 'removed'] as const;
const ROLES = ['object', 'tenant', 'profile', 'policy', 'facts', 'config', 'tool'] as const;
const DIRECTIONS = ['different', 'stronger', 'weaker'] as const;
const OPS = ['Replace', 'Add', 'Remove'] as const;
const EFFECTS: readonly Effect[] = [
  'deleted',
  'data-deleted',
  'recreated',
  'restarted',
  'isolation-weaker',
  'isolation-stronger',
  'cluster-scoped',
  'quota',
];

/**
 * A review out of the document that `diff -o json` prints. The job that comments often has rights that the one which made the document
 * has not, so nothing in it is trusted: what is of another type is empty, what is not known is left out.
 * @returns undefined where it is no such document
 */
export function readReview(document: Json): Review | undefined {
  if (!isObject(document) || document['kind'] !== 'DiffReport' || !Array.isArray(document['changes'])) return undefined;
  const stopped = optional(document, 'stopped');
  const committed = document['committed'];
  return {
    before: sideOf(document['before']),
    after: sideOf(document['after']),
    causes: objects(document, 'causes').map(causeOf),
    changes: objects(document, 'changes').map(changeOf),
    refusals: objects(document, 'refusals').map(refusalOf),
    outOfScope: objects(document, 'outOfScope').map(outOfScopeOf),
    isolation: objects(document, 'isolation').map(isolationOf),
    ...(document['notJudged'] !== undefined && { notJudged: texts(document, 'notJudged') }),
    unchanged: number(document, 'unchanged'),
    frozen: objects(document, 'frozen').map((item) => ({
      tenant: text(item, 'tenant'),
      why: text(item, 'why'),
      ...(item['newly'] === true && { newly: true as const }),
    })),
    ...(stopped !== undefined && { stopped }),
    stops: objects(document, 'stops').map(stopOf),
    warnings: objects(document, 'warnings').map(stopOf),
    ...(isObject(committed) && { committed: committedOf(committed) }),
  };
}

function sideOf(value: Json | undefined): ReviewSide {
  const side = isObject(value) ? value : {};
  const commit = optional(side, 'commit');
  return {
    label: text(side, 'label'),
    objects: number(side, 'objects'),
    tenants: number(side, 'tenants'),
    ...(commit !== undefined && { commit }),
  };
}

function causeOf(item: JsonObject): InputChange {
  return {
    id: text(item, 'id'),
    verb: oneOf(item, 'verb', VERBS),
    role: oneOf(item, 'role', ROLES),
    ref: refOf(item['ref']),
    file: text(item, 'file'),
    document: number(item, 'document'),
    fields: objects(item, 'fields').map(fieldOf),
    ...tenantOf(item),
    ...lineOf(item),
  };
}

function changeOf(item: JsonObject): HostChange {
  return {
    host: { ...refOf(item['host']), file: text(isObject(item['host']) ? item['host'] : {}, 'file') },
    verb: oneOf(item, 'verb', VERBS),
    code: text(item, 'code'),
    reason: text(item, 'reason'),
    message: text(item, 'message'),
    causes: texts(item, 'causes'),
    effects: EFFECTS.filter((effect) => texts(item, 'effects').includes(effect)),
    fields: objects(item, 'fields').map(fieldOf),
    ...tenantOf(item),
  };
}

function fieldOf(item: JsonObject): FieldChange {
  const { before, after } = item;
  const hidden = item['hidden'] === true;
  return {
    pointer: text(item, 'pointer'),
    path: text(item, 'path'),
    op: oneOf(item, 'op', OPS),
    ...(before !== undefined && !hidden && { before }),
    ...(after !== undefined && !hidden && { after }),
    ...(hidden && { hidden }),
  };
}

function refusalOf(item: JsonObject): RefusalChange {
  return { ...outOfScopeOf(item), verb: item['verb'] === 'removed' ? 'removed' : 'added', also: objects(item, 'also').map(reasonOf) };
}

function outOfScopeOf(item: JsonObject): OutOfScopeChange {
  const file = optional(item, 'file');
  return {
    ...reasonOf(item),
    subject: refOf(item['subject']),
    causes: texts(item, 'causes'),
    ...tenantOf(item),
    ...(file !== undefined && { file }),
  };
}

function stopOf(item: JsonObject): StopFinding {
  return { ...reasonOf(item), file: text(item, 'file'), document: number(item, 'document'), ...tenantOf(item) };
}

function reasonOf(item: JsonObject): RefusalReason {
  return {
    code: text(item, 'code'),
    reason: text(item, 'reason'),
    message: text(item, 'message'),
    remedy: text(item, 'remedy'),
    ...lineOf(item),
  };
}

const WORKING = ['behind', 'edited'] as const;

function committedOf(item: JsonObject): CommittedTree {
  return {
    foreign: texts(item, 'foreign'),
    replaced: texts(item, 'replaced'),
    changed: texts(item, 'changed'),
    missing: texts(item, 'missing'),
    extra: texts(item, 'extra'),
    ...(item['working'] !== undefined && { working: oneOf(item, 'working', WORKING) }),
  };
}

function lineOf(item: JsonObject): { readonly line?: number } {
  const line = item['line'];
  return typeof line === 'number' ? { line } : {};
}

function isolationOf(item: JsonObject): IsolationChange {
  return {
    tenant: text(item, 'tenant'),
    control: text(item, 'control'),
    before: text(item, 'before'),
    after: text(item, 'after'),
    direction: oneOf(item, 'direction', DIRECTIONS),
    causes: texts(item, 'causes'),
  };
}

function refOf(value: Json | undefined): InputChange['ref'] {
  const ref = isObject(value) ? value : {};
  return { apiVersion: text(ref, 'apiVersion'), kind: text(ref, 'kind'), namespace: text(ref, 'namespace'), name: text(ref, 'name') };
}

function tenantOf(item: JsonObject): { readonly tenant?: string } {
  const tenant = optional(item, 'tenant');
  return tenant === undefined ? {} : { tenant };
}

function text(item: JsonObject, key: string): string {
  return optional(item, key) ?? '';
}

function optional(item: JsonObject, key: string): string | undefined {
  const value = item[key];
  return typeof value === 'string' ? value : undefined;
}

function number(item: JsonObject, key: string): number {
  const value = item[key];
  return typeof value === 'number' ? value : 0;
}

function objects(item: JsonObject, key: string): readonly JsonObject[] {
  const value = item[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function texts(item: JsonObject, key: string): readonly string[] {
  const value = item[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The first is what an unknown word is taken for. */
function oneOf<Word extends string>(item: JsonObject, key: string, words: readonly [Word, ...Word[]]): Word {
  return words.find((word) => word === item[key]) ?? words[0];
}
