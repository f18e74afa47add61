import type { BoundaryInput } from '../../../../src/core/isolation/verify/boundary-input.ts';
import { keyOf } from '../../../../src/core/isolation/verify/live-boundary.ts';
import { clone, type Json, type JsonObject, type Path } from '../../../../src/core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../../../src/core/kube/object.ts';
import { boundaryInputs } from '../../../support/boundary.ts';
import { boundaryMatrix } from '../../../support/boundary-matrix.ts';

const ALL = boundaryInputs(boundaryMatrix());

/** What the matrix has applied for a tenant: `rest-allo-own`. */
export function inputOf(tenant: string): BoundaryInput {
  const input = ALL.find(({ tenantCluster }) => nameOf(tenantCluster) === tenant);
  if (input === undefined) throw new Error(`the matrix has no tenant ${tenant}`);
  return { ...input, live: input.live.map((object) => clone(object)) };
}

/** A change of one object; `name` without our prefix. */
export function changed(
  input: BoundaryInput,
  kind: string,
  name: string,
  change: (object: KubeObject) => KubeObject | undefined,
): BoundaryInput {
  let found = 0;
  const live = input.live.flatMap((object): KubeObject[] => {
    if (!keyOf(object).startsWith(kind) || ![name, `tenantplane-${name}`].includes(nameOf(object))) return [object];
    found += 1;
    return [change(clone(object))].filter((after) => after !== undefined);
  });
  if (found !== 1) throw new Error(`${found} objects are ${kind} ${name}`);
  return { ...input, live };
}

export function added(input: BoundaryInput, object: KubeObject): BoundaryInput {
  return { ...input, live: [...input.live, object] };
}

/** Sets the value at a path; undefined takes it out. */
export function put(root: KubeObject, path: Path, value: Json | undefined): KubeObject {
  const last = path.at(-1);
  let at: Json | undefined = root;
  for (const step of path.slice(0, -1)) {
    const next: Json | undefined = (at as JsonObject)[step];
    if (next === undefined) (at as JsonObject)[step] = {};
    at = (at as JsonObject)[step];
  }
  if (last === undefined) throw new Error('a path to nothing');
  if (Array.isArray(at) && typeof last === 'number') {
    if (value === undefined) at.splice(last, 1);
    else at[last] = value;
  } else if (value === undefined) delete (at as JsonObject)[last];
  else (at as JsonObject)[last] = value;
  return root;
}

export const WORK = 'team-rest-allo-own';
export const PLANE = 'cp-x-rest-allo-own-x-team-rest-allo-own';

export function describeObject(object: KubeObject): string {
  return `${keyOf(object)} ${namespaceOf(object) ?? ''}/${nameOf(object)}`;
}
