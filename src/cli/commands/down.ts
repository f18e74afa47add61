import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { timeoutOf } from './timeout-of.ts';

interface DownOptions extends SharedFlags {
  readonly all?: true;
  readonly everything?: true;
  readonly deleteVolumes?: true;
  readonly dryRun?: true;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly yes?: true;
  readonly releases?: string;
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

const MORE = `
The reverse of up. Deletes the TenantClusters, runs the reconciler here until it has taken their control planes down, and then deletes what is left of
them: what a render put into their namespaces, the namespaces, and their own objects of the cluster. A namespace that holds volumes, or anything that is
not tenantplane's, stays. You need to be an admin of the host.

Examples:
  tenantplane down team-dev/dev --dry-run                what would be deleted, in order, and what would stay
  tenantplane down team-dev/dev                          on the host of the current context, if it is on this machine
  tenantplane down --all --context my-host               every tenant of a host that is named
  tenantplane down --everything --delete-volumes         what they share, the reconciler and the definitions too
`;

export function addDown(program: Command, context: CliContext): void {
  program
    .command('down')
    .argument('[tenant...]', 'NAME or NAMESPACE/NAME of TenantClusters')
    .description('take off a host again what up put there: tenants, and with a flag what they share')
    .option('--all', 'every tenant of the host')
    .option('--everything', 'every tenant, and what tenants share, the reconciler and its rights, and the definitions')
    .option('--delete-volumes', 'namespaces that hold volumes too, with what is on these')
    .option('--dry-run', 'print what would be deleted, and what would stay; change nothing')
    .option('--kubeconfig <file>', 'kubeconfig of the host (default: as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig; needed where the host is not on this machine')
    .option('--yes', 'take the current context, wherever its host is')
    .option('--releases <file>', 'YAML list of {version, image}, as up was given it')
    .addOption(new Option('--timeout <duration>', 'for the control planes to be gone').argParser(timeoutOf).default(300_000, '5m'))
    .addOption(new Option('-o, --output <format>', 'what is printed on stdout').choices(['text', 'json']).default('text'))
    .addHelpText('after', MORE)
    .action(async (tenants: readonly string[], _: unknown, self: Command) => {
      const options = self.optsWithGlobals<DownOptions>();
      const { all, everything, deleteVolumes, dryRun, kubeconfig, context: name, yes, releases, timeout, output, quiet } = options;
      const { cwd } = context.io;
      context.json = output === 'json';
      const whole = all === true || everything === true;
      if (whole === tenants.length > 0)
        throw new TenantplaneError('usage', whole ? 'Tenants are named, and all are meant.' : 'No tenant is named.', {
          hint: whole ? 'Leave the names out, or the flag.' : 'Name them, or say --all; with --dry-run nothing is changed.',
        });
      const { runDown } = await import('../down/run-down.ts');
      await runDown(
        {
          tenants,
          everything: everything === true,
          volumes: deleteVolumes === true,
          dryRun: dryRun === true,
          reach: {
            ...(kubeconfig !== undefined && { kubeconfig: resolve(cwd, kubeconfig) }),
            ...(name !== undefined && { context: name }),
          },
          anywhere: yes === true,
          ...(releases !== undefined && { releases: resolve(cwd, releases) }),
          timeout,
          json: output === 'json',
          quiet: quiet === true,
        },
        context,
      );
    });
}
