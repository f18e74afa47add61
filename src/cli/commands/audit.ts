import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { AnswerFlags } from '../answer/print-answer.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { addPlanOptions, type PlanOptions, planFlags } from './plan-options.ts';

interface VerifyOptions extends PlanOptions, SharedFlags, AnswerFlags {
  readonly requireLedger?: true;
  readonly commit?: string;
  readonly tree?: string;
}

interface ExportOptions extends PlanOptions, SharedFlags {
  readonly out: string;
  readonly tree?: string;
}

const VERIFY_EXAMPLES = `
Exit code 4 where the tree or a ledger is not what these sources give.

Examples:
  tenantplane audit verify fleet
  tenantplane audit verify fleet --require-ledger -o junit > audit.xml
  tenantplane audit verify fleet --commit v1.4.0
  tenantplane audit verify tenants --platform ../platform
`;

const EXPORT_EXAMPLES = `
Examples:
  tenantplane audit export fleet --out evidence && tar -czf evidence.tar.gz evidence
  (cd evidence && sha256sum -c SHA256SUMS)
`;

export function addAudit(program: Command, context: CliContext): void {
  const audit = program
    .command('audit')
    .description('prove that a rendered tree and its ledger are what the sources give')

    .helpCommand(false)
    .addHelpText('after', `\nExamples:\n  tenantplane audit verify fleet\n  tenantplane audit export fleet --out evidence\n`);

  const verify = audit
    .command('verify')
    .argument('[path]', 'the package', '.')
    .description('render again in memory and compare with the tree and the ledgers; writes nothing')
    .option('--tree <folder>', 'the rendered tree (default: PATH/host)')
    .option('--commit <ref>', 'verify what this commit holds; the working tree is not looked at')
    .option('--require-ledger', 'fail where no ledger is kept')
    .addHelpText('after', VERIFY_EXAMPLES);
  addPlanOptions(addAnswerOptions(verify)).action(async (path: string, _: unknown, self: Command) => {
    const options = self.optsWithGlobals<VerifyOptions>();
    const { cwd } = context.io;
    const { output, report } = options;
    context.json = output === 'json';
    const { packageRoot } = await import('../package/package-root.ts');
    const { runVerify } = await import('../audit/run-verify.ts');
    context.exitCode = await runVerify(
      {
        root: packageRoot(path, context.io, options),
        ...(options.tree !== undefined && { tree: resolve(cwd, options.tree) }),
        ...planFlags(options, cwd),
        output,
        ...(report !== undefined && { report }),
        requireLedger: options.requireLedger === true,
        ...(options.commit !== undefined && { commit: options.commit }),
      },
      context,
    );
  });

  const bundle = audit
    .command('export')
    .argument('[path]', 'the package', '.')
    .description('write a folder of evidence that an auditor can check without this program')
    .requiredOption('--out <folder>', 'where to; a folder that is not there yet, or is empty')
    .option('--tree <folder>', 'the rendered tree (default: PATH/host)')
    .addHelpText('after', EXPORT_EXAMPLES);
  addPlanOptions(bundle).action(async (path: string, _: unknown, self: Command) => {
    const options = self.optsWithGlobals<ExportOptions>();
    const { cwd } = context.io;
    const { packageRoot } = await import('../package/package-root.ts');
    const { runExport } = await import('../audit/run-export.ts');
    context.exitCode = await runExport(
      {
        root: packageRoot(path, context.io, options),
        out: resolve(cwd, options.out),
        ...(options.tree !== undefined && { tree: resolve(cwd, options.tree) }),
        ...planFlags(options, cwd),
      },
      context,
    );
  });
}
