import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json, JsonObject } from '../../src/core/kube/json.ts';
import { asArray, asString, at, isObject, stringAt } from '../../src/core/kube/json.ts';
import { plan } from '../../src/core/plan/plan.ts';
import type { InputObject, Plan, RenderConfig } from '../../src/core/plan/plan-types.ts';
import { readPackage } from '../../src/krm/package.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { checkConfig } from '../../src/schema/check-config.ts';

export const EXAMPLES: string = join(import.meta.dirname, '../../examples');

/** Folders under examples/ that hold a package, relative to it. */
export const PACKAGES: readonly string[] = ['first-tenant', 'shop', 'fleet', 'delivery/kpt', ...children('apps'), ...children('fields')];

function children(folder: string): string[] {
  return readdirSync(join(EXAMPLES, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`)
    .sort();
}

export interface Rendered {
  readonly plan: Plan;
  readonly inputs: readonly InputObject[];
  /** text of each host file by path below host/ */
  readonly texts: ReadonlyMap<string, string>;
  /** objects of the tenants and shared ones */
  readonly objects: readonly JsonObject[];
}

/** Renders a package in this process, as the CLI does, without writing. `order` may shuffle what was read. */
export async function renderPackage(
  root: string,
  change: Partial<RenderConfig> = {},
  order: (inputs: readonly InputObject[]) => readonly InputObject[] = (inputs) => inputs,
): Promise<Rendered> {
  const read = await readPackage(root);
  return render(order(read.inputs), { ...configOf(root), ...change }, read.findings);
}

export function render(inputs: readonly InputObject[], config: RenderConfig, unreadable: Plan['findings'] = []): Rendered {
  const made = plan({ inputs, unreadable, config });
  const files = [...made.shared, ...made.tenants.flatMap((tenant) => tenant.files)];
  return {
    plan: made,
    inputs,
    texts: new Map(files.map(({ path, object }) => [path, emitYaml(object)] as const).sort(([a], [b]) => (a < b ? -1 : 1))),
    objects: files.map(({ object }) => object),
  };
}

export const DEFAULT_CONFIG: RenderConfig = {
  output: { config: 'include', shards: 1 },
  host: {},
  allowEmpty: false,
  scope: 'everything',
};

/** The config that lies in the package as `render.yaml`, with its defaults; else the defaults alone. */
function configOf(root: string): RenderConfig {
  const file = join(root, 'render.yaml');
  if (!existsSync(file)) return DEFAULT_CONFIG;
  const [document] = readDocuments(readFileSync(file, 'utf8'), file).objects;
  if (document === undefined) throw new Error(`${file} holds no object`);
  const checked = checkConfig(document.object);
  if (checked.value === undefined) throw new Error(`${file}: ${checked.problems.map((problem) => problem.message).join(' ')}`);
  const value: unknown = checked.value;
  const spec = isJson(value) ? at(value, 'spec') : undefined;
  const tenant = at(spec, 'tenant');
  const maxDeletions = at(spec, 'maxDeletions');
  const version = stringAt(spec, 'host', 'version');
  return {
    ...(isObject(tenant) && { tenant: { name: asString(tenant['name']) ?? '', namespace: asString(tenant['namespace']) ?? '' } }),
    output: {
      config: at(spec, 'output', 'config') === 'exclude' ? 'exclude' : 'include',
      shards: Number(at(spec, 'output', 'shards') ?? 1),
    },
    host: {
      ...(version !== undefined && { version }),
      clusterDomain: stringAt(spec, 'host', 'clusterDomain') ?? 'cluster.local',
      serviceCIDRs: textsAt(spec, 'serviceCIDRs') ?? [],
      ...optional('trustedWriters', textsAt(spec, 'trustedWriters')),
      ...optional('trustedGroups', textsAt(spec, 'trustedGroups')),
    },
    allowEmpty: at(spec, 'allowEmpty') === true,
    ...(typeof maxDeletions === 'number' && { maxDeletions }),
    scope: 'everything',
  };
}

function textsAt(spec: Json | undefined, field: string): string[] | undefined {
  return asArray(at(spec, 'host', field))?.flatMap((text) => asString(text) ?? []);
}

function optional<K extends string>(key: K, value: string[] | undefined): { readonly [key in K]?: string[] } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: string[] });
}

function isJson(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** Files of a committed tree, by path below it. */
export function readTree(root: string): ReadonlyMap<string, string> {
  if (!existsSync(root)) return new Map();
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths
      .map((path) => [path.slice(root.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

export function writeTree(root: string, texts: ReadonlyMap<string, string>): void {
  rmSync(root, { recursive: true, force: true });
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
