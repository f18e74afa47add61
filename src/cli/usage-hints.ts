import type { Command, Option } from 'commander';

/** Each mistake points to the help of the command it was made with, and names the choices where there are few. */
export function addUsageHints(program: Command, path: readonly string[] = []): void {
  for (const command of program.commands) {
    const words = [...path, command.name()];
    command.showHelpAfterError(`  try: tenantplane help ${words.join(' ')}`).configureOutput({
      outputError: (text, write) => write(withChoices(text, command)),
    });
    addUsageHints(command, words);
  }
}

/** `option '--fail-on <grade>' argument missing` and `missing required argument 'shell'` do not say what could stand there. */
function withChoices(text: string, command: Command): string {
  const flags = /option '([^']+)' argument missing/.exec(text)?.[1];
  const argument = /missing required argument '([^']+)'/.exec(text)?.[1];
  const choices =
    optionsOf(command).find((option) => option.flags === flags)?.argChoices ??
    command.registeredArguments.find((known) => known.name() === argument)?.argChoices;
  return choices === undefined ? text : text.replace(/\n?$/, `. Allowed choices are ${choices.join(', ')}.\n`);
}

function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...(command.parent === null ? [] : optionsOf(command.parent))];
}
