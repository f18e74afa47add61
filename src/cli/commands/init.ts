import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { shellWord } from '../../core/decision/shell-word.ts';
import type { CliContext, SharedFlags } from '../io.ts';

interface InitOptions extends SharedFlags {
  readonly tenant: string;
  readonly namespace?: string;
  readonly level?: 'baseline' | 'restricted' | 'sandboxed';
}

const MORE = `
In a package that is there already it adds the tenant, with a profile and a policy of that package. Overwrites nothing.

Examples:
  tenantplane init fleet && tenantplane render fleet
  tenantplane init fleet --tenant shop               (a second tenant)
`;

export function addInit(program: Command, context: CliContext): void {
  program
    .command('init')
    .argument('[dir]', 'folder of the package', '.')
    .description('make a new package (one tenant, a profile, a policy, a small application) that renders at once, or add a tenant to one')
    .option('--tenant <name>', 'name of the new tenant', 'dev')
    .option('--namespace <namespace>', 'its namespace on the host (default: team-NAME)')
    .addOption(
      new Option('--level <level>', 'how strict its profile is (default: restricted, or what the package has)').choices([
        'baseline',
        'restricted',
        'sandboxed',
      ]),
    )
    .addHelpText('after', MORE)
    .action(async (dir: string, _: unknown, self: Command) => {
      const options = self.optsWithGlobals<InitOptions>();
      const { initPackage } = await import('../init/init-package.ts');
      const { tenantNamespace } = await import('../init/tenant-namespace.ts');
      const { made, used } = await initPackage(
        {
          folder: resolve(context.io.cwd, dir),
          tenant: options.tenant,
          namespace: tenantNamespace(options.tenant, options.namespace),
          ...(options.level !== undefined && { level: options.level }),
        },
        context.io.signal,
      );
      if (options.quiet === true) return;
      const lines = [
        ...made.map((path) => `made ${dir === '.' ? '' : `${dir}/`}${path}`),
        ...used.map((what) => `uses ${what}`),
        '',
        `next: tenantplane render${dir === '.' ? '' : ` ${shellWord(dir)}`}`,
      ];
      context.io.stdout.write(`${lines.join('\n')}\n`);
    });
}
