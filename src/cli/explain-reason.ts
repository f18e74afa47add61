import { type Reason, type ReasonName, reasonOf } from '../core/decision/reasons.ts';
import { columns } from '../report/text.ts';
import { REMEDY_WORDS } from './remedy-words.ts';
import { PARAMETER_WORDS } from './whys/parameter-words.ts';
import { WHYS } from './whys/whys.ts';

/** All that is known of a code without a case at hand: `explain-code` prints it, and the docs site has a page of it. */
export interface ReasonRecord extends Reason {
  readonly name: ReasonName;
  readonly chapter: string;
  /** why the rule exists */
  readonly why: string;
  /** the page that tells more */
  readonly docs: string;
  /** the words in braces, each with what it stands for */
  readonly parameters: Readonly<Record<string, string>>;
  /** what to do, also where the registry leaves that to the case; empty where nothing is to be done */
  readonly advice: string;
}

export const CHAPTERS: Readonly<Record<string, string>> = {
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

export const SEVERITIES: Readonly<Record<Reason['severity'], string>> = {
  info: 'for the record; nobody has to act',
  warning: 'the object is not rendered, or is rendered and wants a look; nothing else is held up',
  error: 'the tenant’s tree stays as it last was until this is fixed',
};

export function reasonRecord(name: ReasonName): ReasonRecord {
  const reason = reasonOf(name);
  const [docs, why] = WHYS[name];
  const advice = REMEDY_WORDS[name] ?? reason.remedy;
  const words = [...`${reason.message} ${advice}`.matchAll(/\{(\w+)\}/g)].map(([, word = '']): [string, string] => [
    word,
    PARAMETER_WORDS[word] ?? '',
  ]);
  const chapter = CHAPTERS[reason.code.charAt(2)] ?? '';
  return { ...reason, name, chapter, why, docs: `docs/${docs}.md`, parameters: Object.fromEntries(words), advice };
}

export function reasonPage(name: ReasonName): string {
  const { code, message, disposition, severity, chapter, why, docs, parameters, advice } = reasonRecord(name);
  const lines = [
    `${code} ${name}`,
    '',
    `  ${message}`,
    '',
    `Disposition  ${disposition}`,
    `Severity     ${severity}: ${SEVERITIES[severity]}`,
    `Chapter      ${chapter}`,
    `Read more    ${docs}`,
    '',
    'Why',
    `  ${why}`,
  ];
  if (advice !== '') lines.push('', 'What to do', `  ${advice}`);
  const words = Object.entries(parameters);
  if (words.length > 0)
    lines.push(
      '',
      'Words in braces are filled in with the case at hand.',
      ...columns(words.map(([word, stands]): [string, string] => [`  ${word}`, stands])),
    );
  return `${lines.join('\n')}\n`;
}
