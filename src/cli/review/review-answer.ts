import type { JsonObject } from '../../core/kube/json.ts';
import { byUrgency, type CauseGroup, groupsByCause, URGENCY } from '../../core/review/order.ts';
import type { Review } from '../../core/review/review.ts';
import type { Answer, AnswerTable, TreeNode } from '../../report/answer/answer.ts';
import { objectName } from '../../report/change-words.ts';
import type { Issue } from '../../report/issues.ts';
import { plainObject } from './plain-json.ts';
import { reviewIssues } from './review-issues.ts';
import { type ReviewTextOptions, reviewText } from './review-text.ts';
import { committedVerdict, countsText, effectWords, fieldText, groupTitle, VERB_SIGN, verdict } from './review-words.ts';

/** A review for every printer. */
export function reviewAnswer(review: Review, options: ReviewTextOptions & { readonly kind: 'DiffReport' | 'WhatIfReport' }): Answer {
  const changes = [...review.changes].sort(byUrgency);
  const issues = reviewIssues(review);
  return {
    kind: options.kind,
    title: `${review.before.label} -> ${review.after.label}: ${committedVerdict(review)}${verdict(review)}`,
    // Each is made where its format is asked for: of a fleet it is large.
    get document() {
      return { summary: summary(review), ...plainObject({ ...review, changes }) };
    },
    get items() {
      return itemsOf({ ...review, changes });
    },
    get tables() {
      return [...issuesTable(issues), changesTable(review), isolationTable(review)];
    },
    get trees() {
      return [...issuesTree(issues), ...groupsByCause(review).map(groupTree)];
    },
    issues,
    text: (style) => reviewText(review, options, style),
  };
}

/** What needs attention first, then what changes; `type` says what a line is. */
function itemsOf({ committed, stops, warnings, refusals, outOfScope, changes }: Review): readonly JsonObject[] {
  const typed = (type: string, rows: readonly object[]): JsonObject[] => rows.map((row) => ({ type, ...plainObject(row) }));
  return [
    ...typed('committed', committed === undefined ? [] : [committed]),
    ...typed('stop', stops),
    ...typed('warning', warnings),
    ...typed('refusal', refusals),
    ...typed('outOfScope', outOfScope),
    ...typed('change', changes),
  ];
}

function issuePlace({ source }: Issue): string {
  return source === undefined ? '' : `${source.path}${source.line === undefined ? '' : `:${source.line}`}`;
}

function issuesTable(issues: readonly Issue[]): readonly AnswerTable[] {
  if (issues.length === 0) return [];
  const columns = [{ name: 'grade' }, { name: 'code' }, { name: 'where' }, { name: 'object' }, { name: 'what' }];
  const rows = issues.map((issue) => ({
    cells: [issue.grade, `${issue.code} ${issue.reason}`, issuePlace(issue), issue.object ?? '', issue.message],
  }));
  return [{ title: 'needs attention', columns, rows, ofIssues: true }];
}

function issuesTree(issues: readonly Issue[]): readonly TreeNode[] {
  if (issues.length === 0) return [];
  const children = issues.map(
    (issue): TreeNode => ({
      text: [issue.object, `${issue.code} ${issue.reason}`, issuePlace(issue)]
        .filter((part) => part !== undefined && part !== '')
        .join('  '),
      sign: issue.grade === 'warning' ? '?' : '!',
      children: [{ text: issue.message, children: [] }],
    }),
  );
  return [{ text: `needs attention: ${issues.length}`, children }];
}

function groupTree(group: CauseGroup): TreeNode {
  return {
    text: `${groupTitle(group)}  ${countsText(group.changes)}`,
    children: group.changes.map((change) => ({
      text: `${objectName(change.host)}  ${change.code} ${change.reason}  ${effectWords(change.effects)}`.trimEnd(),
      sign: VERB_SIGN[change.verb],
      children: change.fields.map((field) => ({ text: fieldText(field), children: [] })),
    })),
  };
}

function summary(review: Review): JsonObject {
  const verbs = (verb: string): number => review.changes.filter((change) => change.verb === verb).length;
  const directions = (direction: string): number =>
    new Set(review.isolation.filter((row) => row.direction === direction).map(({ tenant }) => tenant)).size;
  return {
    create: verbs('added'),
    update: verbs('changed'),
    delete: verbs('removed'),
    unchanged: review.unchanged,
    effects: Object.fromEntries(URGENCY.map((effect) => [effect, review.changes.filter(({ effects }) => effects.includes(effect)).length])),
    tenants: new Set(review.changes.flatMap(({ tenant }) => tenant ?? [])).size,
    isolation: { weaker: directions('weaker'), stronger: directions('stronger'), different: directions('different') },
    refusals: {
      added: review.refusals.filter(({ verb }) => verb === 'added').length,
      removed: review.refusals.filter(({ verb }) => verb === 'removed').length,
    },
    outOfScope: review.outOfScope.length,
  };
}

function changesTable(review: Review): AnswerTable {
  const causes = groupsByCause(review).flatMap((group) => group.changes.map((change) => ({ change, cause: groupTitle(group) })));
  return {
    columns: [
      { name: 'object' },
      { name: 'tenant' },
      { name: 'code' },
      { name: 'effects' },
      { name: 'cause' },
      { name: 'file', wide: true },
      { name: 'fields', wide: true },
    ],
    rows: causes
      .sort((a, b) => byUrgency(a.change, b.change))
      .map(({ change, cause }) => ({
        sign: VERB_SIGN[change.verb],
        cells: [
          `${VERB_SIGN[change.verb]} ${objectName(change.host)}`,
          change.tenant ?? '',
          `${change.code} ${change.reason}`,
          effectWords(change.effects),
          cause,
          change.host.file,
          change.fields.map((field) => fieldText(field, Number.POSITIVE_INFINITY)).join('; '),
        ],
      })),
  };
}

function isolationTable({ isolation }: Review): AnswerTable {
  return {
    title: 'isolation',
    columns: [{ name: 'tenant' }, { name: 'control' }, { name: 'before' }, { name: 'after' }, { name: 'direction' }],
    rows: isolation.map((row) => ({ cells: [row.tenant, row.control, row.before, row.after, row.direction] })),
  };
}
