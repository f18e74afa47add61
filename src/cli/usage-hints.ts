import type { Command, Option } from 'commander';

/** Each mistake points to the help of the command it was made with, and names the choices where there are few. */
export function addUsageHints(program: Command, path: readonly string[] = []): void {
  for (const command of program.commands) {
    const words = [...path, command.name()];
    command.showHelpAfterError(`  try: tenantplane help ${words.join(' ')}`).configureOutput({
      outputError: (text, write) => write(withOwn(withChoices(text, command), words.join(' '))),
    });
    addUsageHints(command, words);
  }
}

/** Flags that other tools have for the same, by command, and what is said here. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  diff: {
    '-f': 'It compares two versions of a package; what one manifest becomes says tenantplane explain-sync -f FILE.',
    '--staged': 'The index is no side of it: without words it compares HEAD with the working tree.',
    '--cached': 'The index is no side of it: without words it compares HEAD with the working tree.',
    '--stat': 'The same is --summary.',
    '--name-only': 'The same is -o table.',
    '-n': 'A tenant is named with --tenants.',
    '--namespace': 'A tenant is named with --tenants.',
  },
  'what-if': {
    '-f': 'The same is --patch FILE; what one manifest becomes says tenantplane explain-sync -f FILE.',
    '--level': "The same is --set 'IsolationProfile/NAME:spec.level=LEVEL'.",
    '--profile': 'The same is --use OLD=NEW, which lets tenants use another profile.',
    '--dry-run': 'It never writes anything.',
    '-n': 'A tenant is named with --tenants.',
  },
  init: {
    '--name': 'A tenant is named with --tenant.',
    '--profile': 'Its profile is that of the package; --level asks for one of a level.',
    '--force': 'It never overwrites.',
  },
};

function withOwn(text: string, command: string): string {
  const flag = /unknown option '([^']+)'/.exec(text)?.[1] ?? '';
  const own = Object.hasOwn(OWN, command) && Object.hasOwn(OWN[command] ?? {}, flag) ? OWN[command]?.[flag] : undefined;
  // what is near in letters is not what was meant
  return own === undefined ? text : `error: unknown option '${flag}'. ${own}\n`;
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
