import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { CliContext, SharedFlags } from '../io.ts';
import { addPlanOptions, type PlanOptions, planFlags } from './plan-options.ts';

interface ValidateOptions extends PlanOptions, SharedFlags {
  readonly output: 'text' | 'json' | 'github';
}

const EXAMPLES = `
Examples:
  tenantplane validate fleet
  tenantplane validate fleet --fail-on warning -o github
`;

export function addValidate(program: Command, context: CliContext): void {
  const command = program
    .command('validate')
    .argument('[path]', 'the package', '.')
    .description('say what a render would refuse, hold or warn of; changes nothing')
    .addOption(
      new Option('-o, --output <format>', 'text, json or github (workflow commands)').choices(['text', 'json', 'github']).default('text'),
    )
    .addHelpText('after', `\nFails at "refused" unless --fail-on says otherwise.\n${EXAMPLES}`);
  addPlanOptions(command).action(async (path: string, _: unknown, self: Command) => {
    const options = self.optsWithGlobals<ValidateOptions>();
    context.json = options.output === 'json';
    const { runValidate } = await import('../render/run-validate.ts');
    const flags = { root: resolve(context.io.cwd, path), ...planFlags(options, context.io.cwd), output: options.output };
    context.exitCode = await runValidate(flags, context);
  });
}
