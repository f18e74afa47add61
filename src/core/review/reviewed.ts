import type { JsonObject } from '../kube/json.ts';
import { kindOf, nameOf } from '../kube/object.ts';
import { objectsFolder } from '../plan/assign.ts';
import type { Plan } from '../plan/plan-types.ts';
import type { HostTree } from './host-tree.ts';
import type { PlanInput } from './sides.ts';

/** One side of a review with what is looked up in it. */
export interface Reviewed {
  readonly input: PlanInput;
  readonly plan: Plan;
  readonly tree: HostTree;
  /** profile objects by name */
  readonly profiles: ReadonlyMap<string, JsonObject>;
}

export function reviewed(plan: Plan, input: PlanInput, tree: HostTree): Reviewed {
  const profiles = input.inputs.filter(
    ({ object, source }) => kindOf(object) === 'IsolationProfile' && objectsFolder(source.path) === undefined,
  );
  return { input, plan, tree, profiles: new Map(profiles.map(({ object }) => [nameOf(object), object])) };
}
