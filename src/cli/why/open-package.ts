import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { controlPlaneNamespace } from '../../core/isolation/control-plane-namespace.ts';
import { apiVersionOf, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { objectsFolder } from '../../core/plan/assign.ts';
import type { Finding, InputObject, RenderConfig } from '../../core/plan/plan-types.ts';
import { HOST_FOLDER, listPackage, readListed } from '../../krm/package.ts';
import { needObjects } from '../package/need-objects.ts';
import { needFolder, readPlatform, sharedOf } from '../render/load-package.ts';
import { type ConfigFlags, resolveConfig } from '../render/render-config.ts';
import { checkTreeRoot } from '../tree/scan-tree.ts';

export interface PackageFlags extends ConfigFlags {
  /** absolute */
  readonly root: string;
  /** absolute */
  readonly platform?: string;
}

/** A tenant of the package, by what names it in a question. */
export interface Cluster {
  /** `team-dev/dev` */
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly controlPlane: string;
  /** where its TenantCluster and `objects/` lie, relative to the package */
  readonly folder: string;
}

/** A package of which nothing is read yet but its configuration: tenants' objects and rendered files are read where they are needed. */
export interface OpenPackage {
  readonly root: string;
  /** what the command was told of it */
  readonly place: PackageFlags;
  readonly render: RenderConfig;
  /** everything outside `objects/` and `host/` */
  readonly config: readonly InputObject[];
  readonly findings: readonly Finding[];
  readonly texts: ReadonlyMap<string, string>;
  readonly clusters: readonly Cluster[];
  /** files below `objects/` folders */
  readonly sources: readonly string[];
  /** files of the rendered tree, relative to `host/` */
  readonly hostFiles: readonly string[];
  readonly hostExists: boolean;
}

export async function openPackage(flags: PackageFlags, signal: AbortSignal): Promise<OpenPackage> {
  const { root } = flags;
  needFolder(root, 'package');
  const tree = join(root, HOST_FOLDER);
  checkTreeRoot(tree);
  const listing = listPackage(root);
  const rendered = `${HOST_FOLDER}/`;
  const inHost = listing.paths.filter((path) => path.startsWith(rendered));
  const sources = listing.paths.filter((path) => objectsFolder(path) !== undefined && !path.startsWith(rendered));
  const known = new Set([...inHost, ...sources]);
  const read = await readListed(
    root,
    listing.paths.filter((path) => !known.has(path)),
    signal,
  );
  const hostExists = existsSync(tree);
  needObjects({ root, inputs: read.inputs, hostExists });
  const platform = flags.platform === undefined ? undefined : sharedOf(await readPlatform(flags.platform, { signal }));
  const texts = new Map([...read.files.map((file) => [file.path, file.text] as const), ...(platform?.texts ?? [])]);
  const { render } = await resolveConfig(flags, texts);
  return {
    root,
    place: flags,
    render,
    config: [...read.inputs, ...(platform?.inputs ?? [])],
    findings: [...listing.findings, ...read.findings, ...(platform?.findings ?? [])],
    texts,
    clusters: read.inputs.flatMap(clusterOf),
    sources,
    hostFiles: inHost.map((path) => path.slice(rendered.length)),
    hostExists,
  };
}

/** A file of the package or its tree as it stands; undefined where there is none. */
export function readText({ root }: Pick<OpenPackage, 'root'>, path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function clusterOf({ object, source }: InputObject): Cluster[] {
  if (kindOf(object) !== 'TenantCluster' || !apiVersionOf(object).startsWith('tenantplane.io/')) return [];
  const name = nameOf(object);
  const namespace = namespaceOf(object) ?? '';
  if (name === '' || namespace === '') return [];
  const folder = dirname(source.path);
  return [
    {
      key: `${namespace}/${name}`,
      name,
      namespace,
      controlPlane: controlPlaneNamespace(name, namespace),
      folder: folder === '.' ? '' : folder,
    },
  ];
}
