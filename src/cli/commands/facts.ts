import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { CliContext, SharedFlags } from '../io.ts';

interface FactsOptions extends SharedFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly keep?: string;
  readonly outputFile?: string;
  readonly output: 'yaml' | 'json';
}

const EXAMPLES = `
Examples:
  tenantplane facts --output-file fleet/facts.yaml
  tenantplane facts --context prod --output-file fleet/facts.yaml
`;

export function addFacts(program: Command, context: CliContext): void {
  program
    .command('facts')
    .description('print what a host cluster says of itself as HostFacts, for the root of a package; reads only')
    .option('--kubeconfig <file>', 'kubeconfig of the host (default: as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig (default: the current one)')
    .option('--keep <file>', 'HostFacts file whose answers stay where the host gives none, such as networkPolicies')
    .option('--output-file <file>', 'write there once all is known, in place of stdout; keeps its answers as --keep does')
    .addOption(new Option('-o, --output <format>', 'yaml or json').choices(['yaml', 'json']).default('yaml'))
    .addHelpText('after', EXAMPLES)
    .action(async (_: unknown, self: Command) => {
      const options = self.optsWithGlobals<FactsOptions>();
      context.json = options.output === 'json';
      const { runFacts } = await import('../facts/run-facts.ts');
      const { cwd } = context.io;
      await runFacts(
        {
          output: options.output,
          quiet: options.quiet === true,
          ...(options.kubeconfig !== undefined && { kubeconfig: resolve(cwd, options.kubeconfig) }),
          ...(options.context !== undefined && { context: options.context }),
          ...(options.outputFile !== undefined && { outputFile: resolve(cwd, options.outputFile) }),
          ...(options.keep !== undefined && { keep: resolve(cwd, options.keep) }),
        },
        context,
      );
    });
}
