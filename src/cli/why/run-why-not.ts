import type { Found } from '../../core/explain/find-subjects.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { type AskFlags, ask, tellMade } from './ask.ts';
import { placedFound } from './decision-issues.ts';
import { tryAnyKind } from './host-kinds.ts';
import { openPackage, type PackageFlags } from './open-package.ts';
import { type Reference, referenceTitle } from './read-reference.ts';
import { whyNotAnswer } from './why-not-answer.ts';
import { type WhyNotEntry, whyNotEntries } from './why-not-entry.ts';
import { whyStyle } from './why-style.ts';

export interface WhyNotFlags extends PackageFlags, AskFlags, AnswerFlags, SharedFlags {
  readonly reference: Reference;
  /** whether something that is not on the host is exit code 1 */
  readonly exitCode: boolean;
}

/** Says why something is not on the host. @returns the exit code */
export async function runWhyNot(flags: WhyNotFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const open = await openPackage(flags, io.signal);
  const entries: WhyNotEntry[] = [];
  const found: Found[] = [];
  const texts = new Map<string, string>();
  for (const reference of eachReference(flags.reference)) {
    const asked = await ask(open, reference, flags, io.signal);
    tellMade(asked, flags, io);
    entries.push(...(await whyNotEntries(asked, open)));
    found.push(...asked.found);
    for (const [path, text] of asked.part.texts) texts.set(path, text);
  }
  const style = await placedFound(found, { texts }, whyStyle(flags, context));
  const title = `why-not ${referenceTitle(flags.reference)}`;
  printAnswer(whyNotAnswer(title, entries, { found }, style), flags, style, io);
  return flags.exitCode && entries.some(({ verdict }) => verdict !== 'on the host') ? EXIT.findings : EXIT.done;
}

/** Several objects, each as KIND/NAME, as kubectl takes them; `apps/v1/Deployment shop/web` is one. */
function severalObjects({ file, words }: Reference): boolean {
  const [first = ''] = words;
  return file === undefined && words.length > 1 && words.every((word) => word.includes('/')) && tryAnyKind(first, []) === undefined;
}

function eachReference(reference: Reference): readonly Reference[] {
  return severalObjects(reference) ? reference.words.map((word) => ({ ...reference, words: [word] })) : [reference];
}
