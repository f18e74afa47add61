import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { type AskFlags, ask, tellMade } from './ask.ts';
import { placedFound } from './decision-issues.ts';
import { openPackage, type PackageFlags } from './open-package.ts';
import type { Reference } from './read-reference.ts';
import { whyNotAnswer } from './why-not-answer.ts';
import { whyNotEntries } from './why-not-entry.ts';
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
  const asked = await ask(open, flags.reference, flags, io.signal);
  tellMade(asked, flags, io);
  const entries = await whyNotEntries(asked, open);
  const style = await placedFound(asked.found, asked.part, whyStyle(flags, context));
  const title = `why-not ${flags.reference.file ?? flags.reference.words.join('/')}`;
  printAnswer(whyNotAnswer(title, entries, asked, style), flags, style, io);
  return flags.exitCode && entries.some(({ verdict }) => verdict !== 'on the host') ? EXIT.findings : EXIT.done;
}
