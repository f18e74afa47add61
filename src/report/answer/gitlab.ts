import { visible } from '../escape.ts';
import type { Issue } from '../issues.ts';
import { jsonText } from '../json-text.ts';
import type { Answer } from './answer.ts';
import { fingerprints } from './fingerprints.ts';
import type { FormatTools } from './format-tools.ts';
import { issueText, placeOf } from './issue-place.ts';

const SEVERITIES: Readonly<Record<Issue['grade'], string>> = { error: 'critical', refused: 'major', warning: 'minor' };

/** GitLab's code quality report. A finding needs a path and a line there; one without stands at the top of the repository. */
export function gitlabAnswer(answer: Answer, tools: FormatTools): string {
  const names = fingerprints(answer.issues);
  const items = answer.issues.map((issue, index) => {
    const place = placeOf(issue, tools);
    return {
      description: visible(issueText(issue)),
      check_name: visible(`${issue.code} ${issue.reason}`),
      fingerprint: names[index] ?? '',
      severity: SEVERITIES[issue.grade],
      location: { path: place?.path ?? '.', lines: { begin: place?.line ?? 1 } },
    };
  });
  return `${jsonText(items, 2)}\n`;
}
