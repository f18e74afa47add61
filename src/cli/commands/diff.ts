import type { Command } from 'commander';
import type { CliContext } from '../io.ts';
import { addReviewOptions, type ReviewOptions, reviewFlags } from './review-options.ts';

interface DiffOptions extends ReviewOptions {
  readonly base?: string;
  readonly head?: string;
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
    .description('say what changes on the host between two versions, and which edit causes it; changes nothing')
    .option('--base <folder>', 'the side before, as a folder or -')
    .option('--head <folder>', 'the side after, as a folder or -')
    .addHelpText('after', EXAMPLES);
  addReviewOptions(command).action(async (words: string[], _: unknown, self: Command) => {
    const options = self.optsWithGlobals<DiffOptions>();
    const flags = reviewFlags(options, context);
    const { base, head } = options;
    const { runDiff } = await import('../review/run-diff.ts');
    context.exitCode = await runDiff(
      { ...flags, words, cwd: context.io.cwd, ...(base !== undefined && { base }), ...(head !== undefined && { head }) },
      context,
    );
  });
}
