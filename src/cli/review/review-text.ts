import { alike, tellingFields } from '../../core/review/alike.ts';
import { byUrgency, type CauseGroup, groupsByCause, URGENCY } from '../../core/review/order.ts';
import type { HostChange, InputChange, IsolationChange, Review, ReviewSide } from '../../core/review/review.ts';
import { causeName, objectName } from '../../report/change-words.ts';
import { visible } from '../../report/escape.ts';
import { listing, plural, type TextStyle, type Tone, wrapped } from '../../report/text.ts';
import { committedLines, outOfScopeLines, refusalLines, stopLines } from './findings-text.ts';
import { countsText, effectCounts, effectWords, fieldText, groupTitle, VERB_SIGN, verdict } from './review-words.ts';

export interface ReviewTextOptions {
  readonly mode: 'causes' | 'reasons' | 'summary';
}

/** Most fields of one object, and edits of one group, that are told before `-v`. */
const MOST = 6;

export function reviewText(review: Review, { mode }: ReviewTextOptions, style: TextStyle): string {
  const lines = head(review, mode, style);
  if (mode === 'reasons') lines.push(...reasons(review, style));
  else if (mode === 'causes') lines.push(...groupsByCause(review).flatMap((group) => ['', ...groupLines(group, style)]));
  lines.push(...isolationLines(review.isolation, mode, style), ...refusalLines(review.refusals, mode, style));
  lines.push(...outOfScopeLines(review.outOfScope, mode, style));
  return `${lines.flatMap((line) => wrapped(line, style.width)).join('\n')}\n`;
}

function head(review: Review, mode: ReviewTextOptions['mode'], style: TextStyle): string[] {
  const counts = effectCounts(review, URGENCY);
  return [
    visible(`${sideText(review.before)} -> ${sideText(review.after)}`),
    ...committedLines(review.committed, mode, style),
    style.paint('strong', verdict(review)),
    ...(counts.length === 0 ? [] : [`  ${counts.join(' · ')}`]),
    ...stopLines(review, style),
  ];
}

function sideText({ label, commit }: ReviewSide): string {
  return commit === undefined || commit.startsWith(label) ? label : `${label} (${commit.slice(0, 12)})`;
}

function groupLines(group: CauseGroup, style: TextStyle): string[] {
  const edits = group.causes.length <= MOST || style.verbose ? group.causes : group.causes.slice(0, MOST);
  const blocks = alike(group.changes).map((changes) => changeLines(changes, style));
  return [
    ...edits.flatMap((cause, index) => causeLines(cause, index > 0, style)),
    ...(edits.length < group.causes.length
      ? [style.paint('dim', `  … and/or ${group.causes.length - edits.length} more edits (-v lists them all)`)]
      : []),
    `  ${plural(group.changes.length, 'object')} ${countsText(group.changes)}`,
    ...listing(blocks, 'sorts of change', style),
  ];
}

/** The edit, and where it stands: `IsolationProfile restricted  platform/profiles.yaml:6`. */
function causeLines(cause: InputChange, more: boolean, style: TextStyle): string[] {
  const place = cause.file === '' ? '' : `  ${style.sourcePath(cause.file)}${cause.line === undefined ? '' : `:${cause.line}`}`;
  const verb = cause.verb === 'changed' ? '' : ` ${cause.verb}`;
  const title = visible(`${more ? 'and/or ' : ''}${causeName(cause)}${verb}${place}`);
  const fields = cause.role === 'object' ? [] : cause.fields.slice(0, MOST).map((field) => `    ${visible(fieldText(field))}`);
  return [style.paint('strong', title), ...fields];
}

const TONE: Readonly<Record<HostChange['verb'], Tone>> = { added: 'added', changed: 'changed', removed: 'removed' };

/** Objects that change alike: the first by name, the others counted. */
function changeLines(changes: readonly HostChange[], style: TextStyle): string[] {
  const [first] = changes;
  if (first === undefined) return [];
  const named = style.verbose ? changes : [first];
  const effects = effectWords(first.effects);
  const reason = `${first.code} ${first.reason}${effects === '' ? '' : `  [${effects}]`}`;
  const rest = changes.length - named.length;
  const all = style.verbose ? first.fields : tellingFields(first);
  const fields = style.verbose ? all : all.slice(0, MOST);
  return [
    ...named.map((change) => style.paint(TONE[change.verb], visible(`  ${VERB_SIGN[change.verb]} ${objectName(change.host)}  ${reason}`))),
    ...(rest > 0
      ? [
          style.paint(
            'dim',
            `    and ${rest} more ${first.host.kind} ${rest === 1 ? 'object' : 'objects'} alike, of ${plural(tenantsIn(changes), 'tenant')} in all`,
          ),
        ]
      : []),
    ...(first.verb === 'removed' && first.reason !== 'SourceRemoved' ? [visible(`      ${first.message}`)] : []),
    ...fields.map((field) => visible(`      ${fieldText(field)}`)),
    ...(fields.length < all.length
      ? [style.paint('dim', `      … and ${all.length - fields.length} more fields (-v lists them all)`)]
      : []),
  ];
}

function tenantsIn(changes: readonly HostChange[]): number {
  return new Set(changes.map(({ tenant }) => tenant ?? '')).size;
}

function reasons(review: Review, style: TextStyle): string[] {
  const groups = new Map<string, HostChange[]>();
  for (const change of [...review.changes].sort(byUrgency)) {
    const key = `${change.code} ${change.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const causes = new Map(groupsByCause(review).flatMap((group) => group.changes.map((change) => [change, groupTitle(group)] as const)));
  const rows = [...groups].map(([reason, changes]) => [
    `  ${reason}  ${countsText(changes)}  in ${plural(tenantsIn(changes), 'tenant')}`,
    ...[...new Set(changes.map((change) => `    cause: ${visible(causes.get(change) ?? '')}`))].slice(0, MOST),
  ]);
  return rows.length === 0 ? [] : ['', ...listing(rows, 'reasons', style)];
}

function isolationLines(rows: readonly IsolationChange[], mode: ReviewTextOptions['mode'], style: TextStyle): string[] {
  if (rows.length === 0 || mode === 'summary') return [];
  const groups = new Map<string, IsolationChange[]>();
  for (const row of rows) {
    const key = `${row.control}: ${row.before} -> ${row.after}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const order = ['weaker', 'different', 'stronger'];
  const sorted = [...groups].sort(([, [a]], [, [b]]) => order.indexOf(a?.direction ?? '') - order.indexOf(b?.direction ?? ''));
  const blocks = sorted.map(([text, [first, ...others]]) => {
    const tenants = others.length === 0 ? (first?.tenant ?? '') : plural(others.length + 1, 'tenant');
    const line = visible(`  ${first?.direction}  ${text}  for ${tenants}`);
    return [first?.direction === 'weaker' ? style.paint('refused', line) : line];
  });
  return ['', style.paint('strong', 'isolation'), ...listing(blocks, 'controls', style)];
}
