import { Argument, type Command } from 'commander';
import type { Shell } from '../completion/scripts.ts';
import type { CliContext } from '../io.ts';

const EXAMPLES = `
Examples:
  source <(tenantplane completion bash)
  tenantplane completion fish > ~/.config/fish/completions/tenantplane.fish
`;

export function addCompletion(program: Command, context: CliContext): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish', 'powershell']))
    .description('print a completion script for a shell')
    .addHelpText('after', EXAMPLES)
    .action(async (shell: Shell) => {
      const [{ commandModel }, { completionScript }, { moreWords }] = await Promise.all([
        import('../completion/command-model.ts'),
        import('../completion/scripts.ts'),
        import('../completion/more-words.ts'),
      ]);
      context.io.stdout.write(completionScript(shell, commandModel(program, moreWords(program))));
    });
}
