import { reasonOf } from '../../src/core/decision/reasons.ts';
import { PROFILE_RULES } from '../../src/core/isolation/admission/compile.ts';
import { SHARED_RULES } from '../../src/core/isolation/admission/shared-rules.ts';
import { HOSTILE_CASES } from '../support/admission-cases/all.ts';
import type { AdmissionCase, Other } from '../support/admission-cases/case.ts';
import { POLICIES, requestOf } from '../support/admission-cases/evaluate.ts';
import { verdictsOf } from '../support/admission-policy.ts';
import { STANDS_AGAINST } from './threat-words.ts';

const RULES = [...PROFILE_RULES, ...SHARED_RULES];
const row = (...cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** Every rule of the admission policies. */
export function rulesTable(): string {
  const lines = RULES.map(({ id, group, matches, controls, doc }) =>
    row(`\`${id}\``, `\`…-${group}\``, matches, doc, controls.map((name) => `\`${name}\``).join(', ')),
  );
  return [row('rule', 'policy', 'looks at', 'admitted is what', 'control'), '|---|---|---|---|---|', ...lines].join('\n');
}

/** Each control once: what it stands against, where it is enforced, and how many cases tried it. */
export function controlsTable(): string {
  const controls = [...new Set(HOSTILE_CASES.flatMap(controlsOf))];
  const lines = controls.map((control) => {
    const cases = HOSTILE_CASES.filter((each) => controlsOf(each).includes(control));
    const against = STANDS_AGAINST[control];
    if (against === undefined) throw new Error(`threat-words.ts does not say what ${control} stands against`);
    const render = cases.flatMap(({ tenant }) => (tenant === undefined ? [] : [reasonIn(tenant)]));
    const host = cases.flatMap((each) => [...(each.first === undefined ? [] : [each.first]), ...ownRules(each, control)]);
    return row(
      named(control),
      `${against} (${threatsOf(cases)})`,
      listed(render, 'no file says it'),
      listed(host, 'nothing'),
      String(cases.length),
    );
  });
  return [row('control', 'stands against', 'in the render', 'at the host', 'cases'), '|---|---|---|---|---|', ...lines].join('\n');
}

function reasonIn(tenant: NonNullable<AdmissionCase['tenant']>): string {
  const reason = typeof tenant === 'string' ? tenant : tenant.rendered;
  return reason === 'silently' ? 'made harmless' : `${reasonOf(reason).code} ${reason}`;
}

function ownRules({ rules }: AdmissionCase, control: string): string[] {
  return RULES.filter(({ id, controls }) => rules.includes(id) && controls.some((name) => name === control)).map(
    ({ id }) => `rule \`${id}\``,
  );
}

/** Rows of the threat list; benchmark and advisories only where no row has it. */
function threatsOf(cases: readonly AdmissionCase[]): string {
  const all = [...new Set(cases.flatMap(({ threats }) => threats.split(', ')))];
  const short = all.filter((id) => /^[A-Z]\d+$/.test(id));
  return (short.length > 0 ? short : all).join(', ');
}

const listed = (values: readonly string[], none: string): string => (values.length === 0 ? none : [...new Set(values)].join(', '));
const named = (control: string): string => (control.startsWith('the ') ? control : `\`${control}\``);

/** Every hostile case, and who stopped it: as tenant input, and by the host's API server. */
export function casesTable(): string {
  const lines = HOSTILE_CASES.map((each) =>
    row(controlsOf(each).map(named).join(', '), each.name, each.threats, asTenantInput(each), atHost(each)),
  );
  return [row('control', 'case', 'threats', 'as tenant input', 'at the host'), '|---|---|---|---|---|', ...lines].join('\n');
}

const CONTROLS: Readonly<Record<Other, string>> = {
  'Pod Security': 'podSecurity',
  'the API itself': 'Kubernetes',
  RBAC: 'RBAC',
  ResourceQuota: 'quota',
  LimitRange: 'requireResourceRequests',
};

function controlsOf({ rules, first }: AdmissionCase): readonly string[] {
  const controls: string[] = RULES.filter(({ id }) => rules.includes(id)).flatMap((rule) => rule.controls);
  const all = first === undefined ? controls : [CONTROLS[first], ...controls];
  return all.length === 0 ? ['the render'] : [...new Set(all)];
}

function asTenantInput({ tenant }: AdmissionCase): string {
  if (tenant === undefined) return 'no file of a tenant says it';
  if (typeof tenant === 'string') return `refused, ${reasonOf(tenant).code} ${tenant}`;
  return tenant.rendered === 'silently' ? 'rendered harmless' : `rendered harmless, ${reasonOf(tenant.rendered).code} ${tenant.rendered}`;
}

function atHost(each: AdmissionCase): string {
  const verdicts = verdictsOf(POLICIES, requestOf(each)).map(({ policy, rule }) => `\`${policy}\`, rule \`${rule}\``);
  if (each.first === 'RBAC') return 'RBAC';
  const stopped = [...(each.first === undefined ? [] : [each.first]), ...verdicts];
  return stopped.length === 0 ? 'nobody' : stopped.join('; behind it ');
}
