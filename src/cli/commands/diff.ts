import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { AnswerFormat } from '../../report/answer/format-names.ts';
import { addAnswerOptions, type ReportFile } from '../answer/answer-options.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { collect } from './plan-options.ts';

interface DiffOptions extends SharedFlags {
  readonly base?: string;
  readonly head?: string;
  readonly summary?: true;
  readonly byReason?: true;
  readonly tenants: readonly string[];
  readonly exitCode: 'true' | 'false' | true;
  readonly platform?: string;
  readonly config?: string;
  readonly hostVersion?: string;
  readonly output: AnswerFormat;
  readonly report?: readonly ReportFile[];
}

const EXAMPLES = `
Both sides are rendered by this tenantplane. Nothing of the repository is checked out or changed.

Examples:
  tenantplane diff                        HEAD and the working tree
  tenantplane diff main fleet             main and the working tree, package fleet
  tenantplane diff main...HEAD fleet      what a branch changes since it left main
  tenantplane diff env/stage env/prod     two folders
  kpt fn source fleet | tenantplane diff fleet -
`;

export function addDiff(program: Command, context: CliContext): void {
  const command = program
    .command('diff')
    .argument('[words...]', 'A..B, A...B, A B, A or nothing, then the package; or two folders; - is stdin')
    .description('what changes on the host between two versions, each change with the edit that causes it')
    .option('--base <folder>', 'the side before, as a folder or -')
    .option('--head <folder>', 'the side after, as a folder or -')
    .option('--summary', 'counts only')
    .option('--by-reason', 'by reason code, with the edits that cause it')
    .option('--tenants <glob>', 'tell of these tenants: NAME or NAMESPACE/NAME, with * and ?; may be repeated', collect, [])
    .addOption(exitCodeOption())
    .option('--platform <path>', 'read profiles and policies from this package as well')
    .option('--config <file>', 'a RenderTenant object for both sides (default: the one at the root of each)')
    .option('--host-version <version>', 'Kubernetes version of the host, such as 1.34')
    .addHelpText('after', EXAMPLES);
  addAnswerOptions(command).action(async (words: string[], _: unknown, self: Command) => {
    const options = self.optsWithGlobals<DiffOptions>();
    context.json = options.output === 'json';
    const { cwd } = context.io;
    const { runDiff } = await import('../review/run-diff.ts');
    context.exitCode = await runDiff(
      {
        words,
        cwd,
        ...(options.base !== undefined && { base: options.base }),
        ...(options.head !== undefined && { head: options.head }),
        ...(options.platform !== undefined && { platform: resolve(cwd, options.platform) }),
        ...(options.config !== undefined && { config: resolve(cwd, options.config) }),
        ...(options.hostVersion !== undefined && { hostVersion: options.hostVersion }),
        ...(options.report !== undefined && { report: options.report }),
        ...(options.color !== undefined && { color: options.color }),
        output: options.output,
        tenants: options.tenants,
        mode: options.summary === true ? 'summary' : options.byReason === true ? 'reasons' : 'causes',
        exitCode: options.exitCode !== 'false',
        quiet: options.quiet === true,
        verbose: options.verbose === true,
      },
      context,
    );
  });
}

/** kubectl diff's way: a difference is exit code 1, unless a person does not want it. */
export function exitCodeOption(): Option {
  return new Option('--exit-code [when]', 'end with 1 where something changes; false ends with 0')
    .choices(['true', 'false'])
    .default('true');
}
