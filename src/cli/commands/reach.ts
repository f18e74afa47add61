import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { AnswerFlags } from '../answer/print-answer.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { collect } from './plan-options.ts';

interface ReachOptions extends SharedFlags, AnswerFlags {
  readonly from?: string;
  readonly to?: string;
  readonly port: readonly string[];
  readonly namespace?: string;
  readonly tenant?: string;
  readonly tenants?: true;
  readonly exitCode?: true;
  readonly podCidr: readonly string[];
  readonly platform?: string;
  readonly config?: string;
  readonly hostVersion?: string;
}

const EXAMPLES = `
An end is a workload or Service of a tenant (deploy/web, dev:shop/svc/db, or by its name on the host), a tenant (dev), internet, an
address or a range, dns, control-plane (the tenant's API), api-server (the host's), node, or ns/NAME (pods of the host).

Examples:
  tenantplane reach deploy/web svc/db
  tenantplane reach dev:shop/deploy/web prod:shop/deploy/db --port 5432 fleet
  tenantplane reach dev:deploy/web -n shop internet:443
  tenantplane reach internet dev:shop/deploy/web -o json
  tenantplane reach deploy/web            (whom it can reach, and who can reach it)
  tenantplane reach --tenants fleet       (tenants by tenants)
`;

export function addReach(program: Command, context: CliContext): void {
  const command = program
    .command('reach')
    .argument('[ends...]', 'who calls and who is called, and the package (default: the folder here); one or none for all that there are')
    .description('say which NetworkPolicy lets or stops traffic, with its rule; without ends, who can reach whom')
    .option('--from <end>', 'who calls, as the first word')
    .option('--to <end>', 'who is called, as the second word')
    .option('-p, --port <port>', '8080, 53/UDP or a name; may be repeated (default: all ports that are declared)', collect, [])
    .option('-n, --namespace <namespace>', 'virtual namespace of names that say none')
    .option('--tenant <name>', 'the tenant of names that say none, NAME or NAMESPACE/NAME')
    .option('--tenants', 'tenants by tenants, not workloads by workloads')
    .option('--exit-code', 'exit 1 where a call between the two ends is stopped, or nobody can tell')
    .option('--pod-cidr <range>', 'where pods of the host have their addresses; may be repeated', collect, [])
    .option('--platform <path>', 'read profiles and policies from this package as well')
    .option('--config <file>', 'a RenderTenant object (default: the one at the root of the package, if any)')
    .option('--host-version <version>', 'Kubernetes version of the host, such as 1.34');
  addAnswerOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (words: readonly string[], _: unknown, self: Command) => {
      const { from, to, port, tenants, exitCode, podCidr, platform, config, ...others } = self.optsWithGlobals<ReachOptions>();
      const { cwd } = context.io;
      context.json = others.output === 'json';
      const { packageWords } = await import('../package/package-words.ts');
      const { packageRoot } = await import('../package/package-root.ts');
      const { runReach } = await import('../reach/run-reach.ts');
      const { bothEnds, readWords } = await import('../reach/read-words.ts');
      const read = readWords(words, cwd);
      const root = packageRoot(read.path, context.io, { ...others, ...(platform !== undefined && { platform }) });
      const place = {
        root,
        ...(platform !== undefined && { platform: resolve(cwd, platform) }),
        ...(config !== undefined && { config: resolve(cwd, config) }),
        ...(others.hostVersion !== undefined && { hostVersion: others.hostVersion }),
      };
      context.exitCode = await runReach(
        {
          ...others,
          ...place,
          ends: bothEnds(read.ends, from, to, packageWords(cwd, place)),
          ports: port,
          tenants: tenants === true,
          exitCode: exitCode === true,
          podCidrs: podCidr,
        },
        context,
      );
    });
}
