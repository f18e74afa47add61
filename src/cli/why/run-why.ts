import { posix } from 'node:path';
import { everything } from '../../core/explain/find-subjects.ts';
import { isOurs } from '../../core/plan/old-tree.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { readDocuments } from '../../krm/yaml/read.ts';
import type { Answer } from '../../report/answer/answer.ts';
import type { TextStyle } from '../../report/text.ts';
import { nearest } from '../../schema/nearest.ts';
import { type AnswerFlags, printAnswer } from '../answer/print-answer.ts';
import { EXIT, TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { type Asked, type AskFlags, ask } from './ask.ts';
import { fieldAnswer } from './field-answer.ts';
import { needRepository } from './git-facts.ts';
import { type OpenPackage, openPackage, type PackageFlags, readText } from './open-package.ts';
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
  const style = whyStyle(flags, context);
  printAnswer(await answerOf(asked, open, flags, style), flags, style, io);
  return EXIT.done;
}

async function answerOf(asked: Asked, open: OpenPackage, flags: WhyFlags, style: TextStyle): Promise<Answer> {
  const title = `why ${flags.reference.file ?? flags.reference.words.join('/')}`;
  const entries: WhyEntry[] = [];
  for (const found of asked.found) entries.push(await whyEntry(found, open, asked.part, flags));
  if (entries.length === 0) return foreignAnswer(title, asked, open, style);
  if (flags.field !== undefined) return fieldAnswer(title, entries, flags.field, { open, part: asked.part }, style);
  return whyAnswer(title, entries, style);
}

/** A file of the tree that no decision accounts for; anything else that is not found is a question that was not understood. */
function foreignAnswer(title: string, asked: Asked, open: OpenPackage, style: TextStyle): Answer {
  const { hostFile } = asked.question;
  const text = hostFile === undefined ? undefined : readText(open, posix.join(HOST_FOLDER, hostFile));
  if (hostFile === undefined || text === undefined) throw notFound(asked, open);
  const [first] = readDocuments(text, hostFile).objects;
  const ours = first !== undefined && isOurs(first.object);
  const tenant = asked.part.plan.tenants.find(({ namespace, frozen }) => frozen !== undefined && hostFile.startsWith(`${namespace}/`));
  const message = !ours
    ? 'belongs to nobody here: no decision makes it, and it does not carry the identity of what a render writes. A render leaves it alone.'
    : tenant === undefined
      ? 'carries our identity, but no decision of the package as it is now makes it.'
      : `stays as it last was: tenant ${tenant.namespace}/${tenant.name} is frozen. Why: ${tenant.frozen}`;
  const shown = `${style.hostPrefix}${hostFile}`;
  const record = { hostFile, foreign: !ours, message };
  return {
    kind: 'WhyReport',
    title,
    document: { subjects: [record] },
    items: [record],
    tables: [{ columns: [{ name: 'file' }, { name: 'answer' }], rows: [{ cells: [shown, message], sign: '?' }] }],
    trees: [{ text: `${shown} ${message}`, children: [] }],
    issues: [],
  };
}

function notFound({ question, part, kind }: Asked, open: OpenPackage): TenantplaneError {
  const what = question.hostFile ?? question.sourceFile ?? `${kind?.kind ?? 'object'} ${question.name ?? ''}`;
  const names = everything(part.plan).flatMap(({ decision: { source, host } }) => [source?.name ?? '', host?.name ?? '']);
  const near = question.name === undefined ? undefined : nearest(question.name, new Set(names.filter((name) => name !== '')));
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
