import { everything } from '../../core/explain/find-subjects.ts';
import type { Answer } from '../../report/answer/answer.ts';
import type { TextStyle } from '../../report/text.ts';
import { nearest } from '../../schema/nearest.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { type Asked, type AskFlags, ask } from './ask.ts';
import { committed } from './committed.ts';
import { committedAnswer } from './committed-answer.ts';
import { fieldAnswer } from './field-answer.ts';
import { needRepository } from './git-facts.ts';
import { type OpenPackage, openPackage, type PackageFlags } from './open-package.ts';
import type { Reference } from './read-reference.ts';
import { whyAnswer } from './why-answer.ts';
import { type WhyEntry, whyEntry } from './why-entry.ts';
import { whyStyle } from './why-style.ts';
import { refWords } from './why-text.ts';

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

function notFound({ question, part, kind }: Asked, open: OpenPackage): TenantplaneError {
  const what = question.hostFile ?? question.sourceFile ?? `${kind?.kind ?? 'object'} ${question.name ?? ''}`;
  const refs = everything(part.plan).flatMap(({ decision: { source, host } }) => [source, host].flatMap((ref) => ref ?? []));
  const same = refs.find(({ name }) => name === question.name);
  const names = new Set(refs.map(({ name }) => name).filter((name) => name !== ''));
  // the same name, of another kind or in another namespace, is told with both
  const near = same !== undefined ? refWords(same) : question.name === undefined ? undefined : nearest(question.name, names);
  const where = question.namespace ?? question.virtualNamespace;
  return new TenantplaneError('usage', `Nothing in the package is called ${what}${where === undefined ? '' : ` in namespace ${where}`}.`, {
    hint:
      near !== undefined
        ? `Did you mean ${near}?`
        : open.clusters.length === 0
          ? 'Name the package (PATH).'
          : 'tenantplane why-not says what would be needed.',
  });
}
