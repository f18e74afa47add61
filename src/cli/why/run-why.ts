import type { Found } from '../../core/explain/find-subjects.ts';
import type { Answer } from '../../report/answer/answer.ts';
import type { TextStyle } from '../../report/text.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { type Asked, type AskFlags, ask, tellMade } from './ask.ts';
import { committed } from './committed.ts';
import { committedAnswer } from './committed-answer.ts';
import { placedFound } from './decision-issues.ts';
import { fieldAnswer } from './field-answer.ts';
import { needRepository } from './git-facts.ts';
import { heldOf } from './held.ts';
import { notFound } from './not-found.ts';
import { type OpenPackage, openPackage, type PackageFlags } from './open-package.ts';
import { type Reference, referenceTitle } from './read-reference.ts';
import { whyAnswer } from './why-answer.ts';
import { type WhyEntry, whyEntry } from './why-entry.ts';
import { whyStyle } from './why-style.ts';

export interface WhyFlags extends PackageFlags, AskFlags, AnswerFlags, SharedFlags {
  readonly reference: Reference;
  readonly field?: string;
  readonly git: boolean;
  /** whether something that is not on the host is exit code 1 */
  readonly exitCode: boolean;
}

/** Says why something is on the host. @returns the exit code */
export async function runWhy(flags: WhyFlags, context: CliContext): Promise<number> {
  const { io } = context;
  if (flags.git) await needRepository(flags.root);
  const open = await openPackage(flags, io.signal);
  const asked = await ask(open, flags.reference, flags, io.signal);
  tellMade(asked, flags, io);
  const style = await placedFound(asked.found, asked.part, whyStyle(flags, context));
  printAnswer(await answerOf(asked, open, flags, style, io.cwd), flags, style, io);
  return flags.exitCode && !isOnHost(asked) ? EXIT.findings : EXIT.done;
}

/** Whether all of it is on the host, or comes there with a render. What only the tree has yet is neither. */
function isOnHost({ found, part }: Asked): boolean {
  const stays = ({ decision, tenant }: Found): boolean =>
    (decision.action === 'Create' || decision.action === 'Update') && heldOf(part.plan, tenant) === undefined;
  return found.length > 0 && found.every(stays);
}

async function answerOf(asked: Asked, open: OpenPackage, flags: WhyFlags, style: TextStyle, cwd: string): Promise<Answer> {
  const title = `why ${referenceTitle(flags.reference)}`;
  const entries: WhyEntry[] = [];
  for (const found of asked.found) entries.push(await whyEntry(found, open, asked.part, flags));
  if (entries.length === 0) {
    const standing = committed(open, asked.question);
    if (standing.length === 0) throw notFound(asked, open, cwd);
    return committedAnswer(title, standing, style);
  }
  if (flags.field !== undefined) return fieldAnswer(title, entries, flags.field, { open, part: asked.part, ...flags }, style);
  return whyAnswer(title, entries, style);
}
