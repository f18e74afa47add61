import type { Command } from 'commander';
import { addAnswerOptions } from '../answer/answer-options.ts';
import type { CliContext } from '../io.ts';
import { addObjectOptions, addPackageOptions, type WhyOptions, whyFlags } from './why-options.ts';

interface Options extends WhyOptions {
  readonly field?: string;
  readonly git?: true;
  readonly exitCode?: true;
}

const EXAMPLES = `
Examples:
  tenantplane why host/team-dev/service_api-x-default-x-dev.yaml
  tenantplane why deploy/web-x-shop-x-dev -n team-dev fleet
  tenantplane why deploy/web --tenant dev --virtual-namespace shop fleet
  tenantplane why networkpolicy/tenantplane-default-deny -n team-dev fleet
  tenantplane why deploy/web --tenant dev --field 'spec.containers[app].image' fleet
  tenantplane why deploy/web --tenant dev --git fleet
`;

export function addWhy(program: Command, context: CliContext): void {
  const command = program
    .command('why')
    .argument('<ref...>', 'a file, a host object or a tenant’s (KIND/NAME or a name alone), and the package (default: the folder here)')
    .description('say why something is on the host: from which object, by which rule, changed how')
    .option('--field <field>', 'who set this field: /spec/replicas, spec.replicas or spec.containers[app].image')
    .option('--git', 'commit, author and date of the last change of the source and of the rule')
    .option('--exit-code', 'exit 1 where any of it is not on the host')
    .addHelpText('after', EXAMPLES);
  addAnswerOptions(addPackageOptions(addObjectOptions(command))).action(async (words: string[], _: unknown, self: Command) => {
    const options = self.optsWithGlobals<Options>();
    context.json = options.output === 'json';
    const { readReference } = await import('../why/read-reference.ts');
    const { runWhy } = await import('../why/run-why.ts');
    const reference = readReference(words, context.io, options);
    const { field, git, exitCode } = options;
    const flags = { ...whyFlags(options, context.io.cwd), root: reference.root, reference, git: git === true, exitCode: exitCode === true };
    context.exitCode = await runWhy({ ...flags, ...(field !== undefined && { field }) }, context);
  });
}
