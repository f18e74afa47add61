import type { ReportFile } from '../answer/answer-options.ts';
import type { SharedFlags } from '../io.ts';
import type { RenderOutput } from '../render/run-render.ts';
import type { PlanOptions } from './plan-options.ts';

/** What the parser makes of the flags of `render`; its generators look at them as well. */
export interface RenderOptions extends PlanOptions, SharedFlags {
  /** yaml is for the generators alone, whose `-o` the parser takes for this one */
  readonly output: { readonly kind: RenderOutput | 'yaml'; readonly folder?: string };
  readonly check?: true;
  readonly diff?: true;
  readonly ledger?: true;
  readonly watch?: true;
  readonly cache: boolean;
  readonly report?: readonly ReportFile[];
}
