import type { Plan, TenantPlan } from '../../core/plan/plan-types.ts';
import type { Answer, AnswerRow } from '../../report/answer/answer.ts';
import { type Issue, issueCounts, issuesOf } from '../../report/issues.ts';
import { registered } from '../../report/registered.ts';
import { tally, tenantId } from '../../report/tally.ts';
import type { TextStyle } from '../../report/text.ts';
import { placedIssues } from '../answer/placed-issues.ts';
import { placeFinder } from './package-style.ts';
import type { PlannedPackage } from './plan-package.ts';

/** An issue, or that a tenant is frozen. */
type Told = Omit<Issue, 'grade'> & { readonly grade: (typeof GRADES)[number] };

const GRADES = ['error', 'frozen', 'refused', 'warning'] as const;
/** For printers that mark lines, of which some show the first few: one mistake in a profile may freeze a whole fleet. */
const MARKED = ['error', 'refused', 'frozen', 'warning'] as const;

/** What is wrong with a package, for every printer, and a style that knows the line of each issue. */
export async function validationAnswer(planned: PlannedPackage, style: TextStyle): Promise<{ answer: Answer; placed: TextStyle }> {
  const { plan } = planned;
  const [issues, frozen] = [issuesOf(plan), freezes(plan)];
  const told = inOrder([...issues, ...frozen], GRADES);
  const placed = await placedIssues(told, style, placeFinder(planned));
  const records = told.map((issue) =>
    issueRecord(issue, issue.source === undefined ? undefined : placed.locate(issue.source, issue.pointer)),
  );
  const counts = issueCounts(plan);
  const answer: Answer = {
    kind: 'ValidationReport',
    title: plan.stopped ? 'Validation: nothing can be rendered' : 'Validation',
    document: { summary: { ...counts }, issues: records },
    items: records,
    tables: [{ columns: COLUMNS.map((name) => ({ name })), rows: plan.tenants.map(tenantRow) }],
    trees: [],
    issues: inOrder([...issues, ...frozen], MARKED).map(({ grade, ...issue }) => ({
      ...issue,
      grade: grade === 'frozen' ? 'error' : grade,
    })),
    subjects: plan.tenants.map(tenantId),
  };
  return { answer, placed };
}

function inOrder(told: readonly Told[], grades: readonly Told['grade'][]): readonly Told[] {
  return told.toSorted((a, b) => grades.indexOf(a.grade) - grades.indexOf(b.grade));
}

/** That a tenant is frozen, beside the mistake that freezes it. */
function freezes({ tenants }: Plan): Told[] {
  return tenants.flatMap((tenant) => {
    if (tenant.frozen === undefined) return [];
    const { source, pointer } = tenant.frozenAt ?? {};
    const id = tenantId(tenant);
    return [
      {
        grade: 'frozen',
        ...registered('TenantFrozen', { tenant: id, why: tenant.frozen.replace(/\.$/, '') }),
        object: `TenantCluster ${id}`,
        tenant: id,
        ...(source !== undefined && { source }),
        ...(pointer !== undefined && { pointer }),
      },
    ];
  });
}

const COLUMNS = ['tenant', 'policy', 'profile', 'projected', 'refused', 'held', 'warnings', 'state'];

function tenantRow(tenant: TenantPlan): AnswerRow {
  const n = tally(tenant.decisions);
  const numbers = [n.projected, n.refused, n.held, n.warnings].map(String);
  return { cells: [tenantId(tenant), tenant.policy, tenant.profile, ...numbers, tenant.frozen === undefined ? 'rendered' : 'frozen'] };
}

function issueRecord(issue: Told, line: number | undefined): Record<string, string | number | null> {
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
