import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { emitYaml } from '../../krm/yaml/emit.ts';
import type { Answer } from '../../report/answer/answer.ts';
import type { AnswerFormat } from '../../report/answer/format-names.ts';
import { formatAnswer } from '../../report/answer/formats.ts';
import type { TextStyle } from '../../report/text.ts';
import { systemWords, TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import type { ReportFile } from './answer-options.ts';

export interface AnswerFlags {
  readonly output: AnswerFormat;
  readonly report?: readonly ReportFile[];
}

/** Prints an answer to standard output in one format, and into files in as many others as were asked for. */
export function printAnswer(answer: Answer, flags: AnswerFlags, style: TextStyle, io: CliIo): void {
  const tools = { style, yaml: emitYaml };
  for (const { format, file } of flags.report ?? []) {
    try {
      writeFileSync(resolve(io.cwd, file), formatAnswer(answer, format, tools));
    } catch (error) {
      throw new TenantplaneError('write-failed', `Cannot write the report ${file}: ${systemWords(error)}.`, {
        hint: 'Name a file in a folder that exists and can be written.',
        cause: error,
      });
    }
  }
  io.stdout.write(formatAnswer(answer, flags.output, tools));
}
