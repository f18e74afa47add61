import { commandData, commandProperty } from './escape.ts';
import type { Issue } from './issues.ts';
import type { Locate } from './text.ts';

/** GitHub shows ten annotations of a kind for each step and drops the rest without a word. */
const SHOWN = 10;

/** Issues as workflow commands; everything a tenant wrote is escaped, so that no text of theirs can be a command. */
export function githubCommands(issues: readonly Issue[], sourcePath: (path: string) => string, locate: Locate): string {
  const lines: string[] = [];
  const left = { error: SHOWN, warning: SHOWN };
  for (const issue of issues) {
    const kind = issue.grade === 'warning' ? 'warning' : 'error';
    if (left[kind] === 0) continue;
    left[kind] -= 1;
    const properties = [`title=${commandProperty(`${issue.code} ${issue.reason}`)}`];
    if (issue.source !== undefined) {
      const line = locate(issue.source, issue.pointer);
      if (line !== undefined) properties.unshift(`line=${line}`);
      properties.unshift(`file=${commandProperty(sourcePath(issue.source.path))}`);
    }
    const subject = issue.object === undefined ? '' : `${issue.object}: `;
    const remedy = issue.remedy === '' ? '' : ` ${issue.remedy}`;
    lines.push(`::${kind} ${properties.join(',')}::${commandData(`${subject}${issue.message}${remedy}`)}`);
  }
  if (lines.length < issues.length) {
    lines.push(`${lines.length} of ${issues.length} findings are shown as annotations (GitHub shows ${SHOWN} of a kind for each step).`);
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
