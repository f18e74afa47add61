import { asArray, at, isObject, type JsonObject, own, type Path } from '../../kube/json.ts';
import type { Subject } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';

/** The pod spec of the host object that a step edits, and where it stands. */
export interface PodView {
  readonly spec: JsonObject;
  readonly base: Path;
}

export function podView(edit: Edit, subject: Subject): PodView | undefined {
  const base = subject.row.podSpec;
  if (base === undefined) return undefined;
  const spec = at(edit.object, ...base);
  return isObject(spec) ? { spec, base } : undefined;
}

/** Containers that are rendered: ephemeral ones are not. */
export function eachContainer({ spec, base }: PodView, visit: (container: JsonObject, path: Path, name: string) => void): void {
  for (const list of ['initContainers', 'containers'] as const) {
    const items = asArray(own(spec, list));
    if (items === undefined) continue;
    for (let index = 0; index < items.length; index += 1) {
      const container = items[index];
      if (!isObject(container)) continue;
      const name = container['name'];
      visit(container, [...base, list, index], typeof name === 'string' && name !== '' ? name : `${list}[${index}]`);
    }
  }
}
