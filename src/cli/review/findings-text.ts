import { reasonOf } from '../../core/decision/reasons.ts';
import type { CommittedTree, OutOfScopeChange, RefusalChange, RefusalReason, Review } from '../../core/review/review.ts';
import { committedTitle, objectName } from '../../report/change-words.ts';
import { visible } from '../../report/escape.ts';
import { listing, plural, type TextStyle } from '../../report/text.ts';
import type { ReviewTextOptions } from './review-text.ts';
import { committedCounts } from './review-words.ts';

type Mode = ReviewTextOptions['mode'];

/** That the committed tree is not its package's, before all else: what is applied is that tree. */
export function committedLines(committed: CommittedTree | undefined, mode: Mode, style: TextStyle): string[] {
  if (committed === undefined) return [];
  const { foreign, replaced, changed, missing, extra } = committed;
  const file = (path: string): string => visible(style.sourcePath(path));
  const not = (path: string, reason: 'TreeFileForeign' | 'HostObjectForeign'): string[] => [
    style.paint('refused', `  ! ${file(path)}  ${reasonOf(reason).code} ${reason}`),
  ];
  const blocks = [
    ...foreign.map((path) => not(path, 'TreeFileForeign')),
    ...replaced.map((path) => not(path, 'HostObjectForeign')),
    ...changed.map((path) => [style.paint('changed', `  ~ ${file(path)}`)]),
    ...missing.map((path) => [style.paint('added', `  + ${file(path)}`)]),
    ...extra.map((path) => [style.paint('removed', `  - ${file(path)}`)]),
  ];
  const again = style.packageWords || ' .';
  const out = foreign.length === 0 ? '' : 'move what is marked ! out of the tree, which is applied with it; then: ';
  return [
    style.paint('refused', `! ${committedTitle(committed)}: ${committedCounts(committed)}`),
    ...(mode === 'summary' ? [] : listing(blocks, 'files', style)),
    ...(replaced.length === 0 ? [] : [`  ${reasonOf('HostObjectForeign').code}: ${reasonOf('HostObjectForeign').remedy}`]),
    visible(`  to mend it: ${out}tenantplane render${again}`),
  ];
}

/** What stops or freezes, with the place of each mistake, and what else that means for frozen tenants. */
export function stopLines({ stopped, frozen, stops, warnings }: Review, style: TextStyle): string[] {
  const blocks = stops.map((stop) => [visible(`    ${placeText(stop.file, stop.line, style)}  ${stop.code} ${stop.reason}`)]);
  const said = warnings.map((warning) => [
    style.paint('changed', visible(`  ? ${placeText(warning.file, warning.line, style)}  ${warning.code} ${warning.reason}`)),
    visible(`      ${warning.message}`),
    ...tryText(warning),
  ]);
  return [
    ...(stopped === undefined ? [] : [style.paint('refused', visible(`! nothing would be written: ${stopped}`))]),
    ...frozen.map(({ tenant, why }) => style.paint('refused', visible(`! ${tenant} is frozen, its own objects stay as they are: ${why}`))),
    ...listing(blocks, 'mistakes', style),
    ...listing(said, 'warnings', style),
  ];
}

/** Everything that is wrong with each object, since one edit need not mend it. */
export function refusalLines(rows: readonly RefusalChange[], mode: Mode, style: TextStyle): string[] {
  const added = rows.filter(({ verb }) => verb === 'added');
  const gone = rows.length - added.length;
  if (mode === 'summary') return rows.length === 0 ? [] : [`  ${plural(added.length, 'new refusal')}, ${gone} gone`];
  const blocks = added.map((row) => [
    style.paint('refused', headText('!', row, style)),
    visible(`      ${row.message}`),
    ...tryText(row),
    ...row.also.flatMap((other) => [
      visible(`      ${alsoPlace(other, row, style)}${other.code} ${other.reason}: ${other.message}`),
      ...tryText(other),
    ]),
  ]);
  return [
    ...(added.length === 0 ? [] : ['', style.paint('strong', `would be refused: ${added.length}`), ...listing(blocks, 'refusals', style)]),
    ...(gone === 0 ? [] : ['', `no longer refused: ${gone}`]),
  ];
}

/** Objects that reach no host: nobody has to act, but whoever added one expects something. */
export function outOfScopeLines(rows: readonly OutOfScopeChange[], mode: Mode, style: TextStyle): string[] {
  if (rows.length === 0) return [];
  if (mode === 'summary') return [`  ${plural(rows.length, 'object')} newly out of scope`];
  const blocks = rows.map((row) => [headText('.', row, style), visible(`      ${row.message}`), ...tryText(row)]);
  return ['', style.paint('strong', `newly out of scope: ${rows.length}`), ...listing(blocks, 'objects out of scope', style)];
}

function headText(sign: string, { subject, tenant, file, line, code, reason }: OutOfScopeChange, style: TextStyle): string {
  const owner = tenant === undefined ? '' : ` of ${tenant}`;
  const where = file === undefined ? '' : `  ${placeText(file, line, style)}`;
  return visible(`  ${sign} ${objectName(subject)}${owner}${where}  ${code} ${reason}`);
}

/** Only where it is another line: the object's own is said. */
function alsoPlace({ line }: RefusalReason, row: OutOfScopeChange, style: TextStyle): string {
  return row.file === undefined || line === undefined || line === row.line ? '' : `${placeText(row.file, line, style)}  `;
}

function placeText(file: string, line: number | undefined, style: TextStyle): string {
  return `${style.sourcePath(file)}${line === undefined ? '' : `:${line}`}`;
}

function tryText({ remedy }: RefusalReason): string[] {
  return remedy === '' ? [] : [visible(`      try: ${remedy}`)];
}
