import { digest } from '../identity/digest.ts';
import { MAPPING } from '../identity/metadata.ts';
import { dotted } from '../kube/pointer.ts';
import type { Change, Note } from '../translate/edit.ts';
import type { Action, Decision, DecisionNote, Flow, ObjectRef, TraceStep } from './decision.ts';
import { fill, type ReasonName, reasonOf } from './reasons.ts';

/** What a decision is made from; sentence, severity, code and id follow from it. */
export interface DecisionInput {
  readonly tenant: Decision['tenant'];
  readonly source?: NonNullable<Decision['source']>;
  readonly host?: NonNullable<Decision['host']>;
  readonly flow: Flow;
  readonly action: Action;
  readonly reason: ReasonName;
  readonly params: Readonly<Record<string, string>>;
  readonly remedy?: string;
  readonly causes: readonly string[];
  readonly trace?: readonly TraceStep[];
  readonly fields?: readonly Change[];
  /** where the fields are left out */
  readonly rewrites?: readonly string[];
  readonly notes?: readonly Note[];
}

export function decide(input: DecisionInput): Decision {
  const row = reasonOf(input.reason);
  const fields = input.fields ?? [];
  return {
    tenant: input.tenant,
    ...(input.source !== undefined && { source: input.source }),
    ...(input.host !== undefined && { host: input.host }),
    flow: input.flow,
    action: input.action,
    disposition: row.disposition,
    reason: input.reason,
    code: row.code,
    severity: row.severity,
    message: sentence(row.message, input.params),
    params: input.params,
    remedy: input.remedy ?? fill(row.remedy, input.params),
    causes: input.causes,
    trace: input.trace ?? [],
    fields,
    rewrites: input.rewrites ?? rewriteIds(fields),
    notes: (input.notes ?? []).map(decisionNote),
  };
}

/** Content address of a decision: of mapping, tenant, the identity of its subject, flow and code. Worked out where it is printed. */
export function decisionId({ tenant, source, host, flow, code }: Decision): string {
  const subject: ObjectRef | undefined = source ?? host;
  const identity = subject === undefined ? [] : [subject.apiVersion, subject.kind, subject.namespace, subject.name];
  return `d-${digest([MAPPING, tenant.namespace, tenant.name, ...identity, flow, code], 16)}`;
}

/** The ids of the rules that changed something, sorted. */
export function rewriteIds(fields: readonly Change[]): readonly string[] {
  const ids = new Set<string>();
  for (const field of fields) ids.add(field.rule);
  return [...ids].sort();
}

export function decisionNote(note: Note): DecisionNote {
  const params = withPointer(note);
  const { remedy } = note;
  const key = `${note.reason}|${note.path?.join('/') ?? ''}|${remedy ?? ''}|${Object.values(params).join('|')}`;
  const known = NOTES.get(key);
  if (known !== undefined && sameParams(known.params, params)) return known;
  const row = reasonOf(note.reason);
  const made: DecisionNote = {
    ...note,
    params,
    code: row.code,
    severity: row.severity,
    message: fill(row.message, params),
    remedy: remedy ?? fill(row.remedy, params),
  };
  if (NOTES.size < REMEMBERED) NOTES.set(key, made);
  return made;
}

/** A fleet says the same of many objects; what is said is kept once. Bounded, since names in it are the tenants'. */
const NOTES = new Map<string, DecisionNote>();
const REMEMBERED = 4096;

function sameParams(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** The sentence of a decision; parameters that several decisions share give one string. */
function sentence(template: string, params: Readonly<Record<string, string>>): string {
  const known = SENTENCES.get(params);
  if (known !== undefined && known.template === template) return known.text;
  const text = fill(template, params);
  SENTENCES.set(params, { template, text });
  return text;
}

const SENTENCES: WeakMap<object, { readonly template: string; readonly text: string }> = new WeakMap();

/** Sentences name the place in dotted form, as KRM results do. */
export function withPointer(note: Note): Readonly<Record<string, string>> {
  return note.path === undefined || note.params['pointer'] !== undefined ? note.params : { ...note.params, pointer: dotted(note.path) };
}
