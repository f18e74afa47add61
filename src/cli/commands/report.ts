import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isAnswerFormat } from '../../report/answer/format-names.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import type { ReportFlags } from '../report/run-report.ts';
import { addPlanOptions, type PlanOptions, planFlags } from './plan-options.ts';

interface ReportOptions extends PlanOptions, SharedFlags {
  readonly out?: string;
  readonly outputDir?: string;
  readonly stamp?: string | true;
}

const EXAMPLES = `
Examples:
  tenantplane report html fleet --out report.html
  tenantplane report html fleet main..HEAD --out report.html
  tenantplane report html fleet --tenant dev > dev.html
  tenantplane report html fleet --output-dir report
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
    .description('one HTML file, or a folder of them: tenants, objects beside what the host gets, isolation, refusals, and every reason')
    .option('-o, --out <file>', 'the file to write, or a folder where it ends with / (default: standard output)')
    .option('--output-dir <folder>', 'write an index and a page for each tenant, none of which needs a script')
    .option('--stamp [text]', 'put a text, or the time, into it; without, the same input gives the same bytes')
    .addHelpText('after', EXAMPLES);
  addPlanOptions(command).action(async (first: string, second: string | undefined, _: unknown, self: Command) => {
    const [path, range] = inOrder(first, second);
    const options = self.optsWithGlobals<ReportOptions>();
    const { io } = context;
    const out = outOf(options, io.cwd);
    if (out === undefined && io.stdout.isTTY)
      throw new TenantplaneError('usage', 'The report is a page for a browser, not for a terminal.', {
        hint: 'Name a file: --out report.html, or a folder: --output-dir report',
      });
    const { packageRoot } = await import('../package/package-root.ts');
    const { runReport } = await import('../report/run-report.ts');
    const stamp = options.stamp === true ? new Date(io.now()).toISOString() : options.stamp;
    context.exitCode = await runReport(
      {
        root: packageRoot(path, io, options),
        ...planFlags(options, io.cwd),
        ...(range !== undefined && { range }),
        ...(out !== undefined && { out }),
        ...(stamp !== undefined && { stamp }),
      },
      context,
    );
  });
}

/** `diff` and `pr-comment` take the range first: so it is found wherever it stands. A folder may well be `../fleet`. */
function inOrder(first: string, second: string | undefined): readonly [path: string, range: string | undefined] {
  const isRange = (word: string): boolean => word.includes('..') && !/(^|[\\/])\.\.([\\/]|$)/.test(word);
  return isRange(first) && (second === undefined || !isRange(second)) ? [second ?? '.', first] : [first, second];
}

function outOf({ out, outputDir }: ReportOptions, cwd: string): ReportFlags['out'] {
  if (out !== undefined && outputDir !== undefined)
    throw new TenantplaneError('usage', 'A report is one file or a folder of them, not both.', {
      hint: 'Give --out FILE or --output-dir DIR.',
    });
  if (out !== undefined && isAnswerFormat(out))
    throw new TenantplaneError('usage', `-o of report html is the file to write, and ${out} is the name of a format.`, {
      hint: 'Name a file: -o report.html. Other formats are those of tenantplane validate.',
    });
  if (outputDir !== undefined) return { kind: 'folder', path: resolve(cwd, outputDir) };
  if (out === undefined) return undefined;
  return { kind: /[\\/]$/.test(out) ? 'folder' : 'file', path: resolve(cwd, out) };
}
