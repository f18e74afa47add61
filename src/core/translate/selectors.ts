import { KEY } from '../identity/metadata.ts';
import { asArray, asString, isObject, type Json, type JsonObject, objectAt, objectsOf, type Path } from '../kube/json.ts';
import { matchesSelector } from '../kube/labels.ts';
import type { TenantContext } from '../plan/tenant-context.ts';
import type { Edit } from './edit.ts';
import { hostLabelKey, hostLabelValue, scopeLabels } from './labels.ts';

/** Which virtual namespaces a selector reaches: one, some, or all of the tenant's. */
export type NamespaceReach = 'all' | readonly string[];

/**
 * Scopes a LabelSelector of pods at `path`: keys re-keyed as on the pods, names of controllers translated, tenant and
 * virtual namespace added. Absent stays absent: to Kubernetes that means something else than empty.
 */
export function scopeSelector(
  edit: Edit,
  path: Path,
  ctx: TenantContext,
  virtualNamespace: string,
  reach: NamespaceReach = [virtualNamespace],
): void {
  const selector = objectAt(edit.object, ...path);
  if (selector === undefined) return;
  edit.set(path, scopedSelector(selector, ctx, virtualNamespace, reach), 'rw.selector');
}

/**
 * The scoped form of a LabelSelector, as a new object. A name in it is the host name that it has in each namespace that is reached; no two
 * of those are alike, so together with the namespace they select what the tenant meant.
 */
export function scopedSelector(selector: JsonObject, ctx: TenantContext, virtualNamespace: string, reach: NamespaceReach): JsonObject {
  const namespaces = reach === 'all' ? [...new Set([virtualNamespace, ...ctx.namespaces.keys()])].sort() : reach;
  const matchLabels: JsonObject = {};
  const expressions: Json[] = (asArray(selector['matchExpressions']) ?? []).map((expression) =>
    isObject(expression) ? hostExpression(expression, ctx, namespaces) : expression,
  );
  for (const [key, value] of Object.entries(objectAt(selector, 'matchLabels') ?? {})) {
    if (value === undefined) continue;
    const values = typeof value === 'string' ? hostLabelValues(ctx, namespaces, key, value) : [value];
    const [only] = values;
    if (values.length === 1 && only !== undefined) matchLabels[hostLabelKey(key)] = only;
    else expressions.push({ key: hostLabelKey(key), operator: 'In', values });
  }
  matchLabels[KEY.tenant] = ctx.tenantLabel;
  if (reach !== 'all') {
    const [only] = reach;
    if (reach.length === 1 && only !== undefined) matchLabels[KEY.virtualNamespace] = only;
    else expressions.push({ key: KEY.virtualNamespace, operator: 'In', values: [...reach].sort() });
  }
  return { ...selector, matchLabels, ...(expressions.length > 0 && { matchExpressions: expressions }) };
}

function hostLabelValues(ctx: TenantContext, namespaces: readonly string[], key: string, value: string): string[] {
  return [...new Set(namespaces.map((namespace) => hostLabelValue(ctx, namespace, key, value)))];
}

/** Scopes a plain label map used as a selector (Service, ReplicationController). Absent and empty stay as they are. */
export function scopeSelectorMap(edit: Edit, path: Path, ctx: TenantContext, virtualNamespace: string): void {
  const map = objectAt(edit.object, ...path);
  if (map === undefined || Object.keys(map).length === 0) return;
  edit.set(path, { ...hostSelectorMap(map, ctx, virtualNamespace), ...scopeLabels(ctx, virtualNamespace) }, 'rw.selector');
}

function hostSelectorMap(map: JsonObject, ctx: TenantContext, virtualNamespace: string): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(map)) {
    if (value !== undefined)
      result[hostLabelKey(key)] = typeof value === 'string' ? hostLabelValue(ctx, virtualNamespace, key, value) : value;
  }
  return result;
}

function hostExpression(expression: JsonObject, ctx: TenantContext, namespaces: readonly string[]): JsonObject {
  const key = asString(expression['key']);
  if (key === undefined) return expression;
  const values = asArray(expression['values'])?.flatMap((value): Json[] =>
    typeof value === 'string' ? hostLabelValues(ctx, namespaces, key, value) : [value],
  );
  return { ...expression, key: hostLabelKey(key), ...(values !== undefined && { values }) };
}

/**
 * The virtual namespaces that a `namespaceSelector` means: `{}` is all of the tenant's, never the host's. An empty list means
 * that the peer or term selects nothing and must be dropped, since `In []` is invalid.
 */
export function selectedNamespaces(ctx: TenantContext, selector: JsonObject): NamespaceReach {
  if (Object.keys(objectAt(selector, 'matchLabels') ?? {}).length === 0 && objectsOf(selector['matchExpressions']).length === 0)
    return 'all';
  return [...ctx.namespaces]
    .filter(([, labels]) => matchesSelector(selector, labels))
    .map(([name]) => name)
    .sort();
}
