import { assign } from '../plan/assign.ts';
import { readHostFacts, resolveHost } from '../plan/host-facts.ts';
import type { Plan } from '../plan/plan-types.ts';
import type { HostTree } from './host-tree.ts';
import { type JudgedSettings, judgedSettings } from './judged-settings.ts';
import type { PlanInput } from './sides.ts';

/** One side of a review with what is looked up in it. */
export interface Reviewed {
  readonly input: PlanInput;
  readonly plan: Plan;
  readonly tree: HostTree;
  readonly settings: JudgedSettings;
}

export function reviewed(plan: Plan, input: PlanInput, tree: HostTree): Reviewed {
  const { inputs, config } = input;
  const host = resolveHost(config.host, readHostFacts(inputs, config.host.version).facts);
  return { input, plan, tree, settings: judgedSettings(assign(inputs, config), host) };
}
