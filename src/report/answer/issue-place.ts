import type { Issue } from '../issues.ts';
import type { FormatTools } from './format-tools.ts';

/** Where an issue stands, as a CI system looks it up: from the root of the repository, with forward slashes. */
export interface IssuePlace {
  readonly path: string;
  readonly line?: number;
}

export function placeOf(issue: Issue, tools: FormatTools): IssuePlace | undefined {
  if (issue.source === undefined) return undefined;
  const line = tools.style.locate(issue.source, issue.pointer);
  return { path: tools.repoPath(issue.source.path), ...(line !== undefined && { line }) };
}

/** `tenants/dev/objects/worker.yaml:18` */
export function placeText(issue: Issue, tools: FormatTools): string {
  const place = placeOf(issue, tools);
  if (place === undefined) return '';
  return place.line === undefined ? place.path : `${place.path}:${place.line}`;
}

/** What is wrong and what to do, as one text. */
export function issueText(issue: Issue): string {
  const subject = issue.object === undefined ? '' : `${issue.object}: `;
  return `${subject}${issue.message}${issue.remedy === '' ? '' : ` ${issue.remedy}`}`;
}
