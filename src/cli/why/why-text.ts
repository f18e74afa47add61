import type { Decision, ObjectRef } from '../../core/decision/decision.ts';
import { RULES, type RuleId } from '../../core/translate/rules.ts';
import type { TreeNode } from '../../report/answer/answer.ts';
import { field } from '../../report/decision-record.ts';
import { visible } from '../../report/escape.ts';
import { jsonText } from '../../report/json-text.ts';
import { MARKS } from '../../report/marks.ts';
import { plural, some, type TextStyle } from '../../report/text.ts';
import type { LastChange } from './git-facts.ts';
import { heldWords } from './held.ts';
import { leavingLines } from './leaving-words.ts';
import { placeWords } from './places.ts';
import { stays } from './standing-copy.ts';
import type { WhyEntry } from './why-entry.ts';

export function refWords({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** The host object that stands for the subject: what is planned, or what the tree still has of a refused one. */
export function hostOf({ decision, leaving }: Pick<WhyEntry, 'decision' | 'leaving'>): Decision['host'] {
  return leaving?.removal.host ?? decision.host;
}

const STAYS = 'stays as it was last rendered';

type Binding = 'free' | 'held' | 'standing';

const BECAUSE: Readonly<Record<Binding, Readonly<Record<Decision['action'], string>>>> = {
  free: { Create: 'exists because', Update: 'exists because', Delete: 'leaves because', Skip: 'is not on the host because' },
  // nothing of it is written now: what stands in the tree is from an earlier render
  held: { Create: 'would exist because', Update: 'would exist because', Delete: 'would leave because', Skip: 'is not on the host because' },
  standing: {
    Create: `${STAYS}; it would exist because`,
    Update: `${STAYS}; it would exist because`,
    Delete: `${STAYS}; it would leave because`,
    Skip: `${STAYS}; it would leave because`,
  },
};

/** What stands in the tree of a frozen tenant stays there, whatever becomes of it once the tenant is mended. */
function bindingOf({ held, file }: WhyEntry): Binding {
  if (held === undefined) return 'free';
  return held.state === 'frozen' && file !== undefined && file.state !== 'missing' ? 'standing' : 'held';
}

/** What an answer says of one subject, as a tree: text and `-o tree` print the same. */
export function whyTree(entry: WhyEntry, style: TextStyle): TreeNode {
  const { decision, source, causes, enforces, git } = entry;
  const host = hostOf(entry);
  const subject = decision.host ?? decision.source;
  // what is refused, and stands in the tree, leaves
  const action = entry.leaving === undefined ? decision.action : 'Delete';
  const because = stays(decision) ? `${STAYS} because` : BECAUSE[bindingOf(entry)][action];
  const rows: [label: string, text: string, where: string, last?: LastChange | undefined][] = [];
  if (decision.source !== undefined && source !== undefined)
    rows.push(['source', `${refWords(decision.source)}${tenantWords(decision)}`, placeWords(source, style), git?.source]);
  else if (decision.tenant.name !== '') rows.push(['tenant', `${decision.tenant.namespace}/${decision.tenant.name}`, '']);
  causes.forEach(({ text, role, place, implied }, index) => {
    const where = place === undefined ? '' : placeWords(place, style);
    rows.push([role, text, `${where}${implied === undefined ? '' : ` (${implied})`}`, index === 0 ? git?.rule : undefined]);
  });
  for (const { tenant, control } of enforces.slice(0, MOST))
    rows.push(['enforces', `${control.field}=${control.value}${decision.tenant.name === '' ? ` of ${tenant}` : ''}`, '']);
  if (entry.users.length > 0) rows.push(['tenants', some(entry.users), '']);
  if (enforces.length > MOST) rows.push(['enforces', `${enforces.length - MOST} more`, '']);
  if (entry.file !== undefined && host !== undefined) rows.push(['file', `${style.hostPrefix}${host.file}`, entry.file.words, git?.file]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const wide = Math.min(90, Math.max(...rows.map(([, text, where]) => (where === '' ? 0 : text.length))));
  const children = rows.map(([label, text, where, last]) => ({
    text: [label.padEnd(width), text.padEnd(wide), where, ...(last === undefined ? [] : [last.words])]
      .filter((part) => part !== '')
      .join('  ')
      .trimEnd(),
    children: [],
  }));
  const reason: TreeNode = { text: `${because}  ${decision.code} ${decision.reason}: ${decision.message}`, children };
  return { text: subject === undefined ? 'an object without a name' : refWords(subject), children: [reason] };
}

const MOST = 10;

/** What is said below the tree: what was changed on the way and why, notes, what differs on the disk. */
export function whyDetails(entry: WhyEntry, style: TextStyle): readonly string[] {
  const { decision, file, held } = entry;
  const lines: string[] = [];
  if (entry.sourceless !== undefined) lines.push(entry.sourceless);
  if (entry.leaving !== undefined) lines.push(...leavingLines(entry.leaving, style));
  if (held !== undefined) lines.push(heldWords(held), ...(held.remedy === undefined ? [] : [`try: ${held.remedy}`]));
  if (file !== undefined && file.fields.length > 0) lines.push(`differs from a render in ${some(file.fields)}`);
  if (decision.fields.length > 0) lines.push('changed on the way', ...changeLines(decision, style));
  for (const note of decision.notes.filter(({ severity }) => style.verbose || severity !== 'info'))
    lines.push(
      `${MARKS[note.severity]} ${note.code} ${note.reason}: ${note.message}`,
      ...(note.remedy === '' ? [] : [`  try: ${note.remedy}`]),
    );
  const quiet = decision.notes.filter(({ severity }) => severity === 'info').length;
  if (!style.verbose && quiet > 0) lines.push(`${plural(quiet, 'note')} for the record (-v)`);
  if (decision.remedy !== '' && decision.action !== 'Create' && decision.remedy !== held?.remedy) lines.push(`try: ${decision.remedy}`);
  return lines;
}

/** By rule: its sentence, then each field. */
function changeLines(decision: Decision, style: TextStyle): string[] {
  const lines: string[] = [];
  const rules = [...new Set(decision.fields.map(({ rule }) => rule))];
  for (const rule of rules) {
    lines.push(`  ${rule}  ${ruleWords(rule)}`);
    const changes = decision.fields.filter((change) => change.rule === rule).map((change) => field(change, decision));
    const shown = style.verbose ? changes : changes.slice(0, MOST);
    for (const change of shown) {
      const [before, after] = [change['before'], change['after']];
      const values = [before, after].map((value) => (value === undefined ? '' : short(jsonText(value))));
      const sign = SIGNS[String(change['op'])] ?? '~';
      const arrow = before !== undefined && after !== undefined ? ' -> ' : '';
      lines.push(`    ${sign} ${String(change['pointer'])}  ${values[0] ?? ''}${arrow}${values[1] ?? ''}`.trimEnd());
    }
    if (shown.length < changes.length) lines.push(`    … and ${changes.length - shown.length} more fields (-v lists them all)`);
  }
  return lines;
}

const SIGNS: Readonly<Record<string, string>> = { Add: '+', Replace: '~', Remove: '-' };

export function ruleWords(rule: RuleId): string {
  return RULES[rule];
}

export function short(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80).replace(/[\ud800-\udbff]$/, '')}…`;
}

function tenantWords({ tenant }: Decision): string {
  return tenant.name === '' ? '' : ` of tenant ${tenant.namespace}/${tenant.name}`;
}

export function joined(lines: readonly string[]): string {
  return `${lines.map(visible).join('\n')}\n`;
}

/** What is said of each subject, at most `style.limit` of them: a name alone may be that of an object of every tenant. */
export function blocks<T>(entries: readonly T[], textOf: (entry: T) => string, { verbose, limit }: TextStyle): string {
  const shown = verbose || entries.length <= limit + 1 ? entries : entries.slice(0, limit);
  const more = entries.length - shown.length;
  const rest = more === 0 ? [] : [`… and ${more} more that are called so (-v lists them all, -o table in a line each)\n`];
  return [...shown.map(textOf), ...rest].join('\n');
}
