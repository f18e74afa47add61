import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { AnswerFlags } from '../answer/print-answer.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { addPlanOptions, type PlanOptions, planFlags } from './plan-options.ts';

interface DoctorOptions extends PlanOptions, SharedFlags, AnswerFlags {
  readonly cluster?: true;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly gitops?: string;
  readonly tree?: string;
}

const EXAMPLES = `
Changes nothing. Exit code 1 where something failed or warns; what is unknown is told, and fails nothing.

Examples:
  tenantplane doctor fleet
  tenantplane doctor fleet --cluster --context prod
  tenantplane doctor fleet --gitops ../argocd
`;

export function addDoctor(program: Command, context: CliContext): void {
  const command = program
    .command('doctor')
    .argument('[path]', 'the package', '.')
    .description('say whether this repository, and the host, are such that the tree is applied as it was rendered')
    .option('--cluster', 'ask the host too, of kubectl’s current context; reads only')
    .option('--kubeconfig <file>', 'kubeconfig of the host')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--gitops <folder>', 'folder with the Applications or Kustomizations that apply the tree')
    .option('--tree <folder>', 'the rendered tree (default: PATH/host)')
    .addHelpText('after', EXAMPLES);
  addPlanOptions(addAnswerOptions(command)).action(async (path: string, _: unknown, self: Command) => {
    const options = self.optsWithGlobals<DoctorOptions>();
    const { cwd } = context.io;
    const { output, report, kubeconfig, context: name, gitops, tree } = options;
    context.json = output === 'json';
    const asks = options.cluster === true || kubeconfig !== undefined || name !== undefined;
    const { packageRoot } = await import('../package/package-root.ts');
    const { runDoctor } = await import('../doctor/run-doctor.ts');
    context.exitCode = await runDoctor(
      {
        root: packageRoot(path, context.io, options),
        ...planFlags(options, cwd),
        output,
        ...(report !== undefined && { report }),
        ...(tree !== undefined && { tree: resolve(cwd, tree) }),
        ...(gitops !== undefined && { gitops: resolve(cwd, gitops) }),
        ...(asks && {
          reach: {
            ...(kubeconfig !== undefined && { kubeconfig: resolve(cwd, kubeconfig) }),
            ...(name !== undefined && { context: name }),
          },
        }),
      },
      context,
    );
  });
}
