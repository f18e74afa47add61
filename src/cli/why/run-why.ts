import type { Answer } from '../../report/answer/answer.ts';
import type { TextStyle } from '../../report/text.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { type Asked, type AskFlags, ask, tellMade } from './ask.ts';
import { committed } from './committed.ts';
import { committedAnswer } from './committed-answer.ts';
import { fieldAnswer } from './field-answer.ts';
import { needRepository } from './git-facts.ts';
import { notFound } from './not-found.ts';
import { type OpenPackage, openPackage, type PackageFlags } from './open-package.ts';
import type { Reference } from './read-reference.ts';
import { whyAnswer } from './why-answer.ts';
import { type WhyEntry, whyEntry } from './why-entry.ts';
import { whyStyle } from './why-style.ts';

export interface WhyFlags extends PackageFlags, AskFlags, AnswerFlags, SharedFlags {
  readonly reference: Reference;
  readonly field?: string;
  readonly git: boolean;
}

/** Says why something is on the host. @returns the exit code */
export async function runWhy(flags: WhyFlags, context: CliContext): Promise<number> {
  const { io } = context;
  if (flags.git) await needRepository(flags.root);
  const open = await openPackage(flags, io.signal);
  const asked = await ask(open, flags.reference, flags, io.signal);
  tellMade(asked, flags, io);
  const style = whyStyle(flags, context);
  printAnswer(await answerOf(asked, open, flags, style), flags, style, io);
  return EXIT.done;
}

async function answerOf(asked: Asked, open: OpenPackage, flags: WhyFlags, style: TextStyle): Promise<Answer> {
  const title = `why ${flags.reference.file ?? flags.reference.words.join('/')}`;
  const entries: WhyEntry[] = [];
  for (const found of asked.found) entries.push(await whyEntry(found, open, asked.part, flags));
  if (entries.length === 0) {
    const standing = committed(open, asked.question);
    if (standing.length === 0) throw notFound(asked, open);
    return committedAnswer(title, standing, asked.part.plan.tenants, style);
  }
  if (flags.field !== undefined) return fieldAnswer(title, entries, flags.field, { open, part: asked.part, ...flags }, style);
  return whyAnswer(title, entries, style);
}
