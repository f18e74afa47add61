import { text } from './cel.ts';

/** What a validation says to the refused person, at the prompt. */

/**
 * No name, key or class that the API takes is longer or of other letters. What was refused may be something that the API has not
 * looked at, and this goes to people's terminals and logs.
 */
const QUOTABLE = '^[-A-Za-z0-9._/: ]{0,317}$';

/** CEL of the end of a message. The API server shows one of the validations that refuse; each names all of its policy, where there are several. */
export const REFUSED_BY =
  "variables.refused.trim().contains(' ') ? ' Refused by: ' + variables.refused.trim().split(' ').join(', ') + '.' : ''";

export interface Message {
  readonly id: string;
  /** without a full stop */
  readonly wrong: string;
  /** a sentence */
  readonly remedy: string;
  /** CEL of what was found */
  readonly found: string | undefined;
  /** CEL of what was wanted, which is ours to say */
  readonly wanted: string | undefined;
  /** whether the policy has other rules, and with them the variable `refusedby` */
  readonly others: boolean;
}

/** CEL of the message; undefined where the literal one says all there is. */
export function messageExpression({ id, wrong, remedy, found, wanted, others }: Message): string | undefined {
  if (found === undefined && wanted === undefined && !others) return undefined;
  const values = [
    ...(found === undefined ? [] : [['; found ', quoted(found)] as const]),
    ...(wanted === undefined ? [] : [['; wanted ', wanted] as const]),
  ];
  let literal = `${id}: ${wrong}`;
  const said: string[] = [];
  for (const [words, value] of values) {
    said.push(text(literal + words), value);
    literal = '';
  }
  said.push(text(`${literal}. ${remedy}`));
  return [...said, ...(others ? ['variables.refusedby'] : [])].join(' + ');
}

function quoted(value: string): string {
  return `[${value}].map(v, v.matches(${text(QUOTABLE)}) ? v : 'what is no name')[0]`;
}
