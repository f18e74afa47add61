import { REASONS, type Reason, type ReasonName, reasonOf } from '../core/decision/reasons.ts';
import { jsonText } from '../report/json-text.ts';
import { columns } from '../report/text.ts';
import { nearest } from '../schema/nearest.ts';
import { TenantplaneError } from './errors.ts';

const CHAPTERS: Readonly<Record<string, string>> = {
  '1': 'identity and references',
  '2': 'scope and policy',
  '3': 'isolation and translation',
  '4': 'conflicts',
  '5': 'removal',
  '6': 'waiting',
  '7': 'changes over time',
  '8': 'answers of the host',
  '9': 'input and output',
};

const NAMES = Object.keys(REASONS).filter((name): name is ReasonName => Object.hasOwn(REASONS, name));

/** The page of one code, or the list of all. */
export function explainCode(query: string | undefined, format: 'text' | 'json'): string {
  if (query === undefined) {
    const all = NAMES.map((name) => [name, reasonOf(name)] as const).sort(([, a], [, b]) => number(a) - number(b));
    if (format === 'json')
      return `${jsonText({ apiVersion: 'report.tenantplane.io/v1alpha1', kind: 'ReasonList', items: all.map(record) }, 2)}\n`;
    return list(all);
  }
  const name = find(query);
  const reason = reasonOf(name);
  if (format === 'json') return `${jsonText(record([name, reason]), 2)}\n`;
  const lines = [
    `${reason.code} ${name}`,
    '',
    `  ${reason.message}`,
    '',
    `Disposition  ${reason.disposition}`,
    `Severity     ${reason.severity}: ${SEVERITIES[reason.severity]}`,
    `Chapter      ${CHAPTERS[reason.code.charAt(2)] ?? ''}`,
  ];
  if (reason.remedy !== '') lines.push('', 'What to do', `  ${reason.remedy}`);
  if (/\{\w+\}/.test(reason.message + reason.remedy)) lines.push('', 'Words in braces are filled in with the case at hand.');
  return `${lines.join('\n')}\n`;
}

const SEVERITIES: Readonly<Record<Reason['severity'], string>> = {
  info: 'for the record; nobody has to act',
  warning: 'the object is not rendered, or is rendered and wants a look; nothing else is held up',
  error: 'the tenant’s tree stays as it last was until this is fixed',
};

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

function record([name, reason]: readonly [string, Reason]): Record<string, string | null> {
  const { code, disposition, severity, message, remedy } = reason;
  return { code, name, disposition, severity, message, remedy: remedy === '' ? null : remedy };
}

function find(query: string): ReasonName {
  const wanted = query.toUpperCase().replace(/^(TP)?(?=\d{4}$)/, 'TP');
  const found = NAMES.find((name) => name.toUpperCase() === wanted || reasonOf(name).code === wanted);
  if (found !== undefined) return found;
  const near = nearest(query, [...NAMES, ...NAMES.map((name) => reasonOf(name).code)]);
  throw new TenantplaneError('usage', `There is no reason code ${query}.`, {
    hint:
      near === undefined ? 'tenantplane explain-code lists them all.' : `Did you mean ${near}? tenantplane explain-code lists them all.`,
  });
}

function number(reason: Reason): number {
  return Number(reason.code.slice(2));
}
