import type { FieldChange, HostChange } from './review.ts';

/** Fields that say something new, and those that only tell why the object is as it is: these follow from the rest. */
export function partFields({ fields }: HostChange): { readonly telling: readonly FieldChange[]; readonly derived: readonly FieldChange[] } {
  const derived = fields.filter(isDerived);
  return { telling: fields.filter((field) => !isDerived(field)), derived };
}

function isDerived({ path }: FieldChange): boolean {
  return path.includes('"tenantplane.io/');
}

/** What is told of a change first; of one that says nothing new, all of it. */
export function tellingFields(change: HostChange): readonly FieldChange[] {
  const { telling } = partFields(change);
  return telling.length === 0 ? change.fields : telling;
}

/** Changes that are alike in the same fields are told once. */
export function alike(changes: readonly HostChange[]): readonly (readonly HostChange[])[] {
  const groups = new Map<string, HostChange[]>();
  for (const change of changes) {
    const fields = tellingFields(change).map(({ path, op, before, after, hidden }) => [
      path,
      op,
      before ?? null,
      after ?? null,
      hidden === true,
    ]);
    const key = JSON.stringify([change.host.kind, change.verb, change.code, change.effects, fields]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()];
}
