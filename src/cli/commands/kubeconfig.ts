import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { TenantplaneError } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';

interface KubeconfigOptions extends SharedFlags {
  readonly namespace?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
  readonly external?: true;
  readonly internal?: true;
  readonly outputFile?: string;
  readonly output: 'yaml' | 'json';
}

const EXAMPLES = `
Reads on the host the TenantCluster and the Secret kubeconfig of its control plane; changes nothing there. Whoever has the
kubeconfig is an admin of the tenant until it expires.

Examples:
  tenantplane kubeconfig shop --output-file shop.yaml
  KUBECONFIG=shop.yaml kubectl get namespaces
  tenantplane kubeconfig team-shop/shop --context prod --external > shop.yaml
  tenantplane kubeconfig shop --output-file shop.yaml -o json     file, address and end, for scripts
  tenantplane kubeconfig shop --server https://127.0.0.1:6443 > shop.yaml
`;

export function addKubeconfig(program: Command, context: CliContext): void {
  program
    .command('kubeconfig')
    .argument('<tenant>', 'NAME or NAMESPACE/NAME of the TenantCluster')
    .description('print the kubeconfig of a tenant’s control plane, read from the host')
    .option('-n, --namespace <namespace>', 'namespace of the TenantCluster (default: all are searched)')
    .option('--kubeconfig <file>', 'kubeconfig of the host (default: as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig (default: the current one)')
    .addOption(new Option('--server <url>', 'address to write into it, such as that of a port-forward').conflicts(['external', 'internal']))
    .addOption(new Option('--external', 'the address of the load balancer').conflicts('internal'))
    .option('--internal', 'the address inside the host cluster')
    .option('--output-file <file>', 'write there, readable by you alone, in place of stdout')
    .addOption(
      new Option('-o, --output <format>', 'json: what was written to --output-file, in place of it')
        .choices(['yaml', 'json'])
        .default('yaml'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (tenant: string, _: unknown, self: Command) => {
      const options = self.optsWithGlobals<KubeconfigOptions>();
      const { namespace, kubeconfig, context: name, server, external, internal, outputFile, output, quiet } = options;
      context.json = output === 'json';
      if (context.json && outputFile === undefined)
        throw new TenantplaneError('usage', 'A report holds no credentials, so -o json needs a file for them.', {
          hint: 'Name one with --output-file; without -o json the kubeconfig goes to stdout.',
        });
      const { runKubeconfig } = await import('../kubeconfig/run-kubeconfig.ts');
      const { cwd } = context.io;
      await runKubeconfig(
        {
          tenant,
          ...(namespace !== undefined && { namespace }),
          reach: {
            ...(kubeconfig !== undefined && { kubeconfig: resolve(cwd, kubeconfig) }),
            ...(name !== undefined && { context: name }),
          },
          address: server ?? (external === true ? 'external' : internal === true ? 'internal' : 'published'),
          ...(outputFile !== undefined && { outputFile: resolve(cwd, outputFile) }),
          json: context.json,
          quiet: quiet === true,
        },
        context,
      );
    });
}
