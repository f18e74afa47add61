import type { Outcome, TraceStep } from '../decision/decision.ts';

const INTERNED = new Map<string, TraceStep>();

/** A step of a trace. Steps without a reason are shared: a fleet has millions of them and a few dozen kinds. */
export function traceStep(rule: string, outcome: Outcome, because?: string): TraceStep {
  if (because !== undefined) return { rule, outcome, because };
  const key = `${rule} ${outcome}`;
  let step = INTERNED.get(key);
  if (step === undefined) {
    step = { rule, outcome };
    INTERNED.set(key, step);
  }
  return step;
}
