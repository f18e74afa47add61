import { equal, type Json, type JsonObject } from '../core/kube/json.ts';
import type { KubeObject } from '../core/kube/object.ts';
import { type FunctionName, hostFiles, planFunction, readSettings } from './function-plan.ts';
import { itemFromValue } from './item.ts';
import { placeItems, viewItems } from './items-view.ts';
import { HOST_PREFIX } from './paths.ts';
import { capResults, type Result, sortResults } from './results.ts';
import { addTransport, INDEX_KEY, PATH_KEY, splitTransport } from './transport.ts';

/**
 * The functions in the shape of the npm SDK `kpt-functions`, for those who run them under it or chain them with functions of
 * their own. The SDK itself is not imported. What it cannot hold, these cannot either:
 *
 * - `Configs` keeps one object for each apiVersion, kind, namespace and name. The copies of TenantClusters, profiles and
 *   policies under `host/config/` have the identity of their sources, so they are left out here.
 * - It reads YAML with js-yaml 3 and writes it anew: comments, quoting and integers beyond 2^53 are lost, dates become times.
 *   Objects that it has merged or dropped while reading cannot be seen here.
 * - Sources are not marked (`output.sources`).
 */
export interface SdkObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

export interface SdkResult {
  severity: 'error' | 'warn' | 'info';
  message: string;
  tags?: { [key: string]: string };
  resourceRef?: { apiVersion: string; kind: string; namespace: string; name: string };
  file?: { path?: string; index?: number };
  field?: { path: string };
}

/** What we use of the SDK's `Configs`. */
export interface SdkConfigs {
  getAll(): SdkObject[];
  getFunctionConfig(): SdkObject | undefined;
  insert(...objects: SdkObject[]): void;
  delete(...objects: SdkObject[]): void;
  addResults(...results: SdkResult[]): void;
}

/** The SDK's `KptFunc`. */
export interface SdkFunction {
  (configs: SdkConfigs): Promise<void>;
  usage: string;
}

export const renderTenant: SdkFunction = sdkFunction('render-tenant', 'Renders tenants into host manifests that say why they are there.');
export const renderSync: SdkFunction = sdkFunction('render-sync', 'Renders what tenants project, without namespaces, isolation and DNS.');
export const renderIsolation: SdkFunction = sdkFunction(
  'render-isolation',
  'Renders namespaces, isolation, DNS and what the fleet shares.',
);
export const validateTenant: SdkFunction = sdkFunction('validate-tenant', 'Reports what a render would refuse, and changes nothing.');

function sdkFunction(name: FunctionName, about: string): SdkFunction {
  const usage = `${about}\n\nConfig: a ConfigMap with dotted keys (host.version: "1.34"), or the kind of the function in fn.tenantplane.io/v1alpha1.\n`;
  return Object.assign((configs: SdkConfigs) => runOn(name, configs), { usage });
}

async function runOn(name: FunctionName, configs: SdkConfigs): Promise<void> {
  const config = configs.getFunctionConfig();
  const given = configs.getAll();
  const items = given.map((object) => itemFromValue(plain(object)));
  const settings = readSettings(name, config === undefined ? undefined : plain(config), placeItems(items));
  if ('results' in settings) {
    configs.addResults(...settings.results.map(sdkResult));
    return;
  }
  const view = viewItems(items, { everything: true, functionConfig: config === undefined ? undefined : plain(config) });
  const render = { ...settings.render, output: { ...settings.render.output, config: 'exclude' as const } };
  const { planned, results } = await planFunction(name, { ...settings, render }, view);
  if (planned !== undefined) {
    const gone = new Set(planned.removed.map((path) => `${HOST_PREFIX}${path}`));
    const old = new Map<string, { readonly object: SdkObject; readonly value: JsonObject }>();
    view.items.forEach(({ path, item }, position) => {
      const object = given[position];
      const value = item.parsed().value;
      if (object !== undefined && path.startsWith(HOST_PREFIX)) old.set(path, { object, value: value as JsonObject });
    });
    for (const [path, { object }] of old) if (gone.has(path)) configs.delete(object);
    for (const file of hostFiles(planned)) {
      const path = `${HOST_PREFIX}${file.path}`;
      const before = old.get(path);
      const { object, transport } = before === undefined ? { object: undefined, transport: {} } : splitTransport(before.value);
      if (object !== undefined && equal(object, file.object)) continue;
      if (before !== undefined) configs.delete(before.object);
      configs.insert(addTransport(file.object, { ...transport, [PATH_KEY]: path, [INDEX_KEY]: '0' }) as KubeObject & SdkObject);
    }
  }
  configs.addResults(...capResults(sortResults(results)).map(sdkResult));
}

/** The SDK's own spelling: `warn`, and no result without a namespace. */
function sdkResult(result: Result): SdkResult {
  const { resourceRef, file, field, tags } = result;
  return {
    severity: result.severity === 'warning' ? 'warn' : result.severity,
    message: result.message,
    ...(tags !== undefined && { tags: { ...tags } }),
    ...(resourceRef !== undefined && { resourceRef: { ...resourceRef, namespace: resourceRef.namespace ?? '' } }),
    ...(file !== undefined && { file: { ...file } }),
    ...(field !== undefined && { field: { path: field.path } }),
  };
}

/** JSON of what the SDK parsed: it makes Date objects of timestamps. */
function plain(value: SdkObject): Json {
  return JSON.parse(JSON.stringify(value));
}
