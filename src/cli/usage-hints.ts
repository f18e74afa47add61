import type { Command, Option } from 'commander';
import { otherFormat, otherOption } from './other-words.ts';

/** Each mistake points to the help of the command it was made with, and names the choices where there are few. */
export function addUsageHints(program: Command, path: readonly string[] = []): void {
  for (const command of program.commands) {
    const words = [...path, command.name()];
    command.showHelpAfterError(`  try: tenantplane help ${words.join(' ')}`).configureOutput({
      outputError: (text, write) => {
        const hint = otherTool(text, words.join(' '));
        if (hint === undefined) return write(withChoices(text, command));
        // what is shown behind the error is read once this has returned
        command.showHelpAfterError(`  try: ${hint}`);
        write(text.replace(/\n\(Did you mean .*\)/, ''));
      },
    });
    addUsageHints(command, words);
  }
}

/** What another tool calls so, as it is written here. */
function otherTool(text: string, command: string): string | undefined {
  const option = /unknown option '([^']+)'/.exec(text)?.[1];
  if (option !== undefined) return otherOption(option, command);
  const format = /^error: option '-o, .*' argument '([^']+)' is invalid/.exec(text)?.[1];
  return format === undefined ? undefined : otherFormat(format, command);
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
