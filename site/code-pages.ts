import { CHAPTERS, type ReasonRecord, reasonRecord, SEVERITIES } from '../src/cli/explain-reason.ts';
import { REASONS, type ReasonName } from '../src/core/decision/reasons.ts';
import { cells, type Page, plain } from './page.ts';
import { type Sighting, sightings } from './seen.ts';

const NAMES = Object.keys(REASONS).filter((name): name is ReasonName => Object.hasOwn(REASONS, name));

/** A page for each reason code, and one that lists them. */
export function codePages(docs: string): readonly Page[] {
  const seen = sightings(docs);
  const records = NAMES.map(reasonRecord).sort((a, b) => (a.code < b.code ? -1 : 1));
  return [{ path: 'codes/index.md', text: list(records) }, ...records.map((record) => codePage(record, seen.get(record.code)))];
}

function codePage(record: ReasonRecord, seen: Sighting | undefined): Page {
  const { code, name, message, disposition, severity, chapter, why, docs, parameters, advice } = record;
  const lines = [
    `# ${code} ${name}`,
    '',
    `> ${plain(message)}`,
    '',
    `**${disposition}**, severity **${severity}**: ${plain(SEVERITIES[severity])}. Chapter: ${chapter}.`,
    '',
    '## Why',
    '',
    `${plain(why)} [Read more](../${docs.slice('docs/'.length)})`,
    '',
    '## What to do',
    '',
    advice === '' ? 'Nothing.' : plain(advice),
  ];
  const words = Object.entries(parameters);
  if (words.length > 0)
    lines.push(
      '',
      '## Words in braces',
      '',
      cells('word', 'stands for'),
      '|---|---|',
      ...words.map(([word, says]) => cells(`\`${word}\``, says)),
    );
  if (seen !== undefined)
    lines.push(
      '',
      '## An example',
      '',
      cells('input', 'answer'),
      '|---|---|',
      cells(seen.input, seen.said),
      '',
      `A test puts this in; it stands among [many others](../${seen.page}).`,
    );
  lines.push('', '## On the command line', '', '```console', `$ tenantplane explain-code ${code}`, '```', '');
  return { path: `codes/${code}.md`, text: lines.join('\n') };
}

function list(records: readonly ReasonRecord[]): string {
  const chapters = Object.entries(CHAPTERS).flatMap(([digit, title]) => {
    const rows = records.filter(({ code }) => code.charAt(2) === digit);
    if (rows.length === 0) return [];
    const table = rows.map(({ code, name, message }) => cells(`[${code}](${code}.md)`, name, plain(message)));
    return ['', `## ${digit}xxx: ${title}`, '', cells('code', 'name', 'sentence'), '|---|---|---|', ...table];
  });
  return ['# Reason codes', '', 'Each decision and finding carries one. `tenantplane explain-code` tells the same.', ...chapters, ''].join(
    '\n',
  );
}
