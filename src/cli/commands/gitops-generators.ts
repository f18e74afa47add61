import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ArgoSettings } from '../../core/gitops/argo-application.ts';
import type { FluxSettings } from '../../core/gitops/flux-kustomization.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { TenantplaneError } from '../errors.ts';
import type { ManifestFormat } from '../gitops/print-manifests.ts';
import type { CliContext } from '../io.ts';
import type { RenderOptions } from './render.ts';

interface ArgoFlags extends Omit<ArgoSettings, 'destination'> {
  readonly destServer?: string;
  readonly destName?: string;
}

const ARGO_HELP = (command: string): string => `
It reads the rendered tree, PATH/host. Keep what it prints outside of that tree, and print it again when a tenant comes or goes:
  tenantplane render ${command} fleet --repo https://git.example.com/platform/fleet.git > argocd/fleet.yaml
`;

const FLUX_HELP = `
It reads the rendered tree, PATH/host. Keep what it prints outside of that tree, and print it again when a tenant comes or goes:
  tenantplane render kustomization fleet --source GitRepository/fleet > flux/fleet.yaml
`;

/** `render application|applicationset|kustomization [PATH]`: what applies the tree. Flags are those of `argocd app create` and `flux create`. */
export function addGitopsGenerators(render: Command, context: CliContext): void {
  argoFlags(render.command('application'))
    .description('print what Argo CD applies the tree with: AppProjects and Applications')
    .addHelpText('after', ARGO_HELP('application'))
    .action(async (path: string, _: unknown, self: Command) => {
      const { applications } = await import('../gitops/applications.ts');
      await print(applications(resolve(context.io.cwd, path), argoSettings(self)));
    });

  argoFlags(render.command('applicationset'))
    .description('the same for a fleet: one ApplicationSet for all tenants')
    .addHelpText('after', ARGO_HELP('applicationset'))
    .action(async (path: string, _: unknown, self: Command) => {
      const { applicationSet } = await import('../gitops/applications.ts');
      await print(applicationSet(resolve(context.io.cwd, path), argoSettings(self)));
    });

  shared(render.command('kustomization'), 'flux-system')
    .description('print what Flux applies the tree with: Kustomizations, isolation before what runs in it')
    .addOption(
      new Option('--source <kind/name>', 'the source that holds the tree, such as GitRepository/fleet')
        .argParser(sourceOf)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--interval <duration>', 'how often Flux looks for drift').default('10m').argParser(durationOf))
    .addHelpText('after', FLUX_HELP)
    .action(async (path: string, settings: FluxSettings) => {
      const { kustomizations } = await import('../gitops/kustomizations.ts');
      await print(kustomizations(resolve(context.io.cwd, path), settings));
    });

  async function print(objects: readonly JsonObject[]): Promise<void> {
    const format = formatOf(render);
    context.json = format === 'json';
    const { printManifests } = await import('../gitops/print-manifests.ts');
    printManifests(objects, format, context.io.stdout);
  }
}

/** The parser takes `-o` behind a generator for that of `render` itself. */
function formatOf(render: Command): ManifestFormat {
  if (render.getOptionValueSource('output') !== 'cli') return 'yaml';
  const { kind } = render.opts<RenderOptions>().output;
  if (kind === 'yaml' || kind === 'json') return kind;
  throw new TenantplaneError('usage', `-o ${kind} does not go with what applies a tree.`, { hint: 'Use -o yaml or -o json.' });
}

function argoFlags(command: Command): Command {
  return shared(command, 'argocd')
    .requiredOption('--repo <url>', 'the Git repository that holds the tree')
    .option('--revision <revision>', 'branch, tag or commit', 'HEAD')
    .option('--project <name>', 'an AppProject that is there (default: one for each Application is printed)')
    .addOption(new Option('--dest-server <url>', 'the host cluster (default: the one that Argo CD runs in)').conflicts('destName'))
    .option('--dest-name <name>', 'the host cluster, by its name in Argo CD');
}

function shared(command: Command, namespace: string): Command {
  return command
    .argument('[path]', 'the package', '.')
    .addOption(new Option('--path <path>', 'where the tree lies in the repository').default('host').argParser(pathOf))
    .addOption(new Option('--name <prefix>', 'what all names begin with').default('tenantplane').argParser(prefixOf))
    .option('--namespace <namespace>', 'where the objects go', namespace)
    .addOption(new Option('-o, --output <format>', 'yaml, or json (one List)').choices(['yaml', 'json']).default('yaml'));
}

function argoSettings(command: Command): ArgoSettings {
  const { destServer, destName, ...flags } = command.opts<ArgoFlags>();
  const destination = destName === undefined ? { server: destServer ?? 'https://kubernetes.default.svc' } : { name: destName };
  return { ...flags, destination };
}

function pathOf(text: string): string {
  const path = text.replace(/^\.?\/+/, '').replace(/\/+$/, '');
  if (path === '' || path.split('/').includes('..'))
    throw new InvalidArgumentError('It must be a folder in the repository, such as fleet/host.');
  return path;
}

function prefixOf(text: string): string {
  if (!/^[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?$/.test(text))
    throw new InvalidArgumentError('It must be a DNS label of at most 32 characters.');
  return text;
}

function sourceOf(text: string): FluxSettings['source'] {
  const [kind, name, ...more] = text.split('/');
  if (kind === undefined || name === undefined || more.length > 0 || !SOURCES.includes(kind) || name === '') {
    throw new InvalidArgumentError(`It must be KIND/NAME, KIND one of ${SOURCES.join(', ')}.`);
  }
  return { kind, name };
}

const SOURCES: readonly string[] = ['GitRepository', 'OCIRepository', 'Bucket'];

function durationOf(text: string): string {
  if (!/^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/.test(text)) throw new InvalidArgumentError('It must be a duration such as 10m.');
  return text;
}
