import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { CliContext } from '../io.ts';
import { addObjectOptions, addPackageOptions, type WhyOptions, whyFlags } from './why-options.ts';

const EXAMPLES = `
Examples:
  tenantplane graph dev fleet
  tenantplane graph svc/web-x-shop-x-dev -n team-dev fleet
`;

export function addGraph(program: Command, context: CliContext): void {
  const command = program
    .command('graph')
    .argument(
      '[ref...]',
      'a tenant, or an object or file as why takes it (default: all tenants), and the package (default: the folder here)',
    )
    .description('draw where host objects come from: source, tenant’s object, rule, host object, file')
    .addHelpText('after', EXAMPLES);
  addAnswerOptions(addPackageOptions(addObjectOptions(command))).action(async (words: string[], _: unknown, self: Command) => {
    const options = self.optsWithGlobals<WhyOptions>();
    context.json = options.output === 'json';
    const { readReference } = await import('../why/read-reference.ts');
    const { runGraph } = await import('../why/run-graph.ts');
    const reference = readReference(words, context.io, options);
    context.exitCode = await runGraph({ ...whyFlags(options, context.io.cwd), root: reference.root, reference }, context);
  });
}
