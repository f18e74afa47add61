import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { CliContext } from '../io.ts';
import type { Reference } from '../why/read-reference.ts';
import { addPackageOptions, type WhyOptions, whyFlags } from './why-options.ts';

/** What a command that asks about one tenant, or all, hands on. */
export type TenantQuestionFlags = ReturnType<typeof whyFlags> & { readonly root: string; readonly reference: Reference };

interface TenantQuestion {
  readonly name: string;
  readonly description: string;
  readonly examples: string;
  /** imports what it does when it is called */
  run(flags: TenantQuestionFlags, context: CliContext): Promise<number>;
}

/** A command of the form `NAME [TENANT] [PATH]`. */
export function addTenantQuestion(program: Command, context: CliContext, { name, description, examples, run }: TenantQuestion): void {
  const command = program
    .command(name)
    .argument('[tenant...]', 'NAME or NAMESPACE/NAME (default: all tenants), and the package (default: the folder here)')
    .description(description)
    .option('--tenant <name>', 'the same as the argument')
    .addHelpText('after', examples);
  addAnswerOptions(addPackageOptions(command)).action(async (words: string[], _: unknown, self: Command) => {
    const options = self.optsWithGlobals<WhyOptions>();
    context.json = options.output === 'json';
    const { readReference } = await import('../why/read-reference.ts');
    const reference = readReference(words, context.io, options);
    context.exitCode = await run({ ...whyFlags(options, context.io.cwd), root: reference.root, reference }, context);
  });
}
