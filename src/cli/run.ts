import { type Command, CommanderError } from 'commander';
import { unobeyed, visible } from '../report/escape.ts';
import { jsonText } from '../report/json-text.ts';
import type { ReportKind } from '../report/schemas/report-kinds.ts';
import { EXIT, systemCode, systemWords, TenantplaneError, UnknownCommand } from './errors.ts';
import type { CliContext, CliIo } from './io.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command line, without the name of the program.
 * @returns the exit code
 */
export async function run(argv: readonly string[], given: CliIo): Promise<number> {
  // talk goes into logs, where a runner listens
  const io: CliIo = { ...given, stderr: { isTTY: given.stderr.isTTY, write: (text) => given.stderr.write(unobeyed(text)) } };
  const context: CliContext = { io, exitCode: EXIT.done, json: false };
  const program = createProgram(context);
  if (argv.length === 0) {
    program.outputHelp();
    return EXIT.done;
  }
  try {
    await program.parseAsync(spelled(apart(argv, program), program), { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof UnknownCommand)) return report(error, context);
    const { unknownCommand } = await import('./unknown-command.ts');
    return report(unknownCommand(error.word, program), context);
  }
}

/** Kinds are written as Kubernetes writes them: `render TenantCluster dev` is `render tenantcluster dev`. */
function spelled(argv: readonly string[], program: Command): readonly string[] {
  const at = argv.indexOf('render') + 1;
  const word = argv[at]?.toLowerCase();
  const generators = program.commands.find((command) => command.name() === 'render')?.commands ?? [];
  const generator = at === 0 ? undefined : generators.find((command) => command.name() === word);
  return generator === undefined ? argv : argv.with(at, generator.name());
}

/** `-o=json` is `-o json`, as for kubectl: the parser would take the sign for a part of the value. */
function apart(argv: readonly string[], program: Command): readonly string[] {
  const letters = valueLetters(program);
  const end = argv.indexOf('--');
  return argv.flatMap((word, index) => {
    const [, flag = '', value = ''] = (end < 0 || index < end ? /^(-[A-Za-z])=(.*)$/s.exec(word) : null) ?? [];
    return letters.has(flag) ? [flag, value] : [word];
  });
}

/** Short flags that some command takes a value with. */
function valueLetters(command: Command): ReadonlySet<string> {
  const own = command.options.flatMap(({ short, required }) => (required && short !== undefined ? [short] : []));
  return new Set([...own, ...command.commands.flatMap((child) => [...valueLetters(child)])]);
}

function report(thrown: unknown, { io, json }: CliContext): number {
  const error = ofSystem(thrown);
  if (!(error instanceof TenantplaneError)) {
    if (io.signal.aborted) return EXIT.interrupted;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.stderr.write(`tenantplane: a defect of tenantplane, not of your input. Please report it with this text:\n${text}\n`);
    return EXIT.environment;
  }
  if (json) {
    const document = {
      apiVersion: 'report.tenantplane.io/v1alpha1',
      kind: 'Error' satisfies ReportKind,
      code: error.code,
      message: error.message,
    };
    io.stdout.write(`${jsonText({ ...document, remedy: error.hint === '' ? null : error.hint }, 2)}\n`);
  }
  io.stderr.write(`error: ${visible(error.message)}\n`);
  if (error.hint !== '') io.stderr.write(`  try: ${visible(error.hint)}\n`);
  return error.exitCode;
}

/** What the disk or the system refused is no defect; where nobody nearer said it in better words, it is said here. */
function ofSystem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TenantplaneError || systemCode(error) === undefined || !('syscall' in error))
    return error;
  const path = 'path' in error && typeof error.path === 'string' ? ` on ${error.path}` : '';
  return new TenantplaneError('system', `${String(error.syscall)}${path} failed: ${systemWords(error)}.`, {
    hint: 'Check that the file is there and may be used.',
    cause: error,
  });
}
