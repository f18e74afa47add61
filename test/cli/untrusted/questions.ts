import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandModel, everyCommand } from '../../../src/cli/completion/command-model.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { ISSUE_FORMATS } from '../../../src/report/answer/format-names.ts';
import { unpacked } from '../../report/html/packed.ts';
import { tenantplane } from '../harness.ts';
import { scratch } from '../tree/disk.ts';

const sink = { isTTY: false, write: (): void => undefined };
const io = {
  cwd: '/',
  env: {},
  stdout: sink,
  stderr: sink,
  readStdin: async () => '',
  signal: new AbortController().signal,
  now: Date.now,
};
const OPTIONS = new Map(
  everyCommand(commandModel(createProgram({ io, exitCode: 0, json: false }))).map(({ path, options }) => [path.join(' '), options]),
);

/** Commands that print nothing of a package but what was typed, and `init`, which makes one; each other one is asked below. */
const OWN_WORDS = /^$|^(init|help|completion|schema|explain-code|version|facts|audit|report)$|^(help|completion|render) /;
/** What these print comes from a host: test/cli/{down,kubeconfig}.test.ts and test/reconciler/log ask them. Of its package `up` says what `render` says. */
const OF_HOSTS = /^(down|kubeconfig|reconciler|up)$/;
export const COMMANDS: readonly string[] = [...OPTIONS.keys()].filter((name) => !OWN_WORDS.test(name) && !OF_HOSTS.test(name));

/** A command line without its format, by the command that it is of. */
export interface Question {
  readonly command: string;
  readonly words: readonly string[];
}

/** What one command line printed, and the files that it wrote beside the rendered tree. */
export interface Told {
  readonly line: string;
  readonly format: string;
  readonly text: string;
  /** false where the question was not understood, or cannot be answered here: what is said then is looked at as well */
  readonly answered: boolean;
}

/** Asks in every format that the command has. */
export async function ask(cwd: string, { command, words }: Question): Promise<readonly Told[]> {
  const argv = [...command.split(' '), ...words];
  const special = SPECIAL[command];
  if (special !== undefined) return special(cwd, argv);
  const choices = OPTIONS.get(command)?.find(({ long }) => long === '--output')?.choices ?? [];
  if (choices.length === 0) throw new Error(`${command} has no formats that are known`);
  const told: Told[] = [];
  for (const format of choices) told.push(await call(cwd, format, [...argv, '-o', format, '-v']));
  return told;
}

async function call(cwd: string, format: string, argv: readonly string[]): Promise<Told> {
  const { out, err, code } = await tenantplane(argv, { cwd });
  // what goes to standard error is for people, whatever is printed
  return { line: argv.join(' '), format, text: format === 'text' ? out + err : out, answered: code !== 2 && code !== 3 };
}

const SPECIAL: Readonly<Record<string, (cwd: string, argv: readonly string[]) => Promise<readonly Told[]>>> = {
  /** `dir` and `stdout` are the tree itself, which holds what tenants wrote */
  async render(cwd, argv) {
    const reports = scratch();
    const files = ISSUE_FORMATS.flatMap((format) => ['--report', `${format}=${join(reports, format)}`]);
    const told = [
      await call(cwd, 'text', [...argv, '--check', '--diff', '-v']),
      await call(cwd, 'json', [...argv, '-o', 'json']),
      await call(cwd, 'text', [...argv, '--ledger', '-v', ...files]),
    ];
    return [
      ...told,
      ...filesOf(reports).map(([format, text]) => ({ line: 'render --report', format, text, answered: true })),
      ...filesOf(join(cwd, '.tenantplane'))
        .filter(([path]) => path.endsWith('.ndjson'))
        .map(([, text]) => ({ line: 'render --ledger', format: 'ndjson', text, answered: true })),
    ];
  },
  async 'pr-comment'(cwd, argv) {
    const summary = join(scratch(), 'summary.md');
    const told = await call(cwd, 'markdown', [...argv, '--step-summary', summary]);
    return [told, { ...told, line: `${told.line} (summary)`, text: readFileSync(summary, 'utf8') }];
  },
  async 'report html'(cwd, argv) {
    const { text, ...told } = await call(cwd, 'page', argv);
    return [{ ...told, text: unpacked(text) }];
  },
  async 'audit export'(cwd, argv) {
    const out = join(scratch(), 'evidence');
    const told = await call(cwd, 'text', [...argv, '--out', out]);
    if (!existsSync(out)) return [told];
    const own = filesOf(out).filter(([path]) => !/^(inputs|host|tree)\//.test(path));
    return [
      told,
      { line: 'audit export', format: 'files', text: filesOf(out).flat().join('\n'), answered: true },
      ...own.map(([path, text]) => ({ line: path, format: 'evidence', text, answered: true })),
    ];
  },
};

function filesOf(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')] as const;
    });
}
