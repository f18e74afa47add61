import type { Outcome, TraceStep } from '../decision/decision.ts';

/**
 * A trace under construction. Traces of a fleet are a few hundred different ones, so they are kept as a tree of what came next,
 * and a trace is a node in it: nothing is allocated for an object whose checks went as another's did.
 */
export interface Trace {
  /** the trace with one more step */
  add(rule: string, outcome: Outcome): Trace;
  steps(): readonly TraceStep[];
}

function node(parent: Trace | undefined, step: TraceStep | undefined): Trace {
  const next = new Map<string, Partial<Record<Outcome, Trace>>>();
  let steps: readonly TraceStep[] | undefined;
  const self: Trace = {
    add(rule, outcome) {
      let outcomes = next.get(rule);
      if (outcomes === undefined) {
        outcomes = {};
        next.set(rule, outcomes);
      }
      let following = outcomes[outcome];
      if (following === undefined) {
        following = node(self, { rule, outcome });
        outcomes[outcome] = following;
      }
      return following;
    },
    steps() {
      steps ??= parent === undefined || step === undefined ? [] : [...parent.steps(), step];
      return steps;
    },
  };
  return self;
}

export const EMPTY_TRACE: Trace = node(undefined, undefined);
