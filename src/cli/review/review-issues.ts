import type { CommittedTree, OutOfScopeChange, RefusalReason, Review, StopFinding } from '../../core/review/review.ts';
import { objectName } from '../../report/change-words.ts';
import type { Issue } from '../../report/issues.ts';
import { registered } from '../../report/registered.ts';

/** What a person has to look at: what stops, what that means for frozen tenants, a tree that is not its package's, what is refused or left out, isolation that weakens, data that goes. */
export function reviewIssues(review: Review): Issue[] {
  const { stops, committed, refusals, outOfScope } = review;
  return [
    ...stops.map((stop) => placedIssue('error', stop)),
    ...frozenIssues(review),
    ...review.warnings.map((warning) => placedIssue('warning', warning)),
    ...(committed === undefined ? [] : committedIssues(committed)),
    ...refusals
      .filter(({ verb }) => verb === 'added')
      .flatMap((row) => [row, ...row.also].map((reason) => ofObject('refused', row, reason))),
    ...outOfScope.map((row) => ofObject('warning', row, row)),
    ...weakened(review),
    ...losing(review),
  ];
}

function said({
  code,
  reason,
  message,
  remedy,
  pointer,
}: RefusalReason): Pick<Issue, 'code' | 'reason' | 'message' | 'remedy' | 'pointer'> {
  return { code, reason, message, remedy, ...(pointer !== undefined && { pointer }) };
}

function placedIssue(grade: Issue['grade'], found: StopFinding): Issue {
  const { file, document, line, tenant } = found;
  return {
    grade,
    ...said(found),
    source: { path: file, document, ...(line !== undefined && { line }) },
    ...(tenant !== undefined && { tenant }),
  };
}

/** Of tenants that are frozen for what no finding says of them: their profile, or the whole package. */
function frozenIssues({ frozen, stops, stopped }: Review): Issue[] {
  const known = new Set(stops.map(({ tenant }) => tenant));
  const issues = frozen
    .filter(({ tenant }) => !known.has(tenant))
    .map(({ tenant, why }): Issue => ({ grade: 'error', ...registered('TenantFrozen', { tenant, why }), tenant }));
  // a stop without a finding is told all the same
  if (stopped !== undefined && stops.length === 0)
    issues.push({ grade: 'error', ...registered('InputInvalid', { problem: stopped, fix: '' }) });
  return issues;
}

const STALE = [
  ['changed', 'is not what a render gives'],
  ['missing', 'is missing'],
  ['extra', 'is in the tree, and a render takes it out'],
] as const;

function committedIssues(committed: CommittedTree): Issue[] {
  const at = (path: string): Pick<Issue, 'source'> => ({ source: { path, document: 0 } });
  return [
    ...committed.foreign.map((file): Issue => ({ grade: 'error', ...registered('TreeFileForeign', { file }), ...at(file) })),
    ...committed.replaced.map(
      (file): Issue => ({ grade: 'error', ...registered('HostObjectForeign', { file, host: 'an object of ours' }), ...at(file) }),
    ),
    ...STALE.flatMap(([list, what]) =>
      committed[list].map(
        (file): Issue => ({
          grade: 'error',
          ...registered('RenderedTreeStale', { file, package: '.' }),
          message: `${file} ${what}.`,
          remedy: 'Render the package again, and commit the tree.',
          ...at(file),
        }),
      ),
    ),
  ];
}

function ofObject(grade: Issue['grade'], row: OutOfScopeChange, reason: RefusalReason): Issue {
  const { file, document = 0, tenant } = row;
  const line = reason.line ?? row.line;
  return {
    grade,
    ...said(reason),
    object: objectName(row.subject),
    ...(file !== undefined && { source: { path: file, document, ...(line !== undefined && { line }) } }),
    ...(tenant !== undefined && { tenant }),
  };
}

function weakened({ isolation, causes }: Review): Issue[] {
  return isolation
    .filter(({ direction }) => direction === 'weaker')
    .map(({ tenant, control, before, after, causes: ids }) => ({
      grade: 'warning',
      ...registered('IsolationWeakened', { control, tenant, before, after }),
      object: `TenantCluster ${tenant}`,
      ...causePlace(causes, ids),
    }));
}

function losing({ changes, causes }: Review): Issue[] {
  return changes
    .filter(({ effects }) => effects.includes('data-deleted'))
    .map(({ host, code, reason, message, causes: ids }) => ({
      grade: 'warning',
      code,
      reason,
      message: `${message} Its data goes with it.`,
      remedy: 'Take a backup first.',
      object: objectName(host),
      ...causePlace(causes, ids),
    }));
}

/** Where the decisive edit stands. */
function causePlace(causes: Review['causes'], [decisive = '']: readonly string[]): Pick<Issue, 'source'> {
  const cause = causes.find(({ id }) => id === decisive);
  if (cause === undefined || cause.file === '') return {};
  const { file, document, line } = cause;
  return { source: { path: file, document, ...(line !== undefined && { line }) } };
}
