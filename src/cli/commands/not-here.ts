import type { Command } from 'commander';
import { TenantplaneError } from '../errors.ts';

/** Words that people try, and what they get instead of a guess. None of them is in the help. */
const NOT_HERE: Readonly<Record<string, readonly [string, string]>> = {
  why: later('why', 'tenantplane explain-sync says why an object is or is not on the host.'),
  tree: later('tree', 'tenantplane render -v lists everything that is rendered.'),
  audit: later('audit', 'tenantplane render --ledger keeps every decision in a file.'),
  doctor: later('doctor', 'tenantplane validate says what is wrong with a package.'),
  explain: [
    'There is no command explain.',
    'tenantplane explain-sync tells of an object, tenantplane explain-code of a code such as TP3004.',
  ],
};

function later(name: string, instead: string): readonly [string, string] {
  return [`tenantplane ${name} is not in this version yet.`, instead];
}

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

/** Whether a command is one that is listed; the others only say that they are not there. */
export function isListed(command: Command): boolean {
  return !Object.hasOwn(NOT_HERE, command.name());
}
