import { type Command, InvalidArgumentError, Option } from 'commander';
import { ANSWER_FORMATS, type AnswerFormat, isAnswerFormat } from '../../report/answer/formats.ts';

/** What `--report FORMAT=FILE` asks for. */
export interface ReportFile {
  readonly format: AnswerFormat;
  readonly file: string;
}

/** `-o FORMAT` and `--report FORMAT=FILE`, for every command whose result is an `Answer`. */
export function addAnswerOptions(command: Command): Command {
  return command
    .addOption(new Option('-o, --output <format>', 'what is printed').choices(ANSWER_FORMATS).default('text'))
    .option('--report <format=file>', 'write a file in one more format, such as json=result.json; may be repeated', reportFile);
}

function reportFile(text: string, before: readonly ReportFile[] = []): readonly ReportFile[] {
  const [format = '', file = ''] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
  if (!isAnswerFormat(format) || file === '')
    throw new InvalidArgumentError(`Write it as FORMAT=FILE, with one of ${ANSWER_FORMATS.join(', ')}.`);
  return [...before, { format, file }];
}
