import { KEY, MANAGED_BY } from '../../identity/metadata.ts';
import { equal, isObject, type Json, type JsonObject, objectAt, type Path } from '../../kube/json.ts';
import { annotationsOf, apiVersionOf, type KubeObject, kindKey, kindOf, labelsOf } from '../../kube/object.ts';
import { type Comparison, type Difference, exact } from './comparison.ts';
import { FIELD_RULES, NAMESPACE_LABELS } from './field-rules.ts';

/** What every object has and what is the server's. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Where a live object is not as planned. Nobody's labels and annotations but the planned ones are looked at. */
export function compareObject(planned: KubeObject, live: KubeObject): readonly Difference[] {
  const key = kindKey(apiVersionOf(planned), kindOf(planned));
  const fields = new Set([...Object.keys(planned), ...Object.keys(live)].filter((field) => !NOT_COMPARED.has(field)));
  return [
    ...compareMetadata(planned, live, key),
    ...[...fields].flatMap((field) => walk(planned[field], live[field], [field], FIELD_RULES[key] ?? {})),
  ];
}

function walk(
  planned: Json | undefined,
  live: Json | undefined,
  path: Path,
  rules: Readonly<Record<string, Comparison>>,
): readonly Difference[] {
  if (equal(planned, live)) return [];
  const name = path.join('.');
  const rule = rules[name];
  if (rule !== undefined) return rule(planned, live, path);
  const ruled = Object.keys(rules).some((other) => other.startsWith(`${name}.`));
  if (!ruled && !(isObject(planned) && isObject(live))) return exact()(planned, live, path);
  const [wanted, found] = [isObject(planned) ? planned : {}, isObject(live) ? live : {}];
  const fields = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  return [...fields].flatMap((field) => walk(wanted[field], found[field], [...path, field], rules));
}

/** Namespaces are selected by their labels, and admission reads their annotations; on all other objects they only say what it is. */
function compareMetadata(planned: KubeObject, live: KubeObject, key: string): Difference[] {
  const namespace = key === 'Namespace';
  const part = (field: 'labels' | 'annotations', rules: Readonly<Record<string, Comparison>>): readonly Difference[] => {
    const found = objectAt(live, 'metadata', field) ?? {};
    return Object.entries(objectAt(planned, 'metadata', field) ?? {}).flatMap(([name, value]) =>
      (rules[name] ?? exact(namespace ? 'weaker' : 'other'))(value, found[name], ['metadata', field, name]),
    );
  };
  return [...part('labels', namespace ? NAMESPACE_LABELS : {}), ...part('annotations', NODE_POOL_ANNOTATIONS)];
}

/** An empty pool and none are the same to admission (`admission/node-pool.ts`). */
const NODE_POOL_ANNOTATIONS: Readonly<Record<string, Comparison>> = {
  [KEY.nodePoolTolerations]: pool,
  [KEY.nodePoolSelector]: pool,
};

function pool(...[planned, live, path]: Parameters<Comparison>): ReturnType<Comparison> {
  if (equal(planned, live)) return [];
  return [{ path, way: planned === '' && live === undefined ? 'other' : 'weaker' }];
}

/** Whether an object says that it is what the planned one would be: of ours, and of the same tenant where it is one's. */
export function isSameOwner(planned: KubeObject, live: KubeObject): boolean {
  const owner = (object: JsonObject): string | undefined => annotationsOf(object).get(KEY.tenantCluster);
  return labelsOf(live).get(KEY.managedBy) === MANAGED_BY && owner(planned) === owner(live);
}
