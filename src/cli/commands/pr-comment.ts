import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext, SharedFlags } from '../io.ts';

interface CommentOptions extends SharedFlags {
  readonly from?: string;
  readonly budget?: number;
  readonly link?: string;
  readonly stepSummary?: string;
  readonly platform?: string;
  readonly config?: string;
  readonly hostVersion?: string;
}

const EXAMPLES = `
Examples:
  tenantplane pr-comment origin/main...HEAD fleet
  tenantplane pr-comment origin/main...HEAD --step-summary "$GITHUB_STEP_SUMMARY" > comment.md
  tenantplane diff origin/main...HEAD -o json | tenantplane pr-comment --from -
`;

export function addPrComment(program: Command, context: CliContext): void {
  program
    .command('pr-comment')
    .argument('[words...]', 'what to compare, as diff takes it: A..B, A...B, then the package; with --from the package alone')
    .description('print one Markdown comment that says what a pull request changes on the host')
    .option('--from <file>', 'take what diff -o json printed (- is stdin), so that no checkout is needed')
    .option('--budget <bytes>', 'bytes at most, 5000 to 65536 (default: 60000)', budgetOf)
    .option('--link <url>', 'where all of it is: the run or its report', linkOf)
    .option('--step-summary <file>', 'add the same with room for more, at most 900 KiB, to this file')
    .option('--platform <path>', 'read profiles and policies from this package as well')
    .option('--config <file>', 'a RenderTenant object for both sides (default: the one at the root of each)')
    .option('--host-version <version>', 'Kubernetes version of the host, such as 1.34')
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[], _: unknown, self: Command) => {
      const { platform, config, ...options } = self.optsWithGlobals<CommentOptions>();
      const { cwd } = context.io;
      const { runPrComment } = await import('../comment/run-pr-comment.ts');
      const paths = {
        ...(platform !== undefined && { platform: resolve(cwd, platform) }),
        ...(config !== undefined && { config: resolve(cwd, config) }),
      };
      context.exitCode = await runPrComment({ ...options, ...paths, words }, context);
    });
}

function budgetOf(text: string): number {
  const bytes = Number(text);
  if (!/^\d+$/.test(text) || bytes < 5000 || bytes > 65_536) throw new InvalidArgumentError('It must be a number from 5000 to 65536.');
  return bytes;
}

function linkOf(text: string): string {
  if (!/^https?:\/\/[\w.-]+(:\d+)?(\/[\w./~%?=&#+-]*)?$/.test(text) || text.length > 500) {
    throw new InvalidArgumentError('It must be an http or https address.');
  }
  return text;
}
