import type { Check } from '../../checks/check.ts';
import { malformed } from '../../checks/shape.ts';
import { at, isObject, type Json, type Path } from '../../kube/json.ts';
import { kindKey } from '../../kube/object.ts';
import { compilePattern, type PathPattern } from '../../kube/path-pattern.ts';
import type { PolicyEntry } from '../../plan/settings.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import { scopeSelector, scopeSelectorMap } from '../selectors.ts';
import type { KindTranslation, Step } from '../translation.ts';
import { referTo } from './reference.ts';

interface CompiledReference {
  readonly pattern: PathPattern;
  readonly kind: string;
}

/**
 * The translation of a kind that only a SyncPolicy entry describes: where it names other objects, and where it selects pods.
 * Paths are compiled once. An entry with a path that cannot be read translates nothing: half a translation leaves raw names.
 */
export function customTranslation(entry: PolicyEntry): KindTranslation {
  const references: CompiledReference[] = [];
  const selectors: PathPattern[] = [];
  const unreadable: string[] = [];
  for (const { path, kind, apiVersion } of entry.references) {
    const pattern = compilePattern(path);
    if (pattern === undefined) unreadable.push(path);
    else references.push({ pattern, kind: kindKey(apiVersion, kind) });
  }
  for (const { path } of entry.selectors) {
    const pattern = compilePattern(path);
    if (pattern === undefined) unreadable.push(path);
    else selectors.push(pattern);
  }
  return {
    key: entry.key,
    checks: [entryCheck(entry, unreadable), shapesCheck(references, selectors)],
    steps: [...references.map(referenceStep), ...selectors.map(selectorStep)],
  };
}

function entryCheck(entry: PolicyEntry, unreadable: readonly string[]): Check {
  return {
    id: 'custom.entry',
    run: (_subject, ctx) =>
      unreadable.map((path) => ({
        reason: 'EntryUnparseable',
        params: { policy: ctx.policy.name, entry: `${entry.apiVersion}/${entry.kind}`, error: `${path} is no field path` },
      })),
  };
}

/** A value of another shape than the entry says would go to the host as it is, so the object does not. */
function shapesCheck(references: readonly CompiledReference[], selectors: readonly PathPattern[]): Check {
  return {
    id: 'custom.shape',
    run(subject) {
      const refusals: ReturnType<typeof malformed>[] = [];
      const expect = (pattern: PathPattern, fits: (value: Json) => boolean, wanted: string): void => {
        pattern.visit(subject.object, (path, value) => {
          if (value !== null && !fits(value)) refusals.push(malformed(path, value, wanted));
        });
      };
      for (const { pattern } of references) expect(pattern, (value) => typeof value === 'string', 'a name');
      for (const pattern of selectors) expect(pattern, isObject, 'a selector');
      return refusals;
    },
  };
}

function referenceStep({ pattern, kind }: CompiledReference): Step {
  return (edit, subject, ctx) => {
    pattern.visit(edit.object, (path) => {
      const namespacePath = [...path.slice(0, -1), 'namespace'];
      const named = path.at(-1) === 'namespace' ? undefined : at(subject.object, ...namespacePath);
      const namespace = typeof named === 'string' && named !== '' && path.length > 2 ? named : undefined;
      referTo(edit, path, ctx, kind, namespace ?? subject.virtualNamespace);
      if (namespace !== undefined) edit.set(namespacePath, ctx.tenant.namespace, 'rw.reference');
    });
  };
}

function selectorStep(pattern: PathPattern): Step {
  return (edit, subject, ctx) => {
    pattern.visit(edit.object, (path, value) => {
      if (isObject(value)) scopeEither(edit, path, value, subject, ctx);
    });
  };
}

/**
 * A map of labels or a LabelSelector, told apart by what is in it. An empty one is treated as a LabelSelector: were it a map, the
 * host would refuse the object; the other way round the host would drop the unknown keys, and an empty selector means every pod.
 */
function scopeEither(
  edit: Edit,
  path: Path,
  value: { readonly [key: string]: Json | undefined },
  subject: Subject,
  ctx: TenantContext,
): void {
  const isSelector = isObject(value['matchLabels']) || Array.isArray(value['matchExpressions']) || Object.keys(value).length === 0;
  if (isSelector && path.at(-1) !== 'matchLabels') scopeSelector(edit, path, ctx, subject.virtualNamespace);
  else scopeSelectorMap(edit, path, ctx, subject.virtualNamespace);
}
