import { Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { addAnswerOptions } from '../../../src/cli/answer/answer-options.ts';

function parse(argv: readonly string[]): unknown {
  const command = addAnswerOptions(new Command('why').exitOverride().configureOutput({ writeErr: () => {} }));
  command.parse(argv, { from: 'user' });
  return command.opts();
}

describe('options of an answer', () => {
  test('text is the default, and no file is written', () => {
    expect(parse([])).toEqual({ output: 'text' });
  });

  test('one format is printed, and others go into files, in their order', () => {
    expect(parse(['-o', 'wide', '--report', 'json=out/a=b.json', '--report', 'yaml=c.yaml'])).toEqual({
      output: 'wide',
      report: [
        { format: 'json', file: 'out/a=b.json' },
        { format: 'yaml', file: 'c.yaml' },
      ],
    });
  });

  test.each([
    [['-o', 'xml'], /Allowed choices are text, table/],
    [['--report', 'json'], /names no file: say --report json=/],
    [['--report', 'json='], /names no file: say --report json=/],
    [['--report', 'xml=a'], /no format xml; it must be one of text, table/],
    [['--report', '=a'], /no format without a name; it must be one of text, table/],
  ])('%j is refused in words', (argv, words) => {
    expect(() => parse(argv)).toThrow(CommanderError);
    expect(() => parse(argv)).toThrow(words);
  });
});
