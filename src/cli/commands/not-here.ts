import type { Command } from 'commander';
import { TenantplaneError } from '../errors.ts';

/** Words that people try, and what they get instead of a guess. None of them is in the help. */
const NOT_HERE: Readonly<Record<string, readonly [string, string]>> = {
  explain: [
    'There is no command explain.',
    'tenantplane explain-sync tells of an object, tenantplane explain-code of a code such as TP3004.',
  ],
};

export function addNotHere(program: Command): void {
  for (const [name, [message, hint]] of Object.entries(NOT_HERE)) {
    program
      .command(name, { hidden: true })
      .argument('[words...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        throw new TenantplaneError('usage', message, { hint });
      });
  }
}

/** Whether a command is one that is listed; the others only say that they are not there, or are for scripts. */
export function isListed(command: Command): boolean {
  return !Object.hasOwn(NOT_HERE, command.name()) && !command.name().startsWith('__');
}
