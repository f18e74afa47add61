import { reasonOf } from '../../core/decision/reasons.ts';
import type { Effect, HostChange, OutOfScopeChange, Review } from '../../core/review/review.ts';
import { COMMITTED_WORDS, capital, committedMend, committedTitle, isolatedWords, pair, short } from '../change-words.ts';
import { markdownText, markupText } from '../escape.ts';
import { plural } from '../text.ts';
import type { Section } from './budget.ts';
import { andOr, causeKey, causesOf, causesText, code, fieldsDiff, grouped, objectName, SIGNS } from './words.ts';

const LONGEST_SENTENCE = 600;

/** In the order in which a reviewer should see them. */
export function sectionsOf(review: Review, names: number): readonly Section[] {
  return [
    committedSection(review, names),
    stoppedSection(review),
    refusalSection(review, names),
    ...EFFECTS.slice(0, 2).map((row) => effectSection(review, row, names)),
    isolationSection(review),
    ...EFFECTS.slice(2).map((row) => effectSection(review, row, names)),
    outOfScopeSection(review, names),
    causeTable(review),
    causeDetails(review, names),
    goneRefusalSection(review, names),
  ].filter(({ groups }) => groups.length > 0);
}

const EFFECTS: readonly (readonly [Effect, string])[] = [
  ['data-deleted', 'Deletes data'],
  ['deleted', 'Deletes'],
  ['isolation-weaker', 'Weakens isolation'],
  ['recreated', 'Deletes and makes again'],
  ['restarted', 'Restarts'],
  ['cluster-scoped', 'Changes for the whole cluster'],
  ['quota', 'Changes quotas'],
];

/** What is applied is the tree, so what it has of its own comes before what its package says. */
function committedSection({ committed }: Review, names: number): Section {
  const lists = committed === undefined ? [] : COMMITTED_WORDS.map(([key, what]) => [what, committed[key]] as const);
  const groups = lists.flatMap(([what, files]) =>
    files.length === 0 ? [] : [`* ${plural(files.length, 'file')} ${what}\n${list(files, names, code)}`],
  );
  const mend = committed === undefined ? '' : `\n${committedMend(committed)}\n`;
  return {
    what: 'lists of files of the committed tree',
    head: committed === undefined ? '' : `\n**${capital(committedTitle(committed))}**\n\n`,
    groups: groups.length === 0 ? [] : [...groups, mend],
  };
}

function stoppedSection({ stopped, frozen, stops, warnings }: Review): Section {
  const groups = [
    ...(stopped === undefined ? [] : [`* **Nothing would be rendered.** ${sentence(stopped)}\n`]),
    ...frozen.map(({ tenant, why }) => `* ${code(tenant)} is frozen, its own objects stay as they last were: ${sentence(why)}\n`),
    ...[...stops, ...warnings].map(
      (stop) => `* ${placeText(stop)} ${markdownText(`${stop.code} ${stop.reason}`)}: ${sentence(stop.message)} ${sentence(stop.remedy)}\n`,
    ),
  ];
  return { what: 'frozen tenants', head: '\n**Stopped**\n\n', groups };
}

function refusalSection({ refusals }: Review, names: number): Section {
  const added = refusals.filter(({ verb }) => verb === 'added');
  // an object stands under each reason of its own, since each has to be mended
  const groups = reasonGroups(
    added.flatMap((row) => [row, ...row.also.map((other) => ({ ...row, ...other }))]),
    names,
  );
  return { what: 'kinds of refusals', head: `\n**Refused or held: ${plural(added.length, 'object')}**\n\n`, groups };
}

function outOfScopeSection({ outOfScope }: Review, names: number): Section {
  const groups = reasonGroups(outOfScope, names);
  return { what: 'kinds of what is out of scope', head: `\n**Newly out of scope: ${plural(outOfScope.length, 'object')}**\n\n`, groups };
}

function reasonGroups(rows: readonly OutOfScopeChange[], names: number): readonly string[] {
  return grouped(rows, ({ code: number, reason }) => `${number} ${reason}`).map(([key, all]) => {
    const [first] = all;
    const said = first === undefined ? '' : `${sentence(first.message)} ${sentence(first.remedy)}`.trim();
    return `* **${plural(all.length, 'object')}: ${markdownText(key)}.** ${said}\n${list(all, names, refusalText)}`;
  });
}

function goneRefusalSection({ refusals }: Review, names: number): Section {
  const gone = refusals.filter(({ verb }) => verb === 'removed');
  return { what: 'lists', head: '\n**No longer refused**\n\n', groups: gone.length === 0 ? [] : [list(gone, names, refusalText)] };
}

