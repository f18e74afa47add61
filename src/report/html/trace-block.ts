import type { Outcome } from '../../core/decision/decision.ts';
import { dotted } from '../../core/kube/pointer.ts';
import type { Change } from '../../core/translate/edit.ts';
import { RULES, type RuleId } from '../../core/translate/rules.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import type { ObjectModel } from './model.ts';
import { OWN_ID, plural } from './words.ts';

/** Every rule that was looked at, in order, and every rule that changed something; the reason of a changed line leads here. */
export function traceBlock({ decision, outcome }: ObjectModel): Markup {
  const { trace, fields } = decision;
  const rewrites = outcome === 'projected' ? rulesOf(fields) : [];
  if (trace.length === 0 && rewrites.length === 0) return NOTHING;
  return html`<details class="trace"><summary>Rule trace: ${plural(trace.length, 'check')}, ${plural(rewrites.length, 'rewrite')}</summary>${
    trace.length > 0 &&
    html`<ol class="checks">${grouped(trace).map(
      ({ outcome: result, rules }) =>
        html`<li class="${result}"><b>${WORDS[result]}</b> ${rules.map(({ rule, because }) => html`<code>${rule}</code>${because !== undefined && ` ${because}`} `)}</li>`,
    )}</ol>`
  }${
    rewrites.length > 0 &&
    html`<dl class="rewrites">${rewrites.map(
      ([rule, paths]) =>
        html`<dt id="${OWN_ID}-${rule}" tabindex="-1"><code>${rule}</code></dt><dd>${RULES[rule]} <span class="paths">${paths.map((path) => html`<code>${path}</code> `)}</span></dd>`,
    )}</dl>`
  }</details>`;
}

const WORDS: Readonly<Record<Outcome, string>> = {
  Matched: 'matched',
  NotMatched: 'not matched',
  Passed: 'passed',
  Blocked: 'blocked',
  Rewrote: 'rewrote',
  NotApplicable: 'not applicable',
  Undecided: 'undecided',
  NotReached: 'not reached',
};

interface TraceGroup {
  readonly outcome: Outcome;
  readonly rules: { readonly rule: string; readonly because?: string }[];
}

/** Neighbours with one outcome are one line: thirty checks that passed are no news. */
function grouped(trace: ObjectModel['decision']['trace']): readonly TraceGroup[] {
  const groups: TraceGroup[] = [];
  for (const step of trace) {
    const last = groups.at(-1);
    if (last?.outcome === step.outcome) last.rules.push(step);
    else groups.push({ outcome: step.outcome, rules: [step] });
  }
  return groups;
}

function rulesOf(fields: readonly Change[]): readonly (readonly [RuleId, readonly string[]])[] {
  // identity metadata is put on every projection, whatever else changed
  const rules = new Map<RuleId, string[]>([['rw.identity', []]]);
  for (const { rule, path } of fields) rules.set(rule, [...(rules.get(rule) ?? []), dotted(path)]);
  return [...rules];
}
