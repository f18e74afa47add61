import type { Decision, DecisionNote } from '../core/decision/decision.ts';
import { pointerOf } from '../core/decision/pointer-of.ts';
import { pointer } from '../core/kube/pointer.ts';
import { LOST } from '../core/plan/left-alone.ts';
import { visible } from './escape.ts';
import { MARKS, markOf } from './marks.ts';
import { isRefusal, outcomeOf, recordNotes } from './tally.ts';
import { listing, place, type TextStyle } from './text.ts';

/** Refusals first, each with all that is said of it and what to do; then the warnings on what is rendered. */
export function attention(decisions: readonly Decision[], style: TextStyle): string[] {
  const refused = decisions.filter(isRefusal).map((decision) => refusalBlock(decision, style));
  const warned = decisions.filter((decision) => decision.action !== 'Delete').flatMap((decision) => warningBlocks(decision, style));
  return [...listing(refused, 'refused objects', style), ...listing(warned, 'warnings', style)];
}

/** What no policy covers, a line each: nobody has to act, but nobody should have to guess either. */
export function outOfScopeLines(decisions: readonly Decision[], style: TextStyle): string[] {
  const blocks = decisions
    .filter((decision) => outcomeOf(decision) === 'outOfScope' && decision.severity === 'info')
    .map((decision) => {
      const line = `${head(markOf(decision), decision, undefined, style, `${decision.code} ${decision.reason}`)}: ${visible(decision.message)}`;
      const lines = [style.paint('dim', line)];
      if (style.verbose && decision.remedy !== '') lines.push(tryLine(decision.remedy, style));
      return lines;
    });
  return listing(blocks, 'objects out of scope', style);
}

/** One line for all objects that lie outside any `objects/` folder and are nobody's configuration: most likely they lie there by mistake. */
export function lostLines(decisions: readonly Decision[], style: TextStyle): string[] {
  const lost = decisions.filter(({ reason, causes }) => reason === 'PlatformObject' && causes.includes(LOST));
  if (lost.length === 0) return [];
  const kinds = [...new Set(lost.map(({ source }) => source?.kind ?? ''))].sort();
  const shown = kinds.length <= KINDS ? kinds.join(', ') : `${kinds.slice(0, KINDS).join(', ')} and ${kinds.length - KINDS} more kinds`;
  const [what, are] = lost.length === 1 ? ['1 object lies', 'is'] : [`${lost.length} objects lie`, 'are'];
  const list = lost.length === 1 ? '-v names it' : '-v lists them';
  return [style.paint('dim', `  . ${what} outside any objects/ folder and ${are} not rendered (${visible(shown)}): ${list}`)];
}

const KINDS = 5;

/** What was left out of, or changed on, an object that is rendered; for the record, so only where everything is asked for. */
export function noteLines(decisions: readonly Decision[], style: TextStyle): string[] {
  if (!style.verbose) return [];
  return decisions.flatMap((decision) => {
    const notes = recordNotes(decision);
    if (notes.length === 0) return [];
    return [style.paint('dim', head(MARKS.info, decision, undefined, style, '').trimEnd()), ...saidOf(notes, style)];
  });
}

function refusalBlock(decision: Decision, style: TextStyle): string[] {
  const first = { code: decision.code, reason: decision.reason, message: decision.message, remedy: decision.remedy };
  return [
    style.paint('refused', head(markOf(decision), decision, pointerOf(decision), style, `${decision.code} ${decision.reason}`)),
    ...saidOf([first, ...decision.notes], style, first.message),
  ];
}

/** Sentences by what to do about them; what would be the same line again is left out. */
function saidOf(
  items: readonly Pick<DecisionNote, 'code' | 'reason' | 'message' | 'remedy'>[],
  style: TextStyle,
  headed?: string,
): string[] {
  const byRemedy = new Map<string, Set<string>>();
  for (const { code, reason, message, remedy } of items) {
    const line = message === headed ? `    ${visible(message)}` : `    ${code} ${reason}: ${visible(message)}`;
    byRemedy.set(remedy, (byRemedy.get(remedy) ?? new Set()).add(line));
  }
  return [...byRemedy].flatMap(([remedy, lines]) => [...lines, ...(remedy === '' ? [] : [tryLine(remedy, style)])]);
}

export function tryLine(remedy: string, style: TextStyle): string {
  return style.paint('dim', `    try: ${visible(remedy)}`);
}

function warningBlocks(decision: Decision, style: TextStyle): string[][] {
  if (isRefusal(decision)) return [];
  const blocks: string[][] = [];
  const add = (code: string, message: string, remedy: string, at?: string): void => {
    const lines = [style.paint('warned', head(MARKS.warning, decision, at, style, code)), `    ${visible(message)}`];
    if (remedy !== '') lines.push(tryLine(remedy, style));
    blocks.push(lines);
  };
  if (decision.severity !== 'info') add(`${decision.code} ${decision.reason}`, decision.message, decision.remedy, pointerOf(decision));
  for (const note of decision.notes) {
    if (note.severity === 'info') continue;
    add(`${note.code} ${note.reason}`, note.message, note.remedy, note.path === undefined ? undefined : pointer(note.path));
  }
  return blocks;
}

function head(sign: string, decision: Decision, at: string | undefined, style: TextStyle, code: string): string {
  const ref = decision.source ?? decision.host;
  const where =
    decision.source === undefined ? visible(style.hostPrefix + (decision.host?.file ?? '')) : place(decision.source.file, style, at);
  const what =
    ref === undefined
      ? ''
      : visible(`${ref.kind || '(no kind)'} ${ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name === '' ? '(no name)' : ref.name}`);
  return `  ${sign} ${where}  ${what}  ${code}`;
}
