import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { emitYaml } from '../../krm/yaml/emit.ts';
import type { Answer } from '../../report/answer/answer.ts';
import type { AnswerFormat } from '../../report/answer/format-names.ts';
import type { FormatTools } from '../../report/answer/format-tools.ts';
import { formatAnswer } from '../../report/answer/formats.ts';
import type { TextStyle } from '../../report/text.ts';
import { systemWords, TenantplaneError } from '../errors.ts';
import type { CliIo } from '../io.ts';
import type { ReportFile } from './answer-options.ts';
import { repoPaths } from './repo-path.ts';

export interface AnswerFlags {
  readonly output: AnswerFormat;
  readonly report?: readonly ReportFile[];
}

/** Prints an answer to standard output in one format, and into files in as many others as were asked for. */
export function printAnswer(answer: Answer, flags: AnswerFlags, style: TextStyle, io: CliIo): void {
  writeReports(answer, flags.report ?? [], style, io);
  io.stdout.write(formatAnswer(answer, flags.output, toolsFor(style, io)));
}

/** The files of `--report` alone, where a command prints in its own way. */
export function writeReports(answer: Answer, reports: readonly ReportFile[], style: TextStyle, io: CliIo): void {
  // a file is for programs and other machines: no colour, and nothing left out
  const tools = toolsFor({ ...style, verbose: true, width: Number.POSITIVE_INFINITY, paint: (_, text) => text }, io);
  for (const { format, file } of reports) {
    try {
      writeFileSync(resolve(io.cwd, file), formatAnswer(answer, format, tools));
    } catch (error) {
      throw new TenantplaneError('write-failed', `Cannot write the report ${file}: ${systemWords(error)}.`, {
        hint: 'Name a file in a folder that exists and can be written.',
        cause: error,
      });
    }
  }
}

export function toolsFor(style: TextStyle, io: CliIo): FormatTools {
  const repoPath = repoPaths(io.cwd);
  return { style, yaml: emitYaml, repoPath: (path) => repoPath(style.sourcePath(path)) };
}
