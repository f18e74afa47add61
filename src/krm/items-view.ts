import { equal, isObject, type Json, type JsonObject, stringAt } from '../core/kube/json.ts';
import type { KubeObject } from '../core/kube/object.ts';
import { objectsFolder } from '../core/plan/assign.ts';
import type { Finding, InputObject, PreviousObject } from '../core/plan/plan-types.ts';
import type { Source } from '../core/plan/tenant-context.ts';
import { finding } from './finding.ts';
import type { Item } from './item.ts';
import { HOST_PREFIX, isInsideHost, normalisePath } from './paths.ts';
import { toolFileFinding } from './tool-files.ts';
import { toolObject } from './tool-objects.ts';
import { asInput, ORIGIN_KEY, splitTransport } from './transport.ts';

/** One item and where it stands: its path is relative to the outermost package, whatever package it came from. */
export interface PlacedItem {
  readonly item: Item;
  /** `''` where the item has no path (kustomize, a bare pipe) */
  readonly path: string;
  /** what the planner calls it */
  readonly source: Source;
}

/** A ResourceList's items as the planner wants them. */
export interface ItemsView {
  readonly items: readonly PlacedItem[];
  readonly inputs: readonly InputObject[];
  readonly previous: readonly PreviousObject[];
  readonly findings: readonly Finding[];
  /** absolute path of the outermost package, where kpt says it; new items are put there */
  readonly packagePath: string | undefined;
}

export interface ViewOptions {
  /**
   * whether items outside any tenant's folder count as well (the config names the tenant). Otherwise those that do not
   * mention us are the platform's own: they pass unread
   */
  readonly everything: boolean;
  /** the function's config, which kpt lists among the items too; it is nobody's object */
  readonly functionConfig: Json | undefined;
}

/** Items and where each stands. */
export function placeItems(items: readonly Item[]): readonly PlacedItem[] {
  const packagePath = outermost(items);
  return items.map((item, position) => placed(item, position, placeOf(item, packagePath)));
}

function placed(item: Item, position: number, where: Place): PlacedItem {
  const path = 'path' in where ? where.path : '';
  return { item, path, source: path === '' ? { path: originPath(item), document: position } : { path, document: item.index } };
}

export function viewItems(items: readonly Item[], options: ViewOptions): ItemsView {
  const packagePath = outermost(items);
  const all: PlacedItem[] = [];
  const inputs: InputObject[] = [];
  const previous: PreviousObject[] = [];
  const findings: Finding[] = [];
  items.forEach((item, position) => {
    const where = placeOf(item, packagePath);
    const { path, source } = placed(item, position, where);
    all.push({ item, path, source });
    const obeyed = toolFileFinding(source.path);
    if (obeyed !== undefined) findings.push(obeyed);
    if ('why' in where) {
      findings.push(
        finding(
          'PathNotAllowed',
          { path: item.path ?? '', document: item.index },
          { params: { path: JSON.stringify(item.path), why: where.why } },
        ),
      );
    } else if (item.mismatch) {
      const params = { path: JSON.stringify(item.path), why: 'its legacy and internal path annotations contradict each other' };
      findings.push(finding('PathNotAllowed', source, { params }));
    } else if (isInsideHost(path)) previous.push(previousOf(item, { path: path.slice(HOST_PREFIX.length), document: item.index }));
    else if (options.everything || source.path === '' || isOurBusiness(item, source.path)) {
      readInput(item, source, options.functionConfig, inputs, findings);
    }
  });
  return { items: all, inputs, previous, findings, packagePath };
}

function isOurBusiness(item: Item, path: string): boolean {
  return objectsFolder(path) !== undefined || item.text.includes('tenantplane.io');
}

function readInput(item: Item, source: Source, config: Json | undefined, inputs: InputObject[], findings: Finding[]): void {
  const { value, problems } = item.parsed();
  for (const problem of problems) {
    const params = {
      problem: `In the item: ${problem.what}.`,
      what: `In the item: ${problem.what}`,
      size: problem.size ?? '',
      limit: problem.limit ?? '',
    };
    const reason = problem.kind === 'too-large' ? 'InputTooLarge' : problem.kind === 'warning' ? 'InputInvalid' : 'SyntaxInvalid';
    findings.push(finding(reason, source, { params, remedy: problem.remedy, ...(problem.kind === 'warning' && { severity: 'warning' }) }));
  }
  if (value === undefined) {
    if (problems.length === 0) findings.push(finding('SyntaxInvalid', source, { params: { problem: 'The item is no single value.' } }));
  } else if (!isObject(value)) {
    const remedy = 'Take the item out of the list.';
    const params = { why: value === null ? 'it is null' : 'it is no map' };
    findings.push(finding('NotAnObject', source, { params, remedy, severity: 'warning' }));
  } else {
    // the package's Kptfile or the function's own config is in every list; it is worth no word (a tenant's is refused by its path)
    const object = asInput(value);
    if (toolObject(value) === undefined && !(isObject(config) && equal(object, asInput(config)))) inputs.push({ object, source });
  }
}

/** An object of the old tree, parsed when somebody asks. One that does not parse is nobody's, so it is never overwritten. */
function previousOf(item: Item, source: Source): PreviousObject {
  const parsedObject = (): KubeObject => {
    const value: Json | undefined = item.parsed().value;
    return isObject(value) ? splitTransport(value).object : {};
  };
  return {
    source,
    get object() {
      return parsedObject();
    },
    matches: (desired: JsonObject) => equal(parsedObject(), desired),
  };
}

/** Under kustomize items have no path, but with `buildMetadata: [originAnnotations]` they say which file they came from. */
function originPath(item: Item): string {
  const { value } = item.parsed();
  const origin = isObject(value) ? stringAt(value, 'metadata', 'annotations', ORIGIN_KEY) : undefined;
  const path = /^path: (\S+)$/m.exec(origin ?? '')?.[1];
  const checked = path === undefined ? undefined : normalisePath(path);
  return checked === undefined || 'why' in checked ? '' : checked.path;
}

type Place = { readonly path: string } | { readonly why: string };

function placeOf(item: Item, outermostPackage: string | undefined): Place {
  if (item.path === undefined) return { path: '' };
  const checked = normalisePath(item.path);
  if ('why' in checked || item.packagePath === undefined || outermostPackage === undefined) return checked;
  const inner = item.packagePath.slice(outermostPackage.length).replace(/^\/+|\/+$/g, '');
  return { path: inner === '' ? checked.path : `${inner}/${checked.path}` };
}

/** The folder that holds all packages of the list. Paths of items are relative to their own package, and kpt passes subpackages along. */
function outermost(items: readonly Item[]): string | undefined {
  let common: string[] | undefined;
  for (const { packagePath } of items) {
    if (packagePath === undefined) continue;
    const steps = packagePath.split('/');
    if (common === undefined) common = steps;
    else {
      let same = 0;
      while (same < common.length && common[same] === steps[same]) same += 1;
      common = common.slice(0, same);
    }
  }
  return common?.join('/');
}
