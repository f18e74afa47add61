import { ruleIds, ruleRecord } from '../src/cli/explain-rule.ts';
import { cells, type Page, plain } from './page.ts';

/** A page for each rule of the host's admission policies, and one that lists them. */
export function rulePages(): readonly Page[] {
  const rules = ruleIds()
    .map(ruleRecord)
    .filter((record) => record !== undefined);
  const rows = rules.map(({ rule = '', group = '', admits = '' }) =>
    cells(`[${rule}](${rule}.md)`, `\`tenantplane-…-${group}\``, plain(admits)),
  );
  const index = [
    '# Admission rules',
    '',
    'The host’s API server begins a refusal by a policy of ours with the name of the rule. [What was tried against them](../threat-cases.md).',
    '',
    cells('rule', 'policy', 'admitted is what'),
    '|---|---|---|',
    ...rows,
    '',
  ];
  return [{ path: 'rules/index.md', text: index.join('\n') }, ...rules.map(rulePage)];
}

function rulePage({
  rule = '',
  group = '',
  matches = '',
  admits = '',
  controls = '',
  message = '',
  remedy = '',
}: Record<string, string>): Page {
  const lines = [
    `# Rule ${rule}`,
    '',
    `> ${plain(message)}`,
    '',
    `A rule of the admission policies \`tenantplane-…-${group}\` on the host.`,
    '',
    '## Why',
    '',
    `It looks at ${plain(matches)}, and admits what ${plain(admits)}. It enforces ${plain(controls)}; the [threat model](../threat-model.md) says against whom.`,
    '',
    '## What to do',
    '',
    `${plain(remedy)}`,
    '',
    '## On the command line',
    '',
    '```console',
    `$ tenantplane explain-code ${rule}`,
    '```',
    '',
  ];
  return { path: `rules/${rule}.md`, text: lines.join('\n') };
}
