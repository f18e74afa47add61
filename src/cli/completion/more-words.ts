import type { Command } from 'commander';
import { KINDS } from '../../core/kube/kinds.ts';
import { ANSWER_FORMATS, ISSUE_FORMATS } from '../../report/answer/format-names.ts';
import { isListed } from '../commands/not-here.ts';
import { codeWords } from '../explain-code.ts';
import { END_WORDS } from '../reach/end-words.ts';
import { schemaKinds } from '../schema-text.ts';
import type { MoreWords } from './command-model.ts';

const REPORT_WORDS: readonly string[] = ISSUE_FORMATS.map((format) => `${format}=`);
const ANSWER_WORDS: readonly string[] = ANSWER_FORMATS.map((format) => `${format}=`);

/** Words for places where the parser takes any: sets that are too long for a help text, or that allow more than is listed. */
export function moreWords(program: Command): MoreWords {
  const projected = KINDS.filter((row) => row.role === 'projected').map((row) => row.kind);
  return {
    ...reportWords(program),
    'render --output': ['dir', 'dir=', 'stdout', 'json'],
    'explain-sync --kind': [...new Set(projected)].sort(),
    'render --report': REPORT_WORDS,
    'validate --report': REPORT_WORDS,
    'explain-code': codeWords(),
    reach: END_WORDS,
    schema: schemaKinds(),
    help: program.commands.filter(isListed).map((command) => command.name()),
  };
}

/** `--report FORMAT=` of every command that has it. */
function reportWords(command: Command, path: readonly string[] = []): MoreWords {
  const own = command.options.some(({ long }) => long === '--report') ? { [`${path.join(' ')} --report`]: ANSWER_WORDS } : {};
  return Object.assign(own, ...command.commands.map((child) => reportWords(child, [...path, child.name()])));
}
