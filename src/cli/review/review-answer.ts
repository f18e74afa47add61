import { fill, reasonOf } from '../../core/decision/reasons.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { byUrgency, type CauseGroup, groupsByCause, URGENCY } from '../../core/review/order.ts';
import type { Review } from '../../core/review/review.ts';
import type { Answer, AnswerTable, TreeNode } from '../../report/answer/answer.ts';
import { objectName } from '../../report/change-words.ts';
import type { Issue } from '../../report/issues.ts';
import { plainObject } from './plain-json.ts';
import { type ReviewTextOptions, reviewText } from './review-text.ts';
import { countsText, effectWords, fieldText, groupTitle, VERB_SIGN, verdict } from './review-words.ts';

/** A review for every printer. */
export function reviewAnswer(review: Review, options: ReviewTextOptions & { readonly kind: 'DiffReport' | 'WhatIfReport' }): Answer {
  const changes = [...review.changes].sort(byUrgency);
  return {
    kind: options.kind,
    title: `${review.before.label} -> ${review.after.label}: ${verdict(review)}`,
    // Each is made where its format is asked for: of a fleet it is large.
    get document() {
      return { summary: summary(review), ...plainObject({ ...review, changes }) };
    },
    get items() {
      return changes.map(plainObject);
    },
    get tables() {
      return [changesTable(review), isolationTable(review)];
    },
    get trees() {
      return groupsByCause(review).map(groupTree);
    },
    issues: issues(review),
    text: (style) => reviewText(review, options, style),
  };
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
          change.fields.map(fieldText).join('; '),
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

/** What a person has to look at: what would be refused, isolation that weakens, data that goes. */
function issues(review: Review): Issue[] {
  const weakened = reasonOf('IsolationWeakened');
  const places = new Map(
    review.causes.map((cause) => [
      cause.id,
      { path: cause.file, document: cause.document, ...(cause.line !== undefined && { line: cause.line }) },
    ]),
  );
  const at = (causes: readonly string[]): Pick<Issue, 'source'> => {
    const source = places.get(causes[0] ?? '');
    return source === undefined || source.path === '' ? {} : { source };
  };
  return [
    ...review.refusals
      .filter(({ verb }) => verb === 'added')
      .map(
        ({ code, reason, message, remedy, subject, causes }): Issue => ({
          grade: 'refused',
          code,
          reason,
          message,
          remedy,
          object: objectName(subject),
          ...at(causes),
        }),
      ),
    ...review.isolation
      .filter(({ direction }) => direction === 'weaker')
      .map(
        ({ tenant, control, before, after, causes }): Issue => ({
          grade: 'warning',
          code: weakened.code,
          reason: 'IsolationWeakened',
          message: fill(weakened.message, { control, tenant, before, after }),
          remedy: weakened.remedy,
          object: `TenantCluster ${tenant}`,
          ...at(causes),
        }),
      ),
    ...review.changes
      .filter(({ effects }) => effects.includes('data-deleted'))
      .map(
        ({ host, code, reason, message, causes }): Issue => ({
          grade: 'warning',
          code,
          reason,
          message: `${message} Its data goes with it.`,
          remedy: 'Take a backup first.',
          object: objectName(host),
          ...at(causes),
        }),
      ),
  ];
}
