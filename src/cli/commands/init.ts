import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { CliContext, SharedFlags } from '../io.ts';

interface InitOptions extends SharedFlags {
  readonly tenant: string;
  readonly namespace?: string;
  readonly level: 'baseline' | 'restricted' | 'sandboxed';
}

export function addInit(program: Command, context: CliContext): void {
  program
    .command('init')
    .argument('[dir]', 'folder of the new package', '.')
    .description('make a new package: one tenant, a profile, a policy, a small application; it renders at once')
    .option('--tenant <name>', 'name of the first tenant', 'dev')
    .option('--namespace <namespace>', 'its namespace on the host (default: team-NAME)')
    .addOption(
      new Option('--level <level>', 'how strict its profile is').choices(['baseline', 'restricted', 'sandboxed']).default('restricted'),
    )
    .addHelpText('after', '\nOverwrites nothing.\n\nExample:\n  tenantplane init fleet && tenantplane render fleet\n')
    .action(async (dir: string, _: unknown, self: Command) => {
      const options = self.optsWithGlobals<InitOptions>();
      const { initPackage } = await import('../init/init-package.ts');
      const files = initPackage({
        folder: resolve(context.io.cwd, dir),
        tenant: options.tenant,
        namespace: options.namespace ?? `team-${options.tenant}`,
        level: options.level,
      });
      if (options.quiet === true) return;
      context.io.stdout.write(files.map((path) => `made ${dir === '.' ? '' : `${dir}/`}${path}\n`).join(''));
      context.io.stdout.write(`\nnext: tenantplane render${dir === '.' ? '' : ` ${dir}`}\n`);
    });
}
