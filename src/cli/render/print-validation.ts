import type { TextStyle } from '../../report/text.ts';
import { type AnswerFlags, printAnswer, writeReports } from '../answer/print-answer.ts';
import type { CliIo } from '../io.ts';
import type { PlannedPackage } from './plan-package.ts';
import { validationAnswer } from './validation-answer.ts';

/** Writes what needs attention in every format that was asked for; text is printed by the command itself. */
export async function printValidation(planned: PlannedPackage, flags: AnswerFlags, style: TextStyle, io: CliIo): Promise<void> {
  const { answer, placed } = await validationAnswer(planned, style);
  if (flags.output === 'text') writeReports(answer, flags.report ?? [], placed, io);
  else printAnswer(answer, flags, placed, io);
}
