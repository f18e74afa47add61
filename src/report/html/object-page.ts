import { html, type Markup, NOTHING } from './markup.ts';
import { masked, maskedSource } from './mask.ts';
import type { ObjectModel } from './model.ts';
import { type ChangedLine, type Run, sideBySide } from './side-by-side.ts';
import { traceBlock } from './trace-block.ts';
import { named, OWN_ID, plural, sourcePlace } from './words.ts';
import { yamlLines } from './yaml-lines.ts';

/** All that is known of one object: where it comes from, why it is or is not there, both sides, and every rule that was looked at. */
export function objectPage(object: ObjectModel): Markup {
  const { decision } = object;
  return html`<div class="page">${lineage(object)}<p><strong class="code">${decision.code} ${decision.reason}</strong> ${decision.message}${
    decision.remedy !== '' && html` <span class="do"><b>What to do:</b> ${decision.remedy}</span>`
  }</p>${notes(object)}${sides(object)}${traceBlock(object)}</div>`;
}

/** From the line in Git to the file that is applied, as a chain that can be read aloud, copied and printed. */
function lineage(object: ObjectModel): Markup {
  const { decision, outcome } = object;
  const there = decision.action !== 'Skip' && decision.action !== 'Delete' && decision.host !== undefined;
  const steps: (readonly [string, readonly string[]])[] = [
    ...(decision.source === undefined
      ? []
      : [['in Git', [sourcePlace(object) ?? '']] as const, ['tenant object', [named(decision.source)]] as const]),
    ['decided by', decision.causes.length > 0 ? decision.causes : [decision.code]],
    ...(there && decision.host !== undefined
      ? [['host object', [named(decision.host)]] as const, ['rendered to', [`host/${decision.host.file}`]] as const]
      : [['host object', [outcome === 'removed' ? 'removed' : 'none']] as const]),
  ];
  return html`<ol class="lineage" aria-label="Lineage">${steps.map(
    ([title, items]) => html`<li><b>${title}</b>${items.map((item) => html`<code>${item}</code>`)}</li>`,
  )}</ol>`;
}

function notes({ decision }: ObjectModel): Markup {
  if (decision.notes.length === 0) return NOTHING;
  return html`<ul class="notes">${decision.notes.map(
    (note) =>
      html`<li class="${note.severity}"><b class="code">${note.code} ${note.reason}</b> ${note.message}${
        note.remedy !== '' && html` <span class="do">${note.remedy}</span>`
      }</li>`,
  )}</ul>`;
}

function sides(object: ObjectModel): Markup {
  const host = object.host?.object;
  const { source, outcome } = object;
  if (source !== undefined && host !== undefined && outcome === 'projected') {
    const runs = sideBySide(maskedSource(source, host), masked(host), object.decision.fields);
    return html`<div class="sides"><div class="heads" aria-hidden="true"><span>as the tenant wrote it</span><span>as the host gets it</span><span>why</span></div>${runs.map(
      (run) => runMarkup(run),
    )}</div>`;
  }
  const alone = host === undefined ? source && maskedSource(source, undefined) : masked(host);
  if (alone === undefined) return NOTHING;
  const title = host === undefined ? 'as the tenant wrote it' : 'as the host gets it';
  return html`<details class="fold"><summary>${title}, ${plural(yamlLines(alone).length, 'line')}</summary>${pre(yamlLines(alone).map(({ text }) => text))}</details>`;
}

/** Unchanged lines are printed once. A longer run keeps its ends, so that a change is seen where it stands. */
const CONTEXT = 2;

function runMarkup(run: Run): Markup {
  if ('changed' in run) return html`${parted(run.changed).map((lines) => changedLines(lines))}`;
  const { same } = run;
  if (same.length <= 2 * CONTEXT + 2) return pre(same);
  const middle = same.slice(CONTEXT, -CONTEXT);
  return html`${pre(same.slice(0, CONTEXT))}<details class="fold"><summary>${plural(middle.length, 'unchanged line')}</summary>${pre(middle)}</details>${pre(same.slice(-CONTEXT))}`;
}

function pre(lines: readonly string[]): Markup {
  return html`<pre class="same">${lines.map((line, index) => html`${index > 0 && NEW_LINE}${line}`)}</pre>`;
}

const NEW_LINE: Markup = { markup: '\n' };

/** Labels and annotations of ours are many on every projection, and no news on any. */
const MANY_IDENTITY = 3;

function isIdentity({ tenant, rule }: ChangedLine): boolean {
  return tenant === undefined && rule === 'rw.identity';
}

/** Lines in pieces: long runs of identity metadata, and all that is not in one. */
function parted(lines: readonly ChangedLine[]): readonly (readonly ChangedLine[])[] {
  const parts: ChangedLine[][] = [[]];
  for (let index = 0; index < lines.length; ) {
    const end = lines.findIndex((line, other) => other >= index && !isIdentity(line));
    const identity = lines.slice(index, end < 0 ? lines.length : end);
    if (identity.length > MANY_IDENTITY) parts.push([...identity], []);
    else parts.at(-1)?.push(...identity);
    index += identity.length;
    const other = lines[index];
    if (other !== undefined) parts.at(-1)?.push(other);
    index += 1;
  }
  return parts.filter((part) => part.length > 0);
}

function changedLines(lines: readonly ChangedLine[]): Markup {
  const table = changedTable(lines);
  if (lines.length <= MANY_IDENTITY || !lines.every(isIdentity)) return table;
  return html`<details class="fold"><summary>${plural(lines.length, 'line')} of identity metadata</summary>${table}</details>`;
}

/** A reason that holds for several lines in a row stands beside all of them, once. */
function changedTable(lines: readonly ChangedLine[]): Markup {
  const first = (index: number): boolean => index === 0 || lines[index - 1]?.rule !== lines[index]?.rule;
  const span = (index: number): number => {
    const next = lines.findIndex((_, other) => other > index && first(other));
    return (next < 0 ? lines.length : next) - index;
  };
  return html`<table class="diff"><colgroup><col><col><col class="why"></colgroup><thead class="vh"><tr><th scope="col">tenant</th><th scope="col">host</th><th scope="col">why</th></tr></thead><tbody>${lines.map(
    ({ tenant, host, rule }, index) =>
      html`<tr>${side('was', '−', tenant)}${side('is', '+', host)}${first(index) && reason(rule, span(index))}</tr>`,
  )}</tbody></table>`;
}

function reason(rule: ChangedLine['rule'], span: number): Markup {
  const chip = rule !== undefined && html`<a class="chip" href="#${OWN_ID}-${rule}">${rule.slice('rw.'.length)}</a>`;
  return html`<td class="by"${span > 1 && html` rowspan="${String(span)}"`}>${chip}</td>`;
}

function side(name: string, sign: string, line: string | undefined): Markup {
  if (line === undefined) return html`<td></td>`;
  return html`<td class="${name}"><span class="vh">${sign} </span>${line}</td>`;
}
