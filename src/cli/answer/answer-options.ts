import { type Command, InvalidArgumentError, Option } from 'commander';
import { ANSWER_FORMATS, type AnswerFormat, isAnswerFormat } from '../../report/answer/format-names.ts';

/** What `--report FORMAT=FILE` asks for. */
export interface ReportFile {
  readonly format: AnswerFormat;
  readonly file: string;
}

/** `-o FORMAT` and `--report FORMAT=FILE`, for every command whose result is an `Answer`. */
export function addAnswerOptions(command: Command): Command {
  return addReportOption(
    command.addOption(new Option('-o, --output <format>', 'what is printed').choices(ANSWER_FORMATS).default('text')),
    ANSWER_FORMATS,
  );
}

/** `--report FORMAT=FILE` alone, where a command has formats of its own to print. */
export function addReportOption(command: Command, formats: readonly AnswerFormat[]): Command {
  return command.addOption(
    new Option('--report <format=file>', `write a file in one more format, such as ${example(formats)}; may be repeated`).argParser(
      (text: string, before: readonly ReportFile[] = []) => [...before, reportFile(text, formats)],
    ),
  );
}

function reportFile(text: string, formats: readonly AnswerFormat[]): ReportFile {
  const equals = text.indexOf('=');
  const format = equals < 0 ? text : text.slice(0, equals);
  const file = equals < 0 ? '' : text.slice(equals + 1);
  if (!isAnswerFormat(format) || !formats.includes(format)) {
    throw new InvalidArgumentError(
      `There is no format ${format === '' ? 'without a name' : format}; it must be one of ${formats.join(', ')}.`,
    );
  }
  if (file === '') throw new InvalidArgumentError(`It names no file: say --report ${example([format])}.`);
  return { format, file };
}

function example(formats: readonly AnswerFormat[]): string {
  const format = formats[0] ?? 'text';
  return `${format}=result.${format}`;
}
