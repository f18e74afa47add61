import type { Severity } from '../../core/decision/reasons.ts';
import { isRefusal } from '../tally.ts';
import type { Links } from './links.ts';
import { html, type Markup } from './markup.ts';
import type { ObjectModel, ReportModel } from './model.ts';
import { named, plural, sourcePlace } from './words.ts';

interface Entry {
  readonly code: string;
  readonly reason: string;
  readonly grade: 'error' | 'refused' | 'held' | 'warning';
  readonly message: string;
  readonly remedy: string;
  readonly place: string;
  readonly tenant: string;
  readonly object?: ObjectModel;
}

/** What keeps an object off the host and what someone should look at, by code, the worst first, each with what to do. */
export function attentionSection(model: ReportModel, links: Links, most: number = Number.POSITIVE_INFINITY): Markup {
  const entries = [
    ...findings(model),
    ...model.tenants.flatMap(({ label, objects }) => objects.flatMap((object) => entriesOf(object, label))),
    ...model.shared.flatMap((object) => entriesOf(object, '')),
  ];
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = `${GRADES.indexOf(entry.grade)} ${entry.code}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  return html`<section id="attention" aria-labelledby="attention-h"><h2 id="attention-h">Refusals and warnings</h2>${
    sorted.length === 0
      ? html`<p class="lead">Nothing is refused or held, and there is no warning.</p>`
      : sorted.map((group) => groupBlock(group, links, most))
  }</section>`;
}

const GRADES: readonly Entry['grade'][] = ['error', 'refused', 'held', 'warning'];
const SIGNS: Readonly<Record<Entry['grade'], string>> = { error: '✕ error', refused: '✕ refused', held: '‖ held', warning: '? warning' };
/** A longer group folds what is beyond. */
const SHOWN = 12;

function findings({ findings: found }: ReportModel): Entry[] {
  return found
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, reason, severity, message, remedy, source, tenant }) => ({
      code,
      reason,
      grade: gradeOf(severity),
      message,
      remedy,
      place: `${source.path}${source.line === undefined ? '' : `:${source.line}`}`,
      tenant: tenant ?? '',
    }));
}

function entriesOf(object: ObjectModel, tenant: string): Entry[] {
  const { decision, outcome } = object;
  const common = { place: sourcePlace(object) ?? decision.host?.file ?? '', tenant, object };
  const notes = decision.notes.filter((note) => note.severity !== 'info');
  if (isRefusal(decision)) {
    const grade = outcome === 'held' ? 'held' : 'refused';
    return [decision, ...notes.filter(({ message }) => message !== decision.message)].map((said) => ({
      ...saidOf(said),
      grade,
      ...common,
    }));
  }
  const own = decision.severity !== 'info' ? [decision] : [];
  return [...own, ...notes].map((said) => ({ ...saidOf(said), grade: gradeOf(said.severity), ...common }));
}

function saidOf({
  code,
  reason,
  message,
  remedy,
}: Pick<Entry, 'code' | 'reason' | 'message' | 'remedy'>): Pick<Entry, 'code' | 'reason' | 'message' | 'remedy'> {
  return { code, reason, message, remedy };
}

function gradeOf(severity: Severity): Entry['grade'] {
  return severity === 'error' ? 'error' : 'warning';
}

function groupBlock(entries: readonly Entry[], links: Links, most: number): Markup {
  const [first] = entries;
  if (first === undefined) return html``;
  const { code, reason, grade } = first;
  // one sentence for all, where all can be mended alike
  const remedy = entries.every((entry) => entry.remedy === first.remedy) ? first.remedy : undefined;
  const rest = entries.slice(SHOWN, most);
  const left = entries.length - Math.min(entries.length, SHOWN) - rest.length;
  const line = (entry: Entry): Markup => item(entry, remedy === undefined, links);
  return html`<article class="code-group"><h3><span class="b ${grade}">${SIGNS[grade]}</span> <span class="code">${code} ${reason}</span> ${entries.length > 1 && html`<span class="meta">${plural(entries.length, 'time')}</span>`}</h3>${
    remedy !== undefined && remedy !== '' && html`<p class="do"><b>What to do:</b> ${remedy}</p>`
  }<ul class="said">${entries.slice(0, SHOWN).map(line)}</ul>${
    rest.length > 0 && html`<details class="fold"><summary>${rest.length} more</summary><ul class="said">${rest.map(line)}</ul></details>`
  }${left > 0 && html`<p class="meta">${`${left.toLocaleString('en-US')} more`}: the pages of tenants list their own.</p>`}</article>`;
}

function item({ object, tenant, place, message, remedy }: Entry, withRemedy: boolean, links: Links): Markup {
  return html`<li>${object !== undefined && html`<a href="${links.object(object)}">${named(object.ref)}</a> `}${tenant !== '' && html`<span class="meta">${tenant}</span> `}<span class="msg">${message}${withRemedy && remedy !== '' && html` <span class="do">${remedy}</span>`}</span> <code class="place">${place}</code></li>`;
}
