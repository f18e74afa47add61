import type { JsonObject } from '../core/kube/json.ts';
import { type FunctionName, hostFiles, planFunction, readSettings, renderedSources } from './function-plan.ts';
import { placeItems, viewItems } from './items-view.ts';
import { findingResult } from './plan-results.ts';
import { type ResourceList, readResourceList } from './resource-list.ts';
import { capResults, type Result, resultsText, sortResults } from './results.ts';
import { writeItems } from './write-items.ts';

export interface FunctionOutput {
  /** the ResourceList to print, in pieces (one string of a big list would take its size in memory three times); none where the input was none */
  readonly pieces: readonly string[];
  /** all of them, in no order; an error among them means that the run failed */
  readonly results: readonly Result[];
  /** whether who runs the function shows its results; not known where the list could not be read */
  readonly resultsShown?: boolean;
}

/**
 * A KRM function: a ResourceList in, the same list with the rendered tree under `host/` out. Items that are not the tree's go
 * out byte for byte. Where the run fails, the whole list comes back as it was, with the results that say why.
 * @param override a function config that takes the place of the list's own (command line)
 */
export async function renderFunction(name: FunctionName, input: string, override?: JsonObject): Promise<FunctionOutput> {
  const read = readResourceList(input);
  if ('problem' in read) return { pieces: [], results: [findingResult(read.problem)] };
  const { list } = read;
  const settings = readSettings(name, override ?? list.functionConfig, placeItems(list.items));
  if ('results' in settings) return unchanged(list, settings.results);

  const view = viewItems(list.items, { everything: settings.render.tenant !== undefined, functionConfig: list.functionConfig });
  const { planned, results } = await planFunction(name, settings, view);
  if (planned === undefined) return unchanged(list, results);
  const written = await writeItems(view, hostFiles(planned), planned.removed, {
    indent: list.indent,
    mark: settings.mark ? renderedSources(planned, view) : new Set(),
    dropConfigs: settings.package !== undefined,
  });
  const all = [...results, ...written.results];
  if (written.results.some((result) => result.severity === 'error')) return unchanged(list, all);
  return { pieces: listPieces(list, written.items, all), results: all, resultsShown: showsResults(list) };
}

function unchanged(list: ResourceList, results: readonly Result[]): FunctionOutput {
  const items = list.items.map((item) => item.text);
  return { pieces: listPieces(list, items, results), results, resultsShown: showsResults(list) };
}

/** kpt names the file of each item, and shows results; kustomize does neither. */
function showsResults(list: ResourceList): boolean {
  return list.items.some((item) => item.path !== undefined);
}

function listPieces(list: ResourceList, items: readonly string[], results: readonly Result[]): readonly string[] {
  const body = items.length === 0 ? ['items: []\n'] : ['items:\n', ...items];
  const sections = list.sections.flatMap((section) => (section === undefined ? body : [section]));
  return [...sections, resultsText(capResults(sortResults(results)))];
}
