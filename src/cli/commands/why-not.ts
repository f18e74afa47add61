import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { CliContext } from '../io.ts';
import { addObjectOptions, addPackageOptions, type WhyOptions, whyFlags } from './why-options.ts';

interface Options extends WhyOptions {
  readonly exitCode?: true;
}

const EXAMPLES = `
Examples:
  tenantplane why-not cronjob/nightly --tenant dev --virtual-namespace default fleet
  tenantplane why-not tenants/dev/objects/worker.yaml fleet
  tenantplane why-not deploy/web --tenant dev --exit-code fleet && kubectl rollout status …
`;

export function addWhyNot(program: Command, context: CliContext): void {
  const command = program
    .command('why-not')
    .argument('<ref...>', 'a tenant’s object (KIND/NAME, also several) or a file, and the package (default: the folder here)')
    .description('say why something is not on the host: every check in order, what is near, what to change')
    .option('--exit-code', 'exit 1 where it is not on the host')
    .addHelpText('after', EXAMPLES);
  addAnswerOptions(addPackageOptions(addObjectOptions(command))).action(async (words: string[], _: unknown, self: Command) => {
    const options = self.optsWithGlobals<Options>();
    context.json = options.output === 'json';
    const { readReference } = await import('../why/read-reference.ts');
    const { runWhyNot } = await import('../why/run-why-not.ts');
    const reference = readReference(words, context.io, options);
    const flags = { ...whyFlags(options, context.io.cwd), root: reference.root, reference, exitCode: options.exitCode === true };
    context.exitCode = await runWhyNot(flags, context);
  });
}
