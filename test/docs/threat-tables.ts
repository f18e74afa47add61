import { reasonOf } from '../../src/core/decision/reasons.ts';
import { PROFILE_RULES } from '../../src/core/isolation/admission/compile.ts';
import { SHARED_RULES } from '../../src/core/isolation/admission/shared-rules.ts';
import { HOSTILE_CASES } from '../support/admission-cases/all.ts';
import type { AdmissionCase, Other } from '../support/admission-cases/case.ts';
import { POLICIES, requestOf } from '../support/admission-cases/evaluate.ts';
import { verdictsOf } from '../support/admission-policy.ts';

const RULES = [...PROFILE_RULES, ...SHARED_RULES];
const row = (...cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** Every rule of the admission policies. */
export function rulesTable(): string {
  const lines = RULES.map(({ id, group, matches, controls, doc }) =>
    row(`\`${id}\``, `\`…-${group}\``, matches, doc, controls.map((name) => `\`${name}\``).join(', ')),
  );
  return [row('rule', 'policy', 'looks at', 'admitted is what', 'control'), '|---|---|---|---|---|', ...lines].join('\n');
}

/** Every hostile case, and who stopped it: as tenant input, and by the host's API server. */
export function casesTable(): string {
  const lines = HOSTILE_CASES.map((each) => row(controlOf(each), each.name, each.threats, asTenantInput(each), atHost(each)));
  return [row('control', 'case', 'threats', 'as tenant input', 'at the host'), '|---|---|---|---|---|', ...lines].join('\n');
}

const CONTROLS: Readonly<Record<Other, string>> = {
  'Pod Security': 'podSecurity',
  'the API itself': 'Kubernetes',
  RBAC: 'RBAC',
  ResourceQuota: 'quota',
  LimitRange: 'requireResourceRequests',
};

function controlOf({ rules, first }: AdmissionCase): string {
  const controls = RULES.filter(({ id }) => rules.includes(id)).flatMap((rule) => rule.controls);
  const all = first === undefined ? controls : [CONTROLS[first], ...controls];
  return all.length === 0 ? 'the render' : [...new Set(all)].map((name) => `\`${name}\``).join(', ');
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
