import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { CliContext } from '../io.ts';
import type { Reference } from '../why/read-reference.ts';
import { addPackageOptions, type WhyOptions, whyFlags } from './why-options.ts';

/** What a command that asks about one tenant, or all, hands on. */
export type TenantQuestionFlags = ReturnType<typeof whyFlags> & {
  readonly root: string;
  readonly reference: Reference;
  readonly exitCode: boolean;
};

interface TenantQuestion {
  /** what exit code 1 is for, where it is asked for */
  readonly exitCode?: string;
  readonly name: string;
  readonly description: string;
  readonly examples: string;
  /** imports what it does when it is called */
  run(flags: TenantQuestionFlags, context: CliContext): Promise<number>;
}

/** A command of the form `NAME [TENANT] [PATH]`. */
export function addTenantQuestion(
  program: Command,
  context: CliContext,
  { name, description, examples, exitCode, run }: TenantQuestion,
): void {
  const command = program
    .command(name)
    .argument('[tenant...]', 'NAME or NAMESPACE/NAME (default: all tenants), and the package (default: the folder here)')
    .description(description)
    .option('--tenant <name>', 'the same as the argument')
    .addHelpText('after', examples);
  if (exitCode !== undefined) command.option('--exit-code', exitCode);
  addAnswerOptions(addPackageOptions(command)).action(async (words: string[], _: unknown, self: Command) => {
    const options = self.optsWithGlobals<WhyOptions & { readonly exitCode?: true }>();
    context.json = options.output === 'json';
    const { readReference } = await import('../why/read-reference.ts');
    const reference = readReference(words, context.io, options);
    const flags = { ...whyFlags(options, context.io.cwd), root: reference.root, reference, exitCode: options.exitCode === true };
    context.exitCode = await run(flags, context);
  });
}
