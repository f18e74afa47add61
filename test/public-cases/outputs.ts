import { isObject, type Json } from '../../src/core/kube/json.ts';
import type { Plan } from '../../src/core/plan/plan-types.ts';
import { planResults } from '../../src/krm/plan-results.ts';
import { resultObject } from '../../src/krm/results.ts';
import { ledgerText } from '../../src/report/ledger.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { renderText } from '../../src/report/render-text.ts';
import { PLAIN } from '../../src/report/text.ts';

/** Everything that is said about a plan, by whatever mouth: results, ledgers, the report and the text for a terminal. */
export function everythingSaid(plan: Plan): string {
  const results = planResults(plan, 'warning').map((result) => strings(resultObject(result)));
  const ledgers = plan.tenants.map(ledgerText);
  const text = renderText(plan, undefined, { ...PLAIN, verbose: true });
  return [...results, ...ledgers, ...renderReport(plan, undefined), text].join('\n');
}

/** Every string of a value on a line of its own, as a tool that has parsed it would print it. */
function strings(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(strings).join('\n');
  return isObject(value) ? Object.values(value).map(strings).join('\n') : '';
}