function effectSection(review: Review, [effect, title]: readonly [Effect, string], names: number): Section {
  const causes = causesOf(review);
  const changes = review.changes.filter(({ effects }) => effects.includes(effect));
  const groups = grouped(changes, causeKey).map(([, all]) => {
    const head = `* ${plural(all.length, 'object')} by ${causesText(all[0]?.causes, causes)}`;
    // what is gone is named; of the rest, which stands by cause below, a few will do
    if (effect === 'deleted' || effect === 'data-deleted') return `${head}\n${list(all, names, changeText)}`;
    return `${head}: ${kindsText(all)}\n`;
  });
  return { what: `causes under “${title}”`, head: `\n**${title}: ${plural(changes.length, 'object')}**\n\n`, groups };
}

/** `20 Deployment, 3 Namespace and 2 more kinds` */
function kindsText(changes: readonly HostChange[]): string {
  const kinds = grouped(changes, ({ host }) => host.kind).map(([kind, all]) => `${all.length} ${code(kind)}`);
  return some(kinds, 4, ' kinds');
}

/** What `code` holds whole, with what says that it is cut. */
const LONGEST_CONTROL = 290;

function isolationSection(review: Review): Section {
  const causes = causesOf(review);
  const reason = `${reasonOf('IsolationWeakened').code} IsolationWeakened`;
  const weaker = review.isolation.filter(({ direction }) => direction === 'weaker');
  const same = grouped(weaker, (row) => JSON.stringify([row.control, row.before, row.after, causeKey(row)]));
  const groups = same.flatMap(([, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { control, before, after } = first;
    const tenants = all.map(({ tenant }) => code(tenant));
    const [was, is] = pair(before, after, LONGEST_CONTROL);
    return [`* ${code(control)} ${code(was)} → ${code(is)} by ${causesText(first.causes, causes)}: ${some(tenants, 5)}\n`];
  });
  return {
    what: 'weaker controls',
    head: `\n**Weaker isolation: ${isolatedWords(weaker.map(({ tenant }) => tenant))}** (${code(reason)})\n\n`,
    groups,
  };
}

function causeTable(review: Review): Section {
  const causes = causesOf(review);
  const groups = byCause(review).map(([, all]) => {
    const count = (verb: HostChange['verb']): string => String(all.filter((change) => change.verb === verb).length);
    const tenants = new Set(all.map(({ tenant }) => tenant ?? '(shared)')).size;
    return `| ${causesText(all[0]?.causes, causes, true)} | ${tenants} | ${count('added')} | ${count('changed')} | ${count('removed')} |\n`;
  });
  return { what: 'causes in the table', head: '\n| cause | tenants | + | ~ | - |\n|---|--:|--:|--:|--:|\n', groups };
}

/** One example for all that changes alike, then names. */
function causeDetails(review: Review, names: number): Section {
  const few = review.changes.length <= 3;
  const groups = byCause(review).map(([, all]) => {
    const example =
      all.find(({ fields, tenant }) => fields.length > 0 && tenant !== undefined) ?? all.find(({ fields }) => fields.length > 0);
    const shown = example === undefined ? '' : `For one, ${code(objectName(example.host))}:\n\n${fieldsDiff(example.fields)}\n`;
    const ids = (all[0]?.causes ?? []).map((id) => `<code>${markupText(short(id, 200))}</code>`);
    const summary = `<summary>${plural(all.length, 'object')} by ${andOr(ids)}</summary>`;
    const body = `\n\n${list(all, names, changeText)}\n${shown}</details>\n`;
    return few ? `\n${list(all, names, changeText)}\n${shown}` : `<details>${summary}${body}`;
  });
  return { what: 'lists of objects', head: '\n', groups };
}

function byCause({ changes }: Review): readonly (readonly [string, readonly HostChange[]])[] {
  return grouped(changes, causeKey);
}

function changeText({ verb, host, tenant, code: reasonCode, reason }: HostChange): string {
  return `\`${SIGNS[verb]}\` ${owner(tenant)}${code(objectName(host))} ${markdownText(`${reasonCode} ${reason}`)}`;
}

function refusalText(row: OutOfScopeChange): string {
  return `${owner(row.tenant)}${code(objectName(row.subject))} ${placeText(row)}`.trimEnd();
}

function placeText({ file, line }: { readonly file?: string; readonly line?: number }): string {
  return file === undefined ? '' : code(line === undefined ? file : `${file}:${line}`);
}

function owner(tenant: string | undefined): string {
  return tenant === undefined ? '' : `${code(tenant)}: `;
}

function sentence(text: string): string {
  return markdownText(short(text, LONGEST_SENTENCE));
}

function list<Item>(items: readonly Item[], most: number, textOf: (item: Item) => string): string {
  const shown = items.slice(0, items.length <= most + 1 ? most + 1 : most).map((item) => `  * ${textOf(item)}\n`);
  return shown.join('') + (shown.length < items.length ? `  * … and ${items.length - shown.length} more\n` : '');
}

function some(items: readonly string[], most: number, what = ''): string {
  return items.slice(0, most).join(', ') + (items.length > most ? ` and ${items.length - most} more${what}` : '');
}
