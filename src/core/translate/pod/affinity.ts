import { asArray, asString, isObject, type Json, type JsonObject, objectAt, own, type Path } from '../../kube/json.ts';
import { dotted } from '../../kube/pointer.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import { hostLabelKey } from '../labels.ts';
import { type NamespaceReach, scopedSelector, selectedNamespaces } from '../selectors.ts';
import type { Step } from '../translation.ts';
import { podView } from './pod-view.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * Terms of pod affinity speak of pods of the tenant only. On the host all of them stand in one namespace, so the namespaces of a term
 * become a condition on the virtual-namespace label. Node affinity speaks of nodes and is never touched.
 */
export const affinityStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const affinity = objectAt(view.spec, 'affinity');
  if (affinity === undefined) return;
  for (const field of ['podAffinity', 'podAntiAffinity'] as const) {
    const group = objectAt(affinity, field);
    if (group === undefined) continue;
    const path = [...view.base, 'affinity', field];
    translateTerms(edit, [...path, REQUIRED], group[REQUIRED], (term, at) => hostTerm(edit, term, at, subject, ctx));
    translateTerms(edit, [...path, PREFERRED], group[PREFERRED], (weighted, at) => {
      const inner = objectAt(weighted, 'podAffinityTerm');
      const term = inner === undefined ? undefined : hostTerm(edit, inner, [...at, 'podAffinityTerm'], subject, ctx);
      return term === undefined ? undefined : { ...weighted, podAffinityTerm: term };
    });
  }
};

function translateTerms(
  edit: Edit,
  path: Path,
  value: Json | undefined,
  translate: (term: JsonObject, path: Path) => JsonObject | undefined,
): void {
  const terms = asArray(value);
  if (terms === undefined) return;
  const kept: Json[] = [];
  terms.forEach((term, index) => {
    if (!isObject(term)) return;
    const host = translate(term, [...path, index]);
    if (host === undefined) edit.note('AffinityDropped', { pointer: dotted([...path, index]) }, [...path, index]);
    else kept.push(host);
  });
  if (kept.length > 0) edit.set(path, kept, 'rw.selector');
  else edit.remove(path, 'rw.selector');
}

/** The host's term; undefined where it reaches no namespace, since `In []` is no legal condition. */
function hostTerm(edit: Edit, term: JsonObject, path: Path, subject: Subject, ctx: TenantContext): JsonObject | undefined {
  const reach = reachOf(edit, term, path, subject, ctx);
  if (reach !== 'all' && reach.length === 0) return undefined;
  const { namespaces: _names, namespaceSelector: _selector, ...rest } = term;
  return withKeys(rest, reach, subject, ctx);
}

/** Listed namespaces and selected ones are a union, and both are known here. */
function reachOf(edit: Edit, term: JsonObject, path: Path, subject: Subject, ctx: TenantContext): NamespaceReach {
  const names = (asArray(own(term, 'namespaces')) ?? []).filter((name) => typeof name === 'string');
  const selector = objectAt(term, 'namespaceSelector');
  if (names.length === 0 && selector === undefined) return [subject.virtualNamespace];
  for (const name of names) {
    if (NAMESPACE.test(name)) continue;
    const rule = 'lower-case letters, digits and "-" only, at most 63';
    edit.refuse('InvalidName', { what: `Namespace ${dotted([...path, 'namespaces'])}`, value: name.slice(0, 80), rule }, path);
  }
  const selected = selector === undefined ? [] : selectedNamespaces(ctx, selector);
  return selected === 'all' ? 'all' : [...new Set([...names, ...selected])].sort();
}

const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Spread counts pods of the same virtual namespace, as it does in the tenant. */
export const topologySpreadStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const constraints = asArray(own(view.spec, 'topologySpreadConstraints'));
  if (constraints === undefined || constraints.length === 0) return;
  const host = constraints.map((constraint) =>
    isObject(constraint) ? withKeys(constraint, [subject.virtualNamespace], subject, ctx) : constraint,
  );
  edit.set([...view.base, 'topologySpreadConstraints'], host, 'rw.selector');
};

/**
 * A term or constraint with its selector scoped and its label keys as they are on the host. A selector that is absent matches nothing and
 * stays absent. From 1.34 the API server writes the values of `matchLabelKeys` into the selector it stores, and refuses to see
 * both again, so such conditions are taken out.
 */
function withKeys(term: JsonObject, reach: NamespaceReach, subject: Subject, ctx: TenantContext): JsonObject {
  const result: JsonObject = { ...term };
  const merged = new Map<string, string>();
  for (const [field, operator] of [
    ['matchLabelKeys', 'In'],
    ['mismatchLabelKeys', 'NotIn'],
  ] as const) {
    const keys = asArray(own(term, field));
    if (keys === undefined) continue;
    for (const key of keys) if (typeof key === 'string') merged.set(key, operator);
    result[field] = keys.map((key) => (typeof key === 'string' ? hostLabelKey(key) : key));
  }
  const selector = objectAt(term, 'labelSelector');
  if (selector === undefined) return result;
  result['labelSelector'] = scopedSelector(withoutMerged(selector, merged), ctx, subject.virtualNamespace, reach);
  return result;
}

function withoutMerged(selector: JsonObject, merged: ReadonlyMap<string, string>): JsonObject {
  const expressions = asArray(selector['matchExpressions']);
  if (merged.size === 0 || expressions === undefined) return selector;
  const kept = expressions.filter((expression) => {
    const key = isObject(expression) ? asString(expression['key']) : undefined;
    return key === undefined || !isObject(expression) || merged.get(key) !== expression['operator'];
  });
  const { matchExpressions: _all, ...rest } = selector;
  return kept.length === 0 ? rest : { ...rest, matchExpressions: kept };
}
