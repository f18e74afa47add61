import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { CliContext, SharedFlags } from '../io.ts';

interface ExplainOptions extends SharedFlags {
  readonly tenant?: string;
  readonly tenantNamespace?: string;
  readonly virtualNamespace: string;
  readonly kind: string;
  readonly name?: string;
  readonly filename?: string;
  readonly platform?: string;
  readonly config?: string;
  readonly hostVersion?: string;
  readonly trace?: true;
  readonly fields?: true;
  readonly output: 'yaml' | 'json' | 'text';
}

const EXAMPLES = `
Examples:
  tenantplane explain-sync --tenant dev --kind Deployment --name web --trace
  tenantplane explain-sync fleet --tenant dev -f new.yaml
  tenantplane explain-sync --tenant dev --tenant-namespace team-dev --name nginx    (names only, without a package)
`;

export function addExplainSync(program: Command, context: CliContext): void {
  program
    .command('explain-sync')
    .argument('[path]', 'the package that knows the tenant (default: the folder here, if it is one)')
    .description('say where an object of a tenant lands on the host, or why it does not')
    .option('--tenant <name>', 'the TenantCluster (default: the only one of the package)')
    .option('--tenant-namespace <namespace>', 'its namespace')
    .option('--virtual-namespace <namespace>', 'namespace of the object inside the tenant', 'default')
    .option('--kind <kind>', 'Deployment, deployments, Deployment.apps or apps/v1/Deployment', 'Pod')
    .option('--name <name>', 'name of the object inside the tenant')
    .option('-f, --filename <file>', 'manifest of the object, - for stdin; judged in full')
    .option('--platform <path>', 'read profiles and policies from this package as well')
    .option('--config <file>', 'a RenderTenant object')
    .option('--host-version <version>', 'Kubernetes version of the host, such as 1.34')
    .option('--trace', 'every rule that was looked at, in order')
    .option('--fields', 'every field that was changed, and by which rule')
    .addOption(new Option('-o, --output <format>', 'yaml, json or text').choices(['yaml', 'json', 'text']).default('yaml'))
    .addHelpText('after', EXAMPLES)
    .action(async (path: string | undefined, _: unknown, self: Command) => {
      const options = self.optsWithGlobals<ExplainOptions>();
      const { cwd } = context.io;
      context.json = options.output === 'json';
      const { runExplainSync } = await import('../explain/run-explain-sync.ts');
      const { filename, platform, config, trace, fields, ...others } = options;
      context.exitCode = await runExplainSync(
        {
          ...others,
          root: resolve(cwd, path ?? '.'),
          rootGiven: path !== undefined,
          trace: trace === true,
          fields: fields === true,
          ...(filename !== undefined && { manifest: filename }),
          ...(platform !== undefined && { platform: resolve(cwd, platform) }),
          ...(config !== undefined && { config: resolve(cwd, config) }),
        },
        context,
      );
    });
}
