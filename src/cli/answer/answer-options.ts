import { type Command, InvalidArgumentError, Option } from 'commander';
import { ANSWER_FORMATS, type AnswerFormat } from '../../report/answer/formats.ts';

/** What `--report FORMAT=FILE` asks for. */
interface ReportFile {
  readonly format: AnswerFormat;
  readonly file: string;
}

/** `-o FORMAT` and `--report FORMAT=FILE`, for every command whose result is an `Answer`. */
export function addAnswerOptions(command: Command): Command {
  return command
    .addOption(new Option('-o, --output <format>', 'what is printed').choices(ANSWER_FORMATS).default('text'))
    .option('--report <format=file>', 'write a file in one more format; may be repeated', reportFile);
}

function reportFile(text: string, before: readonly ReportFile[] = []): readonly ReportFile[] {
  const [name, file] = text.split(/=(.*)/s);
  const format = ANSWER_FORMATS.find((known) => known === name);
  if (format === undefined || file === undefined || file === '') {
    throw new InvalidArgumentError(`It must be FORMAT=FILE, with one of ${ANSWER_FORMATS.join(', ')}.`);
  }
  return [...before, { format, file }];
}
