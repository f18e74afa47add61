import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';

interface ExplainOptions extends SharedFlags {
  readonly tenant?: string;
  readonly tenantNamespace?: string;
  readonly virtualNamespace?: string;
  readonly namespace?: string;
  readonly kind?: string;
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
  tenantplane explain-sync deploy/web --trace
  tenantplane explain-sync fleet --tenant dev -n shop --kind Deployment --name web
  tenantplane explain-sync fleet --tenant team-dev/dev new.yaml
  tenantplane explain-sync --tenant dev --tenant-namespace team-dev --name nginx    (names only, without a package)
`;

export function addExplainSync(program: Command, context: CliContext): void {
  program
    .command('explain-sync')
    .argument('[path]', 'the package that knows the tenant (default: the folder here, if it is one)')
    .argument('[kind/name...]', 'the object, also as KIND NAME, or a manifest')
    .description('say where an object of a tenant lands on the host, or why it does not')
    .option('--tenant <name>', 'the TenantCluster, NAME or NAMESPACE/NAME (default: the only one of the package)')
    .option('--tenant-namespace <namespace>', 'its namespace')
    .option('--virtual-namespace <namespace>', 'namespace of the object inside the tenant (default: default)')
    .option('-n, --namespace <namespace>', 'the same, in short')
    .option('--kind <kind>', 'Deployment, deployments, Deployment.apps or apps/v1/Deployment (default: Pod)')
    .option('--name <name>', 'name of the object inside the tenant')
    .option('-f, --filename <file>', 'manifest of the object, - for stdin; judged in full')
    .option('--platform <path>', 'read profiles, policies, HostFacts and RenderTenant from this package as well')
    .option('--config <file>', 'a RenderTenant object')
    .option('--host-version <version>', 'Kubernetes version of the host, such as 1.34')
    .option('--trace', 'every rule that was looked at, in order')
    .option('--fields', 'every field that was changed, and by which rule')
    .addOption(new Option('-o, --output <format>', 'yaml, json or text').choices(['yaml', 'json', 'text']).default('yaml'))
    .addHelpText('after', EXAMPLES)
    .action(async (path: string | undefined, object: string[], _: unknown, self: Command) => {
      const options = self.optsWithGlobals<ExplainOptions>();
      const { cwd } = context.io;
      context.json = options.output === 'json';
      const { holdsPackages, packageRoot } = await import('../package/package-root.ts');
      const { runExplainSync } = await import('../explain/run-explain-sync.ts');
      const { readWords } = await import('../explain/read-words.ts');
      const words = readWords(path === undefined ? [] : [path, ...object], options, cwd);
      const { filename, platform, config, trace, fields, tenant, tenantNamespace, namespace, virtualNamespace, ...others } = options;
      const manifest = words.manifest ?? filename;
      const names = tenantNames(tenant, tenantNamespace);
      // both names tell where it lands, whatever package it is of
      const namesOnly = words.path === undefined && names.tenant !== undefined && names.tenantNamespace !== undefined && holdsPackages(cwd);
      context.exitCode = await runExplainSync(
        {
          ...others,
          ...names,
          virtualNamespace: once('--virtual-namespace and -n', virtualNamespace, namespace) ?? 'default',
          cwd,
          root: namesOnly ? cwd : packageRoot(words.path, context.io, { ...options, ...(platform !== undefined && { platform }) }),
          namesOnly,
          rootGiven: words.path !== undefined,
          object: words.object,
          trace: trace === true,
          fields: fields === true,
          ...(manifest !== undefined && { manifest }),
          ...(platform !== undefined && { platform: resolve(cwd, platform) }),
          ...(config !== undefined && { config: resolve(cwd, config) }),
        },
        context,
      );
    });
}

/** `--tenant team-dev/dev` says both names. */
function tenantNames(tenant: string | undefined, namespace: string | undefined): { tenant?: string; tenantNamespace?: string } {
  const slash = tenant?.indexOf('/') ?? -1;
  const name = slash < 0 ? tenant : tenant?.slice(slash + 1);
  const both = once('--tenant and --tenant-namespace', slash < 0 ? undefined : tenant?.slice(0, slash), namespace);
  return { ...(name !== undefined && { tenant: name }), ...(both !== undefined && { tenantNamespace: both }) };
}

function once(flags: string, a: string | undefined, b: string | undefined): string | undefined {
  if (a !== undefined && b !== undefined && a !== b)
    throw new TenantplaneError('usage', `${flags} say two namespaces: ${a} and ${b}.`, { hint: 'Say it once.' });
  return a ?? b;
}
