import type { Command } from 'commander';
import type { CliContext } from '../io.ts';
import { collect } from './plan-options.ts';
import { addReviewOptions, type ReviewOptions, reviewFlags } from './review-options.ts';

interface WhatIfOptions extends ReviewOptions {
  readonly set: readonly string[];
  readonly patch: readonly string[];
  readonly use: readonly string[];
}

const EXAMPLES = `
Edits are made in memory, in the order --set, --patch, --use; no file is written.

Examples:
  tenantplane what-if fleet --set 'IsolationProfile/restricted:spec.level=sandboxed'
  tenantplane what-if fleet --set 'SyncPolicy/default:+spec.resources={apiVersion: batch/v1, kind: CronJob, direction: toHost}'
  tenantplane what-if fleet --set 'TenantCluster/team-dev/dev:-spec.resources.cpu'
  tenantplane what-if fleet --use restricted=sandboxed --tenants 'team-*/*' --check no-weaker-isolation
  tenantplane what-if fleet --host-version 1.35 --max-deletes 0
`;

export function addWhatIf(program: Command, context: CliContext): void {
  const command = program
    .command('what-if')
    .argument('[path]', 'the package', '.')
    .description('say what would change on the host if a profile, policy, tenant or host version did; changes nothing')
    .option('--set <edit>', "'KIND/NAME:PATH=VALUE'; +PATH=VALUE adds to a list, -PATH takes a field out; may be repeated", collect, [])
    .option('--patch <file>', 'objects merged into those of the same name, or added; may be repeated', collect, [])
    .option('--use <old=new>', 'let tenants use another profile or policy; may be repeated', collect, [])
    .addHelpText('after', EXAMPLES);
  addReviewOptions(command).action(async (path: string, _: unknown, self: Command) => {
    const options = self.optsWithGlobals<WhatIfOptions>();
    const { set, patch, use } = options;
    const flags = reviewFlags(options, context);
    const { packageRoot } = await import('../package/package-root.ts');
    const { runWhatIf } = await import('../review/run-what-if.ts');
    context.exitCode = await runWhatIf({ ...flags, root: packageRoot(path, context.io, options), set, patch, use }, context);
  });
}
