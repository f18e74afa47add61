import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { CliContext } from '../io.ts';
import { addPackageOptions, type WhyOptions, whyFlags } from './why-options.ts';

const EXAMPLES = `
Examples:
  tenantplane tree fleet
  tenantplane tree dev fleet -v
`;

export function addTree(program: Command, context: CliContext): void {
  const command = program
    .command('tree')
    .argument('[tenant...]', 'NAME or NAMESPACE/NAME (default: all tenants), and the package (default: the folder here)')
    .description('draw tenants, their objects and what each is on the host')
    .option('--tenant <name>', 'the same as the argument')
    .addHelpText('after', EXAMPLES);
  addAnswerOptions(addPackageOptions(command)).action(async (words: string[], _: unknown, self: Command) => {
    const options = self.optsWithGlobals<WhyOptions>();
    context.json = options.output === 'json';
    const { readReference } = await import('../why/read-reference.ts');
    const { runTree } = await import('../why/run-tree.ts');
    const reference = readReference(words, context.io.cwd);
    context.exitCode = await runTree({ ...whyFlags(options, context.io.cwd), root: reference.root, reference }, context);
  });
}
