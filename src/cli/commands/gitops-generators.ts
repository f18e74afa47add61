import { type Command, Option } from 'commander';
import type { ArgoSettings } from '../../core/gitops/argo-application.ts';
import type { FluxSettings } from '../../core/gitops/flux-kustomization.ts';
import type { TreeObject } from '../../core/gitops/tree-folders.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import type { Finding } from '../../core/plan/plan-types.ts';
import { TenantplaneError } from '../errors.ts';
import {
  clusterOf,
  intervalOf,
  namespaceOf,
  pathOf,
  prefixOf,
  projectOf,
  repoOf,
  revisionOf,
  serverOf,
  sourceOf,
} from '../gitops/flag-values.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { formatOf } from './flags-of-render.ts';

interface ArgoFlags extends Omit<ArgoSettings, 'destination'> {
  readonly destServer?: string;
  readonly destName?: string;
}

const ARGO_HELP = (command: string): string => `
It reads the rendered tree, PATH/host, and writes where that lies in its git repository. Keep what it prints outside of that tree, and print it again when a tenant comes or goes:
  tenantplane render ${command} fleet --repo https://git.example.com/platform/fleet.git > argocd/fleet.yaml
`;

const FLUX_HELP = `
It reads the rendered tree, PATH/host, and writes where that lies in its git repository. Keep what it prints outside of that tree, and print it again when a tenant comes or goes:
  tenantplane render kustomization fleet --source GitRepository/fleet > flux/fleet.yaml
`;

/** `render application|applicationset|kustomization [PATH]`: what applies the tree. Flags are those of `argocd app create` and `flux create`. */
export function addGitopsGenerators(render: Command, context: CliContext): void {
  argoFlags(render.command('application'))
    .description('print what Argo CD applies the tree with: AppProjects and Applications')
    .addHelpText('after', ARGO_HELP('application'))
    .action(async (path: string, _: unknown, self: Command) => {
      const { applications } = await import('../gitops/applications.ts');
      const { applicationsTooLarge } = await import('../gitops/applications-too-large.ts');
      await print(path, self, (objects, tree) => applications(objects, argoSettings(self, tree)), applicationsTooLarge);
    });

  argoFlags(render.command('applicationset'))
    .description('the same for a fleet: one ApplicationSet for all tenants')
    .addHelpText('after', ARGO_HELP('applicationset'))
    .action(async (path: string, _: unknown, self: Command) => {
      const { applicationSet } = await import('../gitops/applications.ts');
      const { applicationsTooLarge } = await import('../gitops/applications-too-large.ts');
      await print(path, self, (objects, tree) => applicationSet(objects, argoSettings(self, tree)), applicationsTooLarge);
    });

  shared(render.command('kustomization'), 'flux-system')
    .description('print what Flux applies the tree with: Kustomizations, isolation before what runs in it')
    .addOption(
      new Option('--source <kind/name>', 'the source that holds the tree, such as GitRepository/fleet')
        .argParser(sourceOf)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--interval <duration>', 'how often Flux looks for drift').default('10m').argParser(intervalOf))
    .option('--no-prune', 'with prune: false, while objects move between folders (another number of shards)')
    .addHelpText('after', FLUX_HELP)
    .action(async (path: string, settings: FluxSettings, self: Command) => {
      const { kustomizations } = await import('../gitops/kustomizations.ts');
      await print(path, self, (objects, tree) => kustomizations(objects, { ...settings, path: tree }));
    });

  async function print(
    path: string,
    command: Command,
    applying: Applying,
    tooLarge: (objects: readonly TreeObject[]) => readonly Finding[] = () => [],
  ): Promise<void> {
    const format = formatOf(render);
    context.json = format === 'json';
    const { packageRoot } = await import('../package/package-root.ts');
    const root = packageRoot(path, context.io, render.optsWithGlobals<SharedFlags>());
    const { readTreeObjects } = await import('../gitops/read-tree-objects.ts');
    const { tenantsNotRendered } = await import('../gitops/tenants-not-rendered.ts');
    const { findingText, notRenderedText } = await import('../gitops/warnings.ts');
    const tree = readTreeObjects(root);
    const { treeInRepository } = await import('../gitops/tree-in-repository.ts');
    const given = command.opts<{ readonly path?: string }>().path;
    const found = given ?? treeInRepository(root);
    const objects = applying(tree, found === undefined ? HOST : placeable(found));
    if (render.optsWithGlobals<SharedFlags>().quiet !== true) {
      if (found === undefined) context.io.stderr.write(NO_REPOSITORY);
      context.io.stderr.write(notRenderedText(tenantsNotRendered(root, tree), path));
      for (const found of tooLarge(tree)) context.io.stderr.write(findingText(found));
    }
    const { printManifests } = await import('../gitops/print-manifests.ts');
    printManifests(objects, format, context.io.stdout);
  }
}

/** @param tree where it lies in the repository */
type Applying = (objects: readonly TreeObject[], tree: string) => readonly JsonObject[];

const HOST = 'host';
const NO_REPOSITORY = `warning: the package is in no git repository, so path ${HOST} is right only where it is the root of one
  try: Say where the tree lies in its repository, such as --path fleet/host.
`;

/** A path that the disk has, as `--path` would take it. */
function placeable(path: string): string {
  try {
    return pathOf(path);
  } catch (error) {
    throw new TenantplaneError('usage', `No applier takes ${path} for the place of a tree.`, {
      hint: 'Rename the folder, or say another place with --path.',
      cause: error,
    });
  }
}

function argoFlags(command: Command): Command {
  return shared(command, 'argocd')
    .requiredOption('--repo <url>', 'the Git repository that holds the tree', repoOf)
    .option('--revision <revision>', 'branch, tag or commit', revisionOf, 'HEAD')
    .option('--project <name>', 'an AppProject that is there (default: one for each Application is printed)', projectOf)
    .addOption(
      new Option('--dest-server <url>', 'the host cluster (default: the one that Argo CD runs in)')
        .conflicts('destName')
        .argParser(serverOf),
    )
    .option('--dest-name <name>', 'the host cluster, by its name in Argo CD', clusterOf);
}

function shared(command: Command, namespace: string): Command {
  return command
    .argument('[path]', 'the package', '.')
    .addOption(new Option('--path <path>', 'where the tree lies in the repository (default: where git has it)').argParser(pathOf))
    .addOption(new Option('--name <prefix>', 'what all names begin with').default('tenantplane').argParser(prefixOf))
    .option('--namespace <namespace>', 'where the objects go', namespaceOf, namespace)
    .addOption(new Option('-o, --output <format>', 'yaml, or json (one List)').choices(['yaml', 'json']).default('yaml'));
}

function argoSettings(command: Command, path: string): ArgoSettings {
  const { destServer, destName, ...flags } = command.opts<ArgoFlags>();
  const destination = destName === undefined ? { server: destServer ?? 'https://kubernetes.default.svc' } : { name: destName };
  return { ...flags, path, destination };
}
