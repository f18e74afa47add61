import { isObject, type Json, type JsonObject } from '../core/kube/json.ts';
import { groupOf } from '../core/kube/object.ts';
import { plan } from '../core/plan/plan.ts';
import type { Finding, HostFile, Observation, Plan, RenderConfig } from '../core/plan/plan-types.ts';
import type { FunctionKind } from '../schema/config-kinds.ts';
import { functionConfig } from '../schema/function-config-map.ts';
import { finding } from './finding.ts';
import { type ItemsView, viewItems } from './items-view.ts';
import { readPackage } from './package.ts';
import { type FailOn, findingResult, planResults } from './plan-results.ts';
import { type ResourceList, readResourceList } from './resource-list.ts';
import { capResults, type Result, resultsText, sortResults } from './results.ts';
import { writeItems } from './write-items.ts';

export type FunctionName = 'render-tenant' | 'render-sync' | 'validate-tenant';

export interface FunctionOutput {
  /** the ResourceList to print; empty where the input was none */
  readonly text: string;
  readonly results: readonly Result[];
}

const KINDS: Readonly<Record<FunctionName, FunctionKind & ('RenderTenant' | 'RenderSync' | 'ValidateTenant')>> = {
  'render-tenant': 'RenderTenant',
  'render-sync': 'RenderSync',
  'validate-tenant': 'ValidateTenant',
};

/** What of a function's config is not for the planner. */
interface FunctionSettings {
  readonly render: RenderConfig;
  readonly failOn: FailOn;
  readonly mark: boolean;
  readonly package: string | undefined;
}

/**
 * A KRM function: a ResourceList in, the same list with the rendered tree under `host/` out. Items that are not the tree's go
 * out byte for byte. Where the run fails, the whole list comes back as it was, with the results that say why.
 * @param override a function config that takes the place of the list's own (command line)
 */
export async function renderFunction(name: FunctionName, input: string, override?: JsonObject): Promise<FunctionOutput> {
  const read = readResourceList(input);
  if ('problem' in read) return { text: '', results: [findingResult(read.problem)] };
  const list = read.list;
  const settings = settingsOf(name, override ?? list.functionConfig);
  if ('findings' in settings)
    return unchanged(
      list,
      settings.findings.map((found) => findingResult(found)),
    );

  const view = viewItems(list.items);
  const observation = await observe(settings, view);
  const planned = plan(observation);
  const results = planResults(planned, settings.failOn);
  const failed = planned.stopped || results.some((result) => result.severity === 'error');
  if (failed || name === 'validate-tenant') return unchanged(list, results);
  const written = await writeItems(view, hostFiles(planned), planned.removed, {
    indent: list.indent,
    mark: settings.mark ? markedSources(planned, view, settings.render) : new Set(),
    dropConfigs: settings.package !== undefined,
  });
  const all = [...results, ...written.results];
  if (written.results.some((result) => result.severity === 'error')) return unchanged(list, all);
  return { text: listText(list, written.items, all), results: all };
}

/** Where a package is named, it is the input; the list's items then pass untouched (a generator's list holds its config only). */
async function observe(settings: FunctionSettings, view: ItemsView): Promise<Observation> {
  if (settings.package === undefined) {
    const previous = view.previous.length === 0 ? {} : { previous: view.previous };
    return { inputs: view.inputs, unreadable: view.findings, config: settings.render, ...previous };
  }
  const read = await readPackage(settings.package);
  return { inputs: read.inputs, unreadable: read.findings, config: settings.render };
}

function settingsOf(name: FunctionName, config: Json | undefined): FunctionSettings | { readonly findings: readonly Finding[] } {
  const source = { path: '', document: 0 };
  if (config !== undefined && config !== null && !isObject(config)) {
    const params = { problem: 'functionConfig is no object.', fix: `Use a ${KINDS[name]} or a ConfigMap.` };
    return { findings: [finding('InputInvalid', source, { params })] };
  }
  const checked = functionConfig(isObject(config) ? config : undefined, KINDS[name]);
  if (checked.value === undefined) {
    return {
      findings: checked.problems.map((problem) =>
        finding('InputInvalid', source, {
          params: { problem: `functionConfig: ${problem.message}`, fix: problem.remedy },
          pointer: problem.pointer,
        }),
      ),
    };
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
      scope: name === 'render-sync' ? 'sync' : 'everything',
    },
    failOn: spec.failOn,
    mark: output?.sources === 'mark',
    package: spec.package,
  };
}

function hostFiles(planned: Plan): HostFile[] {
  return [...planned.shared, ...planned.tenants.flatMap((tenant) => tenant.files)];
}

/** Sources whose host form is in the tree: what tenants own, and configuration where the tree holds a copy of it. */
function markedSources(planned: Plan, view: ItemsView, config: RenderConfig): ReadonlySet<string> {
  const marked = new Set<string>();
  const key = (path: string, document: number): string => `${path}#${document}`;
  for (const tenant of planned.tenants)
    for (const decision of tenant.decisions)
      if (decision.source !== undefined) marked.add(key(decision.source.file.path, decision.source.file.document));
  if (config.output.config === 'include' && config.scope === 'everything') {
    for (const { object, source } of view.inputs) {
      if (groupOf(String(object['apiVersion'])) === 'tenantplane.io') marked.add(key(source.path, source.document));
    }
  }
  return marked;
}

function unchanged(list: ResourceList, results: readonly Result[]): FunctionOutput {
  return {
    text: listText(
      list,
      list.items.map((item) => item.text),
      results,
    ),
    results,
  };
}

function listText(list: ResourceList, items: readonly string[], results: readonly Result[]): string {
  const body = items.length === 0 ? 'items: []\n' : `items:\n${items.join('')}`;
  const sections = list.sections.map((section) => section ?? body).join('');
  return sections + resultsText(capResults(sortResults(results)));
}
