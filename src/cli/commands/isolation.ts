import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { CliContext } from '../io.ts';
import { addPackageOptions, type WhyOptions, whyFlags } from './why-options.ts';

const EXAMPLES = `
Examples:
  tenantplane isolation dev fleet
  tenantplane isolation team-dev/dev fleet -o wide
  tenantplane isolation fleet
`;

export function addIsolation(program: Command, context: CliContext): void {
  const command = program
    .command('isolation')
    .argument('[tenant...]', 'NAME or NAMESPACE/NAME (default: all tenants), and the package (default: the folder here)')
    .description('say what isolation is declared, what enforces it, and what nothing does')
    .option('--tenant <name>', 'the same as the argument')
    .addHelpText('after', EXAMPLES);
  addAnswerOptions(addPackageOptions(command)).action(async (words: string[], _: unknown, self: Command) => {
    const options = self.optsWithGlobals<WhyOptions>();
    context.json = options.output === 'json';
    const { readReference } = await import('../why/read-reference.ts');
    const { runIsolation } = await import('../why/run-isolation.ts');
    const reference = readReference(words, context.io.cwd);
    context.exitCode = await runIsolation({ ...whyFlags(options, context.io.cwd), root: reference.root, reference }, context);
  });
}
