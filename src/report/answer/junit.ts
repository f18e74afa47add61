import { markupText } from '../escape.ts';
import type { Issue } from '../issues.ts';
import { plural } from '../text.ts';
import type { Answer } from './answer.ts';
import type { FormatTools } from './format-tools.ts';
import { issueText, placeText } from './issue-place.ts';

/** Issues of these grades fail a case; warnings are said in one that passes. */
const FAILING: Readonly<Record<Issue['grade'], 'error' | 'failure' | undefined>> = {
  error: 'error',
  refused: 'failure',
  warning: undefined,
};

/**
 * JUnit's XML, as Jenkins' schema has it: a suite for each tenant, a case for each code in it (not for each object: five
 * thousand cases are read by nobody), and a case that passes where there is nothing to say.
 */
export function junitAnswer(answer: Answer, tools: FormatTools): string {
  const suites = new Map<string, Map<string, Issue[]>>();
  for (const subject of answer.subjects ?? []) suites.set(subject, new Map());
  for (const issue of answer.issues) {
    const cases = suites.get(issue.tenant ?? 'package') ?? new Map<string, Issue[]>();
    suites.set(issue.tenant ?? 'package', cases);
    const key = `${issue.code} ${issue.reason}`;
    const known = cases.get(key);
    if (known === undefined) cases.set(key, [issue]);
    else known.push(issue);
  }
  if (suites.size === 0) suites.set(answer.title, new Map());
  const texts = [...suites].map(([name, cases]) => suite(name, cases, tools));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tenantplane">\n${texts.join('')}</testsuites>\n`;
}

function suite(name: string, cases: ReadonlyMap<string, readonly Issue[]>, tools: FormatTools): string {
  const owner = markupText(name);
  if (cases.size === 0) {
    const passed = `    <testcase name="nothing to complain about" classname="${owner}"/>\n`;
    return `  <testsuite name="${owner}" tests="1" errors="0" failures="0">\n${passed}  </testsuite>\n`;
  }
  const told = [...cases].map(([key, issues]) => testCase(owner, key, issues, tools));
  const count = (kind: string): number => told.filter((one) => one.kind === kind).length;
  const head = `  <testsuite name="${owner}" tests="${told.length}" errors="${count('error')}" failures="${count('failure')}">\n`;
  return `${head}${told.map(({ text }) => text).join('')}  </testsuite>\n`;
}

function testCase(owner: string, key: string, issues: readonly Issue[], tools: FormatTools): { kind?: 'error' | 'failure'; text: string } {
  const open = `    <testcase name="${markupText(key)}" classname="${owner}">`;
  const lines = issues.map((issue) => markupText([placeText(issue, tools), issueText(issue)].filter((part) => part !== '').join(' ')));
  const kinds = issues.map(({ grade }) => FAILING[grade]);
  const kind = kinds.find((one) => one === 'error') ?? kinds.find((one) => one === 'failure');
  const body = `\n${lines.join('\n')}\n`;
  if (kind === undefined) return { text: `${open}<system-out>${body}</system-out></testcase>\n` };
  return { kind, text: `${open}<${kind} message="${plural(issues.length, 'finding')}">${body}</${kind}></testcase>\n` };
}
