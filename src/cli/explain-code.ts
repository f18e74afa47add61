import { REASONS, type Reason, type ReasonName, reasonOf } from '../core/decision/reasons.ts';
import { jsonText } from '../report/json-text.ts';
import type { ReportKind } from '../report/schemas/report-kinds.ts';
import { columns } from '../report/text.ts';
import { nearest } from '../schema/nearest.ts';
import { TenantplaneError } from './errors.ts';
import { CHAPTERS, reasonPage, reasonRecord } from './explain-reason.ts';
import { ruleIds, rulePage, ruleRecord, rulesOfControl } from './explain-rule.ts';

const NAMES = Object.keys(REASONS).filter((name): name is ReasonName => Object.hasOwn(REASONS, name));

/** What is known of some codes, or the list of all, and the error of those that there are not. */
export function explainCodes(
  queries: readonly string[],
  format: 'text' | 'json',
): { readonly text: string; readonly unknown?: TenantplaneError } {
  const answers = queries.map((query) => ({ query, found: answer(query) }));
  const missing = answers.filter(({ found }) => found === undefined).map(({ query }) => query);
  const found = answers.flatMap((each) => each.found ?? []);
  return {
    text: found.length === 0 && queries.length > 0 ? '' : textOf(found, format),
    ...(missing.length > 0 && { unknown: noCode(missing) }),
  };
}

function textOf(found: readonly Answer[], format: 'text' | 'json'): string {
  if (format === 'text' && found.length > 0) return [...new Set(found.map((answer) => answer.page))].join('\n');
  const [only] = found;
  if (only !== undefined && found.length === 1) return `${jsonText(only.record, 2)}\n`;
  const all = NAMES.map((name) => [name, reasonOf(name)] as const).sort(([, a], [, b]) => number(a) - number(b));
  if (format === 'text') return list(all);
  const items = found.length > 0 ? found.map((answer) => answer.record) : all.map(([name]) => record(name));
  return `${jsonText({ apiVersion: 'report.tenantplane.io/v1alpha1', kind: 'ReasonList' satisfies ReportKind, items }, 2)}\n`;
}

/** Every code, every name and every rule of the host's admission policies, for completion. */
export function codeWords(): readonly string[] {
  return [...NAMES.map((name) => reasonOf(name).code).sort(), ...NAMES, ...ruleIds()];
}

interface Answer {
  readonly page: string;
  readonly record: Readonly<Record<string, string | null | Readonly<Record<string, string>>>>;
}

function reasonAnswer(name: ReasonName): Answer {
  return { page: reasonPage(name), record: record(name) };
}

function ruleAnswer(id: string): Answer | undefined {
  const [page, record] = [rulePage(id), ruleRecord(id)];
  return page === undefined || record === undefined ? undefined : { page, record };
}

function list(all: readonly (readonly [string, Reason])[]): string {
  const lines: string[] = [];
  let chapter = '';
  const rows = columns(all.map(([name, reason]): [string, string] => [`  ${reason.code} ${name}`, reason.message]));
  for (const [index, [, reason]] of all.entries()) {
    const digit = reason.code.charAt(2);
    if (digit !== chapter) lines.push(`${lines.length === 0 ? '' : '\n'}${digit}xxx ${CHAPTERS[digit] ?? ''}`);
    chapter = digit;
    lines.push(rows[index] ?? '');
  }
  return `${lines.join('\n')}\n`;
}

function record(name: ReasonName): Answer['record'] {
  const { code, disposition, severity, message, remedy, why, docs, parameters } = reasonRecord(name);
  return { code, name, disposition, severity, message, why, docs, parameters, remedy: remedy === '' ? null : remedy };
}

function answer(query: string): Answer | undefined {
  const wanted = query.toUpperCase().replace(/^(TP)?(?=\d{4}$)/, 'TP');
  const name = NAMES.find((known) => known.toUpperCase() === wanted || reasonOf(known).code === wanted);
  return ruleAnswer(query) ?? (name === undefined ? undefined : reasonAnswer(name));
}

/** One error for all that there are not, each with what was most likely meant. */
function noCode(queries: readonly string[]): TenantplaneError {
  const hints = queries.flatMap((query) => {
    const rules = rulesOfControl(query);
    if (rules.length > 0)
      return `${query} is a control; on the host it is kept by ${rules.length === 1 ? 'rule' : 'rules'} ${rules.join(', ')}.`;
    const near = meant(query);
    return near.length === 0 ? [] : `Did you mean ${near.join(' or ')}?`;
  });
  return new TenantplaneError('usage', `There is no reason code ${queries.join(' or ')}.`, {
    hint: [...hints, 'tenantplane explain-code lists them all.'].join(' '),
  });
}

/** Names that hold what was asked for, those that begin with it first; otherwise the one that is spelled most like it. */
function meant(query: string): readonly string[] {
  const word = query.toLowerCase();
  const code = /^(?:tp)?(\d+)$/.exec(word)?.[1];
  if (code !== undefined) {
    const near = nearest(`TP${code}`, codesNear(code));
    return near === undefined ? [] : [near];
  }
  const held = word.length < 4 ? [] : NAMES.filter((name) => name.toLowerCase().includes(word));
  const first = held.filter((name) => name.toLowerCase().startsWith(word));
  const some = first.length > 0 ? first : held;
  if (some.length > 0 && some.length <= FEW) return some;
  const near = nearest(query, NAMES);
  return near === undefined ? some.slice(0, FEW) : [near];
}

const FEW = 4;

/** Codes of the same thousand first: whoever mistypes a number knows its chapter. */
function codesNear(code: string): readonly string[] {
  const codes = NAMES.map((name) => reasonOf(name).code as string).sort();
  return [...codes.filter((known) => known.charAt(2) === code.charAt(0)), ...codes];
}

function number(reason: Reason): number {
  return Number(reason.code.slice(2));
}
