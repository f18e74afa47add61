import { githubCommands } from '../../report/github.ts';
import { fails, type Issue, type IssueCounts, issueCounts, issuesOf } from '../../report/issues.ts';
import { jsonText } from '../../report/json-text.ts';
import { renderText } from '../../report/render-text.ts';
import { plural } from '../../report/text.ts';
import { EXIT } from '../errors.ts';
import type { CliContext, SharedFlags } from '../io.ts';
import { packageStyle, printPlaced } from './package-style.ts';
import { type PlanFlags, type PlannedPackage, planPackage } from './plan-package.ts';
import { progress } from './progress.ts';

export interface ValidateFlags extends PlanFlags, SharedFlags {
  readonly output: 'text' | 'json' | 'github';
}

/** Plans a package and says what is wrong with it. @returns the exit code */
export async function runValidate(flags: ValidateFlags, context: CliContext): Promise<number> {
  const { io } = context;
  const talk = progress(io, flags);
  let planned: PlannedPackage;
  try {
    planned = await planPackage({ failOnDefault: 'refused', ...flags }, io, talk);
  } finally {
    talk.clear();
  }
  const { plan } = planned;
  const issues = issuesOf(plan);
  const counts = issueCounts(plan);
  const style = packageStyle(planned, io, flags);
  const text = await printPlaced(planned, style, (placed) => {
    if (flags.output === 'github') return githubCommands(issues, placed.sourcePath, placed.locate);
    if (flags.output === 'json') {
      const items = issues.map((issue) => {
        const line = issue.source === undefined ? undefined : placed.locate(issue.source, issue.pointer);
        return issueRecord(issue, line);
      });
      return `${jsonText({ apiVersion: 'report.tenantplane.io/v1alpha1', kind: 'ValidationReport', summary: { ...counts }, issues: items }, 2)}\n`;
    }
    return renderText(plan, undefined, placed) + summary(counts, plan.tenants.length);
  });
  if (flags.quiet !== true || flags.output !== 'text') io.stdout.write(text);
  return fails(plan, planned.failOn) ? EXIT.findings : EXIT.done;
}

function issueRecord(issue: Issue, line: number | undefined): Record<string, string | number | null> {
  return {
    grade: issue.grade,
    code: issue.code,
    reason: issue.reason,
    object: issue.object ?? null,
    message: issue.message,
    remedy: issue.remedy === '' ? null : issue.remedy,
    file: issue.source?.path ?? null,
    document: issue.source?.document ?? null,
    line: line ?? null,
    pointer: issue.pointer ?? null,
  };
}

function summary({ error, frozen, refused, held, warning }: IssueCounts, tenants: number): string {
  const found = [
    ...(error > 0 && frozen === 0 ? [plural(error, 'error')] : []),
    ...(error > 0 && frozen > 0
      ? [`${plural(error, 'error')}, which ${error === 1 ? 'freezes' : 'freeze'} ${plural(frozen, 'tenant')}`]
      : []),
    ...(error === 0 && frozen > 0 ? [`${plural(frozen, 'tenant')} frozen`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(warning > 0 ? [plural(warning, 'warning')] : []),
  ];
  return `${plural(tenants, 'tenant')} checked: ${found.length === 0 ? 'nothing to complain about' : found.join(', ')}\n`;
}
