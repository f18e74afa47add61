import type { Command } from 'commander';
import { EXIT } from '../errors.ts';
import type { CliContext } from '../io.ts';

/** What completion scripts ask for while somebody types: a line for each name. Says nothing where it cannot tell. */
export function addNames(program: Command, context: CliContext): void {
  program
    .command('__names', { hidden: true })
    .argument('<command>')
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (command: string, words: string[]) => {
      const { packageNames } = await import('../completion/package-names.ts');
      try {
        for (const name of await packageNames(command, words, context.io)) context.io.stdout.write(`${name}\n`);
      } catch {
        // whoever presses Tab wants a word, not an error
        context.exitCode = EXIT.done;
      }
    });
}
