import { isObject, type Json } from '../core/kube/json.ts';
import { groupOf } from '../core/kube/object.ts';
import { plan } from '../core/plan/plan.ts';
import type { Finding, HostFile, Observation, Plan, RenderConfig } from '../core/plan/plan-types.ts';
import { functionConfig } from '../schema/function-config-map.ts';
import { finding } from './finding.ts';
import type { ItemsView, PlacedItem } from './items-view.ts';
import { readPackage } from './package.ts';
import { chooseConfig } from './packaged-config.ts';
import { type FailOn, findingResult, planResults } from './plan-results.ts';
import type { Result } from './results.ts';

export type FunctionName = 'render-tenant' | 'render-sync' | 'render-isolation' | 'validate-tenant';

const KINDS = {
  'render-tenant': 'RenderTenant',
  'render-sync': 'RenderSync',
  'render-isolation': 'RenderIsolation',
  'validate-tenant': 'ValidateTenant',
} as const satisfies Record<FunctionName, string>;

const SCOPES = {
  'render-tenant': 'everything',
  'render-sync': 'sync',
  'render-isolation': 'isolation',
  'validate-tenant': 'everything',
} as const satisfies Record<FunctionName, RenderConfig['scope']>;

/** A function's config, resolved. */
export interface FunctionSettings {
  readonly render: RenderConfig;
  readonly failOn: FailOn;
  /** whether sources get the annotation that keeps them out of an apply */
  readonly mark: boolean;
  /** folder to read instead of the items */
  readonly package: string | undefined;
  /** what is to be said of the config itself */
  readonly findings: readonly Finding[];
}

/** What a function has to do to its items; nothing where `planned` is missing. */
export interface FunctionPlan {
  readonly results: readonly Result[];
  readonly planned?: Plan;
}

/**
 * The settings in a function's config, or an error result for each thing that is wrong with it. Without a config the package's own
 * holds, as with the command.
 */
export function readSettings(
  name: FunctionName,
  given: Json | undefined,
  items: readonly PlacedItem[],
): FunctionSettings | { readonly results: readonly Result[] } {
  const { config, path, findings } = chooseConfig(given, KINDS[name], items);
  const wrong = findings.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) return { results: wrong.map((found) => findingResult(found)) };
  if (config !== undefined && config !== null && !isObject(config)) {
    return { results: [configResult('functionConfig is no object.', `Use a ${KINDS[name]} or a ConfigMap.`)] };
  }
  const checked = functionConfig(isObject(config) ? config : undefined, KINDS[name]);
  if (checked.value === undefined) {
    return { results: checked.problems.map(({ message, remedy }) => configResult(`${path ?? 'functionConfig'}: ${message}`, remedy)) };
  }
  const { spec } = checked.value;
  const output = 'output' in spec ? spec.output : undefined;
  return {
    render: {
      ...(spec.tenant !== undefined && { tenant: spec.tenant }),
      output: { config: output?.config ?? 'include', shards: output?.shards ?? 1 },
      host: spec.host,
      allowEmpty: spec.allowEmpty,
      ...(spec.maxDeletions !== undefined && { maxDeletions: spec.maxDeletions }),
      scope: SCOPES[name],
    },
    failOn: spec.failOn,
    mark: output?.sources === 'mark',
    package: spec.package,
    findings,
  };
}

function configResult(problem: string, fix: string): Result {
  return findingResult(finding('InputInvalid', { path: '', document: 0 }, { params: { problem, fix } }));
}

/** Plans the items of a list, or the package that the config names. Nothing is to be done where a result is an error. */
export async function planFunction(name: FunctionName, settings: FunctionSettings, view: ItemsView): Promise<FunctionPlan> {
  // Results tell of reasons, not of fields.
  const planned = plan({ ...(await observe(settings, view)), keepFields: false });
  const results = planResults(planned, settings.failOn);
  const failed = planned.stopped || results.some((result) => result.severity === 'error');
  return failed || name === 'validate-tenant' ? { results } : { results, planned };
}

/** Where a package is named, it is the input; the list's items then pass untouched (a generator's list holds its config only). */
async function observe(settings: FunctionSettings, view: ItemsView): Promise<Observation> {
  if (settings.package !== undefined) {
    const read = await readPackage(settings.package);
    return { inputs: read.inputs, unreadable: read.findings.filter(isWorthAWord), config: settings.render };
  }
  const previous = view.previous.length === 0 ? {} : { previous: view.previous };
  return { inputs: view.inputs, unreadable: [...settings.findings, ...view.findings], config: settings.render, ...previous };
}

/** Files that are no objects are told to those who look at files (the CLI); a list has none. */
function isWorthAWord(found: Finding): boolean {
  return found.severity !== 'info';
}

export function hostFiles(planned: Plan): HostFile[] {
  return [...planned.shared, ...planned.tenants.flatMap((tenant) => tenant.files)];
}

/** Sources whose host form is in the tree, as `path#index`: what tenants own, and configuration where the tree holds a copy of it. */
export function renderedSources(planned: Plan, view: ItemsView): ReadonlySet<string> {
  const sources = new Set<string>();
  for (const tenant of planned.tenants) {
    for (const { source } of tenant.decisions) if (source !== undefined) sources.add(`${source.file.path}#${source.file.document}`);
  }
  if (planned.shared.length === 0) return sources;
  for (const { object, source } of view.inputs) {
    if (groupOf(String(object['apiVersion'])) === 'tenantplane.io') sources.add(`${source.path}#${source.document}`);
  }
  return sources;
}
