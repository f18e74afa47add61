import type { Command } from 'commander';

/** `help [command...]`: of a command, and of one below it. The parser's own takes one word, and shows everything for a wrong one. */
export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .argument('[command...]', 'the command')
    .description('show help for a command')
    .helpOption(false)
    .action(async (words: readonly string[]) => {
      let command = program;
      for (const word of words) {
        const next = command.commands.find((child) => child.name() === word);
        if (next === undefined) {
          const { unknownCommand } = await import('../unknown-command.ts');
          throw unknownCommand(words.join(' '), program);
        }
        command = next;
      }
      command.outputHelp();
    });
}
