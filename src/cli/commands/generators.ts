import { type Command, Option } from 'commander';
import type { ExampleObject } from '../../schema/example-objects.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliContext } from '../io.ts';
import { formatOf } from './flags-of-render.ts';

const file = (command: string, path: string): string =>
  `\nPrints to stdout; send it to a file of your package:\n  tenantplane render ${command} > ${path}\n`;

const output = (): Option => new Option('-o, --output <format>', 'yaml or json').choices(['yaml', 'json']).default('yaml');

/** `render tenantcluster|isolationprofile|syncpolicy NAME`: configuration to begin with. */
export function addGenerators(render: Command, context: CliContext): void {
  const print = async ({ object, problems }: ExampleObject): Promise<void> => {
    const [first] = problems;
    if (first !== undefined) throw new TenantplaneError('usage', first.message, { hint: first.remedy });
    const { emitYaml } = await import('../../krm/yaml/emit.ts');
    const { jsonText } = await import('../../report/json-text.ts');
    context.io.stdout.write(formatOf(render) === 'json' ? `${jsonText(object, 2)}\n` : emitYaml(object));
  };

  render
    .command('tenantcluster')
    .argument('<name>', 'name of the tenant')
    .description('print a TenantCluster to begin with')
    .option('--namespace <namespace>', 'its namespace on the host (default: team-NAME)')
    .addOption(new Option('--mode <mode>', 'how much of the host it has to itself').choices(['shared', 'dedicated', 'private']))
    .option('--isolation-profile <name>', 'its IsolationProfile')
    .option('--sync-policy <name>', 'its SyncPolicy')
    .option('--kubernetes-version <version>', 'version of its control plane (default: the newest tested one)')
    .addOption(
      new Option('--egress-policy <policy>', 'where its pods may call').choices(['deny-by-default', 'allow-same-tenant', 'unrestricted']),
    )
    .option('--cpu <quantity>', 'its quota of CPU')
    .option('--memory <quantity>', 'its quota of memory')
    .addOption(output())
    .addHelpText('after', file('tenantcluster dev', 'tenants/dev/tenant.yaml'))
    .action(async (name: string, options: Record<string, string>) => {
      const { exampleTenantCluster } = await import('../../schema/example-objects.ts');
      const { tenantNamespace } = await import('../init/tenant-namespace.ts');
      await print(exampleTenantCluster(name, { ...options, namespace: tenantNamespace(name, options['namespace']) }));
      const { modeWarning } = await import('../init/mode-warning.ts');
      context.io.stderr.write(modeWarning(options['mode'] ?? 'shared'));
    });

  render
    .command('isolationprofile')
    .argument('<name>', 'name of the profile')
    .description('print an IsolationProfile to begin with')
    .addOption(new Option('--level <level>', 'how strict it is').choices(['baseline', 'restricted', 'sandboxed']))
    .addOption(output())
    .addHelpText('after', file('isolationprofile restricted', 'profiles/restricted.yaml'))
    .action(async (name: string, options: Record<string, string>) => {
      const { exampleIsolationProfile } = await import('../../schema/example-objects.ts');
      await print(exampleIsolationProfile(name, options));
    });

  render
    .command('syncpolicy')
    .argument('<name>', 'name of the policy')
    .description('print a SyncPolicy to begin with')
    .addOption(
      new Option('--conflict-policy <policy>', 'who wins where both sides changed').choices(['manual', 'tenant-wins', 'host-wins']),
    )
    .addOption(new Option('--resources <set>', 'which kinds: an application in Git, or what pods need').choices(['applications', 'pods']))
    .addOption(output())
    .addHelpText('after', file('syncpolicy default', 'policies/default.yaml'))
    .action(async (name: string, options: Record<string, string>) => {
      const { exampleSyncPolicy } = await import('../../schema/example-objects.ts');
      await print(exampleSyncPolicy(name, options));
    });
}
