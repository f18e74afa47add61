import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { CliContext, SharedFlags } from '../io.ts';
import { planFlags } from './plan-options.ts';
import { timeoutOf } from './timeout-of.ts';

interface UpOptions extends SharedFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly yes?: true;
  readonly releases?: string;
  readonly timeout: number;
  readonly untilReady?: true;
  readonly output: 'text' | 'json';
}

const MORE = `
Applies to the host what tenantplane needs (definitions, the reconciler's account and its rights) and what a render of PATH gives, in order, and runs the
reconciler under that account until interrupted. PATH itself is not changed. You need to be an admin of the host.
In a clone, npm run up starts a host for it as well.

Examples:
  tenantplane up examples/first-tenant                   on the host of the current context, if it is on this machine
  tenantplane up my-tenants --context my-host            on the host of a context that is named
  tenantplane up my-tenants --context my-host --until-ready
  tenantplane up my-tenants --until-ready -o json        for scripts
`;

export function addUp(program: Command, context: CliContext): void {
  program
    .command('up')
    .argument('[path]', 'the package', '.')
    .description('try a package on a host: apply all of it, run the reconciler here, and wait until its tenants are ready')
    .option('--kubeconfig <file>', 'kubeconfig of the host (default: as kubectl finds it)')
    .option('--context <name>', 'context of the kubeconfig; needed where the host is not on this machine')
    .option('--yes', 'take the current context, wherever its host is')
    .option('--releases <file>', 'YAML list of {version, image}: what control planes may run (default: those tested)')
    .addOption(new Option('--timeout <duration>', 'for the tenants to be ready').argParser(timeoutOf).default(300_000, '5m'))
    .option('--until-ready', 'end once they are, rather than run the reconciler on')
    .addOption(
      new Option('-o, --output <format>', 'json: a report on stdout once they are ready, or are not in time')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText('after', MORE)
    .action(async (path: string, _: unknown, self: Command) => {
      const options = self.optsWithGlobals<UpOptions>();
      const { kubeconfig, context: name, yes, releases, timeout, untilReady, output, quiet, verbose, color } = options;
      context.json = output === 'json';
      const [{ runUp }, { packageRoot }] = await Promise.all([import('../up/run-up.ts'), import('../package/package-root.ts')]);
      const { cwd } = context.io;
      const shared: SharedFlags = { quiet: quiet === true, verbose: verbose === true, ...(color !== undefined && { color }) };
      await runUp(
        {
          root: packageRoot(path, context.io, shared),
          plan: planFlags(shared, cwd),
          reach: {
            ...(kubeconfig !== undefined && { kubeconfig: resolve(cwd, kubeconfig) }),
            ...(name !== undefined && { context: name }),
          },
          anywhere: yes === true,
          ...(releases !== undefined && { releases: resolve(cwd, releases) }),
          timeout,
          untilReady: untilReady === true,
          json: output === 'json',
        },
        context,
      );
    });
}
