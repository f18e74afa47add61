import type { Command } from 'commander';
import { nearest } from '../schema/nearest.ts';
import { isListed } from './commands/not-here.ts';
import { TenantplaneError } from './errors.ts';
import { ALSO, ELSEWHERE } from './other-words.ts';

/** A command that there is not, with the one that was probably meant: by spelling, by its beginning, by another tool's word. */
export function unknownCommand(word: string, program: Command): TenantplaneError {
  if (Object.hasOwn(ELSEWHERE, word)) return new TenantplaneError('usage', `There is no command ${word}.`, { hint: ELSEWHERE[word] ?? '' });
  const names = program.commands.filter(isListed).map((command) => command.name());
  const begun = word.length < 3 ? [] : names.filter((name) => name.startsWith(word.toLowerCase()));
  const meant = Object.hasOwn(ALSO, word) ? ALSO[word] : begun.length === 1 ? begun[0] : nearest(word, names);
  return new TenantplaneError('usage', `There is no command ${word}.`, {
    hint: meant === undefined ? `Its commands are ${names.join(', ')}.` : `Did you mean ${meant}? tenantplane help lists the commands.`,
  });
}
