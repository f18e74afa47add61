import { equal, isObject, type JsonObject } from '../core/kube/json.ts';
import type { HostFile } from '../core/plan/plan-types.ts';
import { type Item, itemText } from './item.ts';
import type { ItemsView, PlacedItem } from './items-view.ts';
import { collidingPaths, HOST_PREFIX, isInsideHost } from './paths.ts';
import type { Result } from './results.ts';
import { toolObject } from './tool-objects.ts';
import { addTransport, INDEX_KEY, LOCAL_CONFIG, PACKAGE_KEY, PATH_KEY, splitTransport } from './transport.ts';
import { setAnnotation } from './yaml/splice.ts';

export interface WriteOptions {
  /** spaces before the `-` of an item */
  readonly indent: number;
  /** sources to mark as no host manifests, `path#index` */
  readonly mark: ReadonlySet<string>;
  /** leave the function's own config out of the list: a generator's list is what gets applied */
  readonly dropConfigs: boolean;
}

/**
 * The items of the answer: sources as they came, host objects that are the same as they came, changed ones in their place,
 * new ones at the end in the order of their paths. Ids that an orchestrator gave an item stay with that item only.
 */
export async function writeItems(
  view: ItemsView,
  files: readonly HostFile[],
  removed: readonly string[],
  options: WriteOptions,
): Promise<{ readonly items: readonly string[]; readonly results: readonly Result[] }> {
  const wanted = new Map(files.map((file) => [`${HOST_PREFIX}${file.path}`, file.object]));
  const gone = new Set(removed.map((path) => `${HOST_PREFIX}${path}`));
  const items: string[] = [];
  const results: Result[] = [];
  const seen = new Set<string>();
  for (const placed of view.items) {
    const { item, path } = placed;
    const sourceKey = `${placed.source.path}#${placed.source.document}`;
    const desired = path === '' ? undefined : wanted.get(path);
    if (desired !== undefined) {
      // a second object in the file of one of ours is none of ours
      items.push(seen.has(path) || item.index !== 0 ? item.text : replacement(item, desired, options.indent));
      seen.add(path);
    } else if (gone.has(path) || (options.dropConfigs && isFunctionConfig(item))) {
    } else if (options.mark.has(sourceKey)) {
      // without a file behind it, an item that is not to be applied has no business in the list (kustomize would also
      // refuse a TenantCluster and its copy under host/config as duplicates)
      if (path !== '') items.push(await marked(placed, results));
    } else items.push(item.text);
  }
  const fresh = [...wanted].filter(([path]) => !seen.has(path)).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [path, object] of fresh) items.push(itemText(addTransport(object, newTransport(path, view)), options.indent));
  const kept = view.items.map(({ path }) => path).filter((path) => isInsideHost(path) && !gone.has(path));
  for (const [a, b] of collidingPaths([...kept, ...wanted.keys()])) {
    results.push({
      message: `TP9012 PathNotAllowed: ${a} and ${b} are one file on a disk that ignores case. Rename or remove the one that tenantplane did not render.`,
      severity: 'error',
      tags: { code: 'TP9012', reason: 'PathNotAllowed' },
    });
  }
  return { items, results };
}

function replacement(item: Item, desired: JsonObject, indent: number): string {
  const { value } = item.parsed();
  if (!isObject(value)) return item.text;
  const { object, transport } = splitTransport(value);
  return equal(object, desired) ? item.text : itemText(addTransport(desired, transport), indent);
}

/** Only what places it: no id, no legacy twin, and the package that its siblings are in. */
function newTransport(path: string, view: ItemsView): JsonObject {
  // without paths (kustomize, a bare pipe) nobody would take them off again
  if (view.items.every((placed) => placed.path === '')) return {};
  return { [INDEX_KEY]: '0', ...(view.packagePath !== undefined && { [PACKAGE_KEY]: view.packagePath }), [PATH_KEY]: path };
}

function isFunctionConfig(item: Item): boolean {
  const { value } = item.parsed();
  return isObject(value) && toolObject(value) !== undefined;
}

/** The source with the annotation that keeps it out of an apply; one that cannot be edited in place is left, and said. */
async function marked({ item, path }: PlacedItem, results: Result[]): Promise<string> {
  // an item of a list is a document of its own once its dash is a space
  const dash = /^( *)- /m.exec(item.text);
  if (dash === null) return item.text;
  const at = dash.index + dash[0].length - 2;
  const edited = await setAnnotation(`${item.text.slice(0, at)} ${item.text.slice(at + 1)}`, 0, LOCAL_CONFIG, 'true');
  if (edited === undefined) {
    const message = `${path} cannot be marked with ${LOCAL_CONFIG}: its metadata holds anchors or aliases`;
    results.push({ message, severity: 'warning', ...(path !== '' && { file: { path, index: item.index } }), tags: { kind: 'mark' } });
    return item.text;
  }
  return `${edited.slice(0, at)}-${edited.slice(at + 1)}`;
}
