import type { Decision } from '../decision/decision.ts';
import { KEY } from '../identity/metadata.ts';
import { equal, type Path } from '../kube/json.ts';
import type { Plan } from '../plan/plan-types.ts';
import type { Between } from './between.ts';
import type { Causes } from './causes.ts';
import { compareObjects, type Difference } from './compare-objects.ts';
import { effectsOf } from './effects.ts';
import { fieldChanges } from './field-changes.ts';
import { identity, type TreeObject } from './host-tree.ts';
import type { Direction } from './lattice.ts';
import type { Effect, HostChange } from './review.ts';
import type { Reviewed } from './reviewed.ts';
import { type Sides, tenantId } from './sides.ts';

/** Objects of two trees that do not mean the same. Where the text is the same, nothing is parsed. */
export function hostChanges(
  { before, after }: Sides<Reviewed>,
  causes: Causes,
  between: Between,
  directions: (tenant: string, object: string) => readonly Direction[],
): { readonly changes: HostChange[]; readonly unchanged: number } {
  const deletions = deletionsOf(after.plan);
  const changes: HostChange[] = [];
  let unchanged = 0;
  const add = (id: string, was: TreeObject | undefined, is: TreeObject | undefined, differences: readonly Difference[]): void => {
    const change = changeOf(was, is, differences, deletions);
    if (change === undefined) return;
    const isolates = directions(change.tenant ?? '', `${change.host.kind}/${change.host.name}`);
    changes.push({
      ...change,
      causes: causes.ofObject(was?.decision, is?.decision, differences, between.sortOf(id, was, is)),
      effects: [...effectsOf(was?.object, is?.object, differences), ...isolation(isolates)],
    });
  };
  for (const [id, was] of before.tree) {
    const is = after.tree.get(id);
    if (is === undefined) add(id, was, undefined, []);
    else if (was === is || (was.text !== undefined && was.text === is.text) || sameObject(was, is)) unchanged += 1;
    else {
      const differences = compareObjects(was.object, is.object).filter(({ path }) => !isPlace(path));
      if (differences.length === 0) unchanged += 1;
      else add(id, was, is, differences);
    }
  }
  for (const [id, is] of after.tree) if (!before.tree.has(id)) add(id, undefined, is, []);
  return { changes, unchanged };
}

function sameObject(was: TreeObject, is: TreeObject): boolean {
  return (was.text === undefined || is.text === undefined) && equal(was.object, is.object);
}

/** Where the source lies: a file that moved is no change of what it holds. */
function isPlace(path: Difference['path']): boolean {
  return path[0] === 'metadata' && path[1] === 'annotations' && path[2] === KEY.sourcePath;
}

function deletionsOf(plan: Plan): ReadonlyMap<string, Decision> {
  const found = new Map<string, Decision>();
  for (const decision of [...plan.tenants.flatMap((tenant) => tenant.decisions), ...plan.decisions]) {
    if (decision.action === 'Delete' && decision.host !== undefined) found.set(identity(decision.host), decision);
  }
  return found;
}

function changeOf(
  was: TreeObject | undefined,
  is: TreeObject | undefined,
  differences: readonly Difference[],
  deletions: ReadonlyMap<string, Decision>,
): Omit<HostChange, 'causes' | 'effects'> | undefined {
  const entry = is ?? was;
  // What leaves has a decision of its own, which says why; where its source stays, the one that made it says from where it came.
  const decision = is?.decision ?? (was === undefined ? undefined : (deletions.get(identity(was.ref)) ?? was.decision));
  if (entry === undefined || decision === undefined) return undefined;
  const source = is?.decision?.source ?? was?.decision?.source;
  const { tenant } = decision;
  return {
    ...(tenant.name !== '' && { tenant: tenantId(tenant) }),
    host: entry.ref,
    ...(source !== undefined && {
      source: {
        apiVersion: source.apiVersion,
        kind: source.kind,
        namespace: source.namespace,
        name: source.name,
        file: source.file.path,
        ...(source.file.line !== undefined && { line: source.file.line }),
      },
    }),
    verb: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
    code: decision.code,
    reason: decision.reason,
    message: decision.message,
    fields: fieldChanges(differences, entry.object, ruleFinder(decision)),
  };
}

/** The rule of the translation that wrote a field, or what holds it. Decisions know it where they list their fields. */
function ruleFinder({ fields }: Decision): (path: Path) => string | undefined {
  return (path) =>
    fields.find((field) => field.path.length <= path.length && field.path.every((step, index) => step === path[index]))?.rule;
}

function isolation(directions: readonly Direction[]): Effect[] {
  return [
    ...(directions.includes('weaker') ? (['isolation-weaker'] as const) : []),
    ...(directions.includes('stronger') ? (['isolation-stronger'] as const) : []),
  ];
}
