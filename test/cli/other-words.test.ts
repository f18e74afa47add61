import { describe, expect, test } from 'vitest';
import { ALSO, ELSEWHERE, OTHER_OPTIONS } from '../../src/cli/other-words.ts';
import { tenantplane } from './harness.ts';
import { scratch } from './tree/disk.ts';

/** What people type who come from other tools. */

const helps = new Map<string, Promise<string>>();
function helpOf(command: string): Promise<string> {
  const asked = helps.get(command) ?? tenantplane(['help', ...command.split(' ')]).then(({ out }) => out);
  helps.set(command, asked);
  return asked;
}

describe('an option of another tool', () => {
  test.each(
    OTHER_OPTIONS.flatMap(({ words, commands, hint }) =>
      words.flatMap((word) => commands.map((command) => [command, word, hint] as const)),
    ),
  )('%s %s', async (command, word, hint) => {
    const help = await helpOf(command);
    // one that the command has is never asked for
    expect(help).not.toMatch(new RegExp(`^ {2}(?:-., )?${word}[ ,]`, 'm'));
    const { code, out, err } = await tenantplane([...command.split(' '), word], { cwd: scratch() });
    expect([code, out]).toEqual([2, '']);
    expect(err).toBe(`error: unknown option '${word}'\n  try: ${hint}\n`);
  });

  test.each(['--dry-run=client', '--dry-run=server'])('render %s, with a value', async (word) => {
    expect((await tenantplane(['render', word])).err).toContain('try: --check writes nothing');
  });

  test('a value behind a short one', async () => {
    expect((await tenantplane(['render', '-nteam-dev'])).err).toContain('try: A tenant is named');
  });

  test.each([
    ['render', 'List everything, however long: -v.'],
    ['explain-sync', 'Tell every rule and every field: -o text --trace --fields.'],
  ])('%s -o wide', async (command, hint) => {
    const { code, err } = await tenantplane([command, '-o', 'wide'], { cwd: scratch() });
    expect(code).toBe(2);
    expect(err).toMatch(/ is invalid\. .*\n {2}try: .*\n$/);
    expect(err).toContain(`  try: ${hint}\n`);
  });

  test('an unknown one is still sent to the help', async () => {
    expect((await tenantplane(['render', '--nosuchthing'])).err).toContain('  try: tenantplane help render\n');
  });
});

const has = (help: string, flag: string): boolean => new RegExp(`${flag}(?![-a-z])`).test(help);

/** `tenantplane COMMAND … --flag` in a hint, or flags alone, which are of the command that was typed. */
async function named(hint: string, typed: string | undefined): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [, command = '', rest = ''] of hint.matchAll(/tenantplane ([a-z-]+)([^;.|:]*)/g)) {
    const help = await helpOf(command);
    if (help === '') wrong.push(command);
    for (const [flag] of rest.matchAll(/--[a-z-]+/g)) if (!has(help, flag)) wrong.push(`${command} ${flag}`);
  }
  const own = typed === undefined ? '' : await helpOf(typed);
  for (const [flag] of hint.replace(/(?:tenantplane|kubectl) [^;.|]*/g, '').matchAll(/--[a-z-]+/g))
    if (typed !== undefined && !has(own, flag)) wrong.push(`${typed} ${flag}`);
  return wrong;
}

test('each hint names commands and flags that there are', async () => {
  const wrong: string[] = [];
  for (const hint of Object.values(ELSEWHERE)) wrong.push(...(await named(hint, undefined)));
  for (const { commands, hint } of OTHER_OPTIONS) for (const command of commands) wrong.push(...(await named(hint, command)));
  expect(wrong).toEqual([]);
});

test.each(Object.entries(ALSO))('%s is %s', async (word, command) => {
  const { code, err } = await tenantplane([word]);
  expect(code).toBe(2);
  expect(err).toContain(`try: Did you mean ${command}?`);
  expect(await helpOf(command)).toContain(`Usage: tenantplane ${command}`);
});
