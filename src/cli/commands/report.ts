import { resolve } from 'node:path';
import type { Command } from 'commander';
import { TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { addPlanOptions, type PlanOptions, planFlags } from './plan-options.ts';

interface ReportOptions extends PlanOptions, SharedFlags {
  readonly out?: string;
  readonly stamp?: string | true;
}

const EXAMPLES = `
Examples:
  tenantplane report html fleet --out report.html
  tenantplane report html fleet main..HEAD --out report.html
  tenantplane report html fleet --tenant dev > dev.html
  tenantplane report html fleet --out report.html --stamp "build 812"
`;

export function addReport(program: Command, context: CliContext): void {
  const report = program
    .command('report')
    .description('write a report that can be read, kept and sent without anything else')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES);
  const command = report
    .command('html')
    .argument('[path]', 'the package', '.')
    .argument('[range]', 'two git refs, A..B: tell what changed between them as well, by cause')
    .description('one HTML file: tenants, objects beside what the host gets, isolation, refusals, and every reason')
    .option('--out <file>', 'the file to write (default: standard output)')
    .option('--stamp [text]', 'put a text, or the time, into it; without, the same input gives the same bytes')
    .addHelpText('after', EXAMPLES);
  addPlanOptions(command).action(async (path: string, range: string | undefined, _: unknown, self: Command) => {
    const options = self.optsWithGlobals<ReportOptions>();
    const { io } = context;
    if (options.out === undefined && io.stdout.isTTY)
      throw new TenantplaneError('usage', 'The report is a page for a browser, not for a terminal.', {
        hint: 'Name a file: --out report.html',
      });
    const { packageRoot } = await import('../package/package-root.ts');
    const { runReport } = await import('../report/run-report.ts');
    const stamp = options.stamp === true ? new Date(io.now()).toISOString() : options.stamp;
    context.exitCode = await runReport(
      {
        root: packageRoot(path, io, options),
        ...planFlags(options, io.cwd),
        ...(range !== undefined && { range }),
        ...(options.out !== undefined && { out: resolve(io.cwd, options.out) }),
        ...(stamp !== undefined && { stamp }),
      },
      context,
    );
  });
}
