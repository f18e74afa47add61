import type { Command } from 'commander';
import { KINDS } from '../../core/kube/kinds.ts';
import { isListed } from '../commands/not-here.ts';
import { codeWords } from '../explain-code.ts';
import { END_WORDS } from '../reach/end-words.ts';
import { schemaKinds } from '../schema-text.ts';
import type { MoreWords } from './command-model.ts';

/** Words for places where the parser takes any: sets that are too long for a help text, or that allow more than is listed. */
export function moreWords(program: Command): MoreWords {
  const projected = KINDS.filter((row) => row.role === 'projected').map((row) => row.kind);
  return {
    'render --output': ['dir', 'dir=', 'stdout', 'json'],
    'explain-sync --kind': [...new Set(projected)].sort(),
    'explain-code': codeWords(),
    reach: END_WORDS,
    schema: schemaKinds(),
    help: program.commands.filter(isListed).map((command) => command.name()),
  };
}
