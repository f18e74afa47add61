import { type Command, InvalidArgumentError, Option } from 'commander';
import { shellWord } from '../../core/decision/shell-word.ts';
import { ISSUE_FORMATS } from '../../report/answer/format-names.ts';
import { addReportOption } from '../answer/answer-options.ts';
import { TenantplaneError } from '../errors.ts';
import type { CliContext } from '../io.ts';
import type { RenderFlags } from '../render/run-render.ts';
import { refuseFlagsOfRender } from './flags-of-render.ts';
import { addGenerators } from './generators.ts';
import { addGitopsGenerators } from './gitops-generators.ts';
import { addPlanOptions, planFlags } from './plan-options.ts';
import type { RenderOptions } from './render-options.ts';

const EXAMPLES = `
Examples:
  tenantplane render                         render the package here into ./host
  tenantplane render fleet --check --diff    fail, and show how, where fleet/host is not what a render would give
  tenantplane render fleet --tenant dev -v   one tenant only, listed in full
  tenantplane render fleet -o stdout | kubectl diff -f -
  tenantplane render syncpolicy default      print a SyncPolicy to begin with (a folder of that name: ./syncpolicy)
`;

export function addRender(program: Command, context: CliContext): void {
  const command = program
    .command('render')
    .argument('[path]', 'the package: TenantClusters with objects/ beside them, profiles, policies', '.')
    .description('render a package into host manifests, PATH/host/, and say why each is there or is not')
    .addOption(
      new Option('-o, --output <where>', 'dir, dir=FOLDER, stdout (manifests) or json (report)')
        .default({ kind: 'dir' }, 'dir, which is PATH/host')
        .argParser(outputOf),
    )
    .option('--check', 'write nothing; exit 4 where the tree on the disk is stale')
    .option('--diff', 'with --check: unified diffs of what is stale')
    .option('--ledger', 'keep a ledger of decisions for each tenant, .tenantplane/*.ndjson beside the tree')
    .option('--watch', 'render again whenever the package changes, until interrupted')
    .option('--no-cache', 'plan again where nothing changed since the last render, too')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES);
  addPlanOptions(addReportOption(command, ISSUE_FORMATS)).action(async (path: string, _: unknown, self: Command) => {
    const options = self.optsWithGlobals<RenderOptions>();
    context.json = options.output.kind === 'json';
    const { packageRoot } = await import('../package/package-root.ts');
    const { treePlace } = await import('../render/tree-place.ts');
    const root = packageRoot(path, context.io, options);
    const tree = options.output.folder === undefined ? undefined : treePlace(options.output.folder, root, context.io);
    const flags = renderFlags(path, { root, ...(tree !== undefined && { tree }) }, options, context.io.cwd);
    if (options.watch === true) {
      const { watchRender } = await import('../render/watch.ts');
      context.exitCode = await watchRender(flags, context);
    } else {
      const { runRender } = await import('../render/run-render.ts');
      context.exitCode = await runRender(flags, context);
    }
  });
  addGenerators(command, context);
  addGitopsGenerators(command, context);
  refuseFlagsOfRender(command);
}

function outputOf(text: string): RenderOptions['output'] {
  if (text === 'dir' || text === 'stdout' || text === 'json' || text === 'yaml') return { kind: text };
  const folder = /^dir=(.+)$/.exec(text)?.[1];
  if (folder === undefined) throw new InvalidArgumentError('It must be dir, dir=FOLDER, stdout or json.');
  return { kind: 'dir', folder };
}

function renderFlags(path: string, places: Pick<RenderFlags, 'root' | 'tree'>, options: RenderOptions, cwd: string): RenderFlags {
  const { output, check, diff, watch } = options;
  if (output.kind === 'yaml')
    throw new TenantplaneError('usage', '-o must be dir, dir=FOLDER, stdout or json.', { hint: 'Use -o stdout for the manifests.' });
  if (diff === true && check !== true) throw new TenantplaneError('usage', '--diff goes with --check.', { hint: 'Add --check.' });
  if (watch === true && (check === true || output.kind !== 'dir')) {
    throw new TenantplaneError('usage', '--watch writes a tree; it goes with neither --check nor -o stdout or json.', {
      hint: 'Leave one out.',
    });
  }
  if (check === true && output.kind === 'stdout')
    throw new TenantplaneError('usage', '--check compares a tree; it does not go with -o stdout.', { hint: 'Use --check --diff.' });
  return {
    ...places,
    ...planFlags(options, cwd),
    output: output.kind,
    check: check === true,
    diff: diff === true,
    ledger: options.ledger === true,
    cache: options.cache,
    report: options.report ?? [],
    mend: mendCommand(path, options),
  };
}

/** The command that makes a stale tree fresh, with the flags that change what is rendered. */
function mendCommand(path: string, options: RenderOptions): string {
  const words = ['tenantplane render', shellWord(path)];
  if (options.output.folder !== undefined) words.push(`-o ${shellWord(`dir=${options.output.folder}`)}`);
  if (options.platform !== undefined) words.push(`--platform ${shellWord(options.platform)}`);
  if (options.config !== undefined) words.push(`--config ${shellWord(options.config)}`);
  if (options.hostVersion !== undefined) words.push(`--host-version ${shellWord(options.hostVersion)}`);
  for (const tenant of options.tenant ?? []) words.push(`--tenant ${shellWord(tenant)}`);
  if (options.ledger === true) words.push('--ledger');
  return words.join(' ');
}
