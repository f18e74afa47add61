import { type Command, Option } from 'commander';
import type { InitOptions } from '../init/run-init.ts';
import type { CliContext } from '../io.ts';

const MORE = `
In a package that is there already, also in a folder of it, it adds the tenant, with a profile and a policy of that package or of
the platform's (--platform). Overwrites nothing.

Examples:
  tenantplane init fleet && tenantplane render fleet
  tenantplane init fleet --tenant shop               (a second tenant)
  tenantplane init shop --tenant web --platform platform
`;

export function addInit(program: Command, context: CliContext): void {
  program
    .command('init')
    .argument('[dir]', 'folder of the package', '.')
    .description('make a new package (one tenant, a profile, a policy, a small application) that renders at once, or add a tenant to one')
    .option('--tenant <name>', 'name of the new tenant', 'dev')
    .option('--namespace <namespace>', 'its namespace on the host (default: team-NAME)')
    .option('--platform <path>', 'use profiles and policies of this package as well')
    .addOption(
      new Option('--level <level>', 'how strict its profile is (default: restricted, or what the package has)').choices([
        'baseline',
        'restricted',
        'sandboxed',
      ]),
    )
    .addHelpText('after', MORE)
    .action(async (dir: string, _: unknown, self: Command) => {
      const { runInit } = await import('../init/run-init.ts');
      await runInit(dir, self.optsWithGlobals<InitOptions>(), context.io);
    });
}
