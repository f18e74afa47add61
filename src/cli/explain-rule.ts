import { PROFILE_RULES } from '../core/isolation/admission/compile.ts';
import type { Rule, SharedRule } from '../core/isolation/admission/rule.ts';
import { SHARED_RULES } from '../core/isolation/admission/shared-rules.ts';

/** Rules of the admission policies on the host. The API server names one at the beginning of each refusal. */
const RULES: readonly (Rule | SharedRule)[] = [...PROFILE_RULES, ...SHARED_RULES];

export function ruleIds(): readonly string[] {
  return RULES.map(({ id }) => id);
}

/** What a rule of the host's admission policies says, as text; undefined where there is none of that id. */
export function rulePage(id: string): string | undefined {
  const rule = ruleOf(id);
  if (rule === undefined) return undefined;
  const [wrong, remedy] = rule.message;
  const lines = [
    `${rule.id} is a rule of an admission policy on the host, tenantplane-…-${rule.group}`,
    '',
    `  Refused: ${wrong}.`,
    '',
    `Looks at  ${rule.matches}`,
    `Admits    what ${rule.doc}`,
    `Controls  ${rule.controls.join(', ')}`,
    '',
    'What to do',
    `  ${remedy}`,
  ];
  return `${lines.join('\n')}\n`;
}

export function ruleRecord(id: string): Record<string, string> | undefined {
  const rule = ruleOf(id);
  if (rule === undefined) return undefined;
  const [message, remedy] = rule.message;
  const { group, matches, doc: admits, controls } = rule;
  return { rule: rule.id, group, matches, admits, controls: controls.join(', '), message, remedy };
}

/** Rules on the host that keep a control, by its name in a profile: `tolerations`, `controls.podSecurity`. */
export function rulesOfControl(name: string): readonly string[] {
  const wanted = name.toLowerCase().split('.').at(-1);
  return RULES.filter(({ controls }) => controls.some((control) => control.toLowerCase() === wanted)).map(({ id }) => id);
}

function ruleOf(id: string): Rule | SharedRule | undefined {
  const wanted = id.toLowerCase();
  return RULES.find((rule) => rule.id === wanted);
}
