import { type Command, Option } from 'commander';
import { type AnswerFormat, ISSUE_FORMATS } from '../../report/answer/format-names.ts';
import { addReportOption, type ReportFile } from '../answer/answer-options.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { addPlanOptions, type PlanOptions, planFlags } from './plan-options.ts';

interface ValidateOptions extends PlanOptions, SharedFlags {
  readonly output: AnswerFormat;
  readonly report?: readonly ReportFile[];
}

const EXAMPLES = `
Examples:
  tenantplane validate fleet
  tenantplane validate fleet --fail-on warning -o github
  tenantplane validate fleet --report sarif=result.sarif --report junit=result.xml
`;

export function addValidate(program: Command, context: CliContext): void {
  const command = program
    .command('validate')
    .argument('[path]', 'the package', '.')
    .description('say what a render would refuse, hold or warn of; changes nothing')
    .addOption(new Option('-o, --output <format>', 'what is printed').choices(['text', 'json', ...ISSUE_FORMATS]).default('text'))
    .addHelpText('after', `\nFails at "refused" unless --fail-on says otherwise.\n${EXAMPLES}`);
  addPlanOptions(addReportOption(command, ISSUE_FORMATS)).action(async (path: string, _: unknown, self: Command) => {
    const options = self.optsWithGlobals<ValidateOptions>();
    context.json = options.output === 'json';
    const { packageRoot } = await import('../package/package-root.ts');
    const { runValidate } = await import('../render/run-validate.ts');
    const flags = {
      root: packageRoot(path, context.io, options),
      ...planFlags(options, context.io.cwd),
      output: options.output,
      report: options.report ?? [],
    };
    context.exitCode = await runValidate(flags, context);
  });
}
