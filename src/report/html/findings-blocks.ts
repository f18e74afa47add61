import type { OutOfScopeChange, RefusalChange, RefusalReason, Review } from '../../core/review/review.ts';
import { COMMITTED_WORDS, capital, committedMend, committedTitle } from '../change-words.ts';
import { folded } from './folded.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { named, plural } from './words.ts';

/** What is beyond folds. */
const SHOWN = 12;

/** What a person has to look at before what changes, as `diff` and the comment have it: the committed tree, then what stops or freezes. */
export function stopBlocks({ committed, stopped, frozen, stops, warnings }: Review): Markup {
  const lists = COMMITTED_WORDS.flatMap(([key, words]) => {
    const files = committed?.[key] ?? [];
    return files.length === 0
      ? []
      : [html`<p>${plural(files.length, 'file')} ${words}</p>${folded(files, SHOWN, (file) => html`<li>${place(file)}</li>`, 'file')}`];
  });
  return html`${
    committed !== undefined &&
    lists.length > 0 &&
    html`<h3 class="table-h">${capital(committedTitle(committed))}</h3>${lists}<p class="do">${committedMend(committed)}</p>`
  }${
    (stopped !== undefined || frozen.length + stops.length + warnings.length > 0) &&
    html`<h3 class="table-h">Stopped</h3>${stopped !== undefined && html`<p class="frozen"><b>Nothing would be rendered.</b> ${stopped}</p>`}${
      frozen.length > 0 &&
      folded(
        frozen,
        SHOWN,
        ({ tenant, why }) =>
          html`<li><span class="b held">‖ frozen</span> ${tenant} <span class="msg">its own objects stay as they last were: ${why}</span></li>`,
        'frozen tenant',
      )
    }${
      stops.length > 0 &&
      folded(
        stops,
        SHOWN,
        (stop) => html`<li><span class="b error">✕ error</span> ${said(stop)} ${place(stop.file, stop.line)}</li>`,
        'mistake',
      )
    }${
      warnings.length > 0 &&
      folded(
        warnings,
        SHOWN,
        (warning) => html`<li><span class="b warning">? warning</span> ${said(warning)} ${place(warning.file, warning.line)}</li>`,
        'warning',
      )
    }`
  }`;
}

/** What is refused or held now and was not, or the other way round, and what reaches no host, each with all that is wrong with it. */
export function refusalBlocks({ refusals, outOfScope }: Review): Markup {
  return html`${refusals.length > 0 && html`<h3 class="table-h">Refusals</h3>${folded(refusals, SHOWN, refusal, 'refusal')}`}${
    outOfScope.length > 0 &&
    html`<h3 class="table-h">Newly out of scope</h3>${folded(
      outOfScope,
      SHOWN,
      (row) => html`<li><span class="b outOfScope">– out of scope</span> ${subject(row)} ${said(row)} ${placeOf(row)}</li>`,
      'object',
    )}`
  }`;
}

function refusal(row: RefusalChange): Markup {
  const isNew = row.verb === 'added';
  return html`<li><span class="b ${isNew ? 'refused' : 'projected'}">${isNew ? '✕ now refused' : '✓ no longer refused'}</span> ${subject(row)} ${said(row)} ${placeOf(row)}${
    row.also.length > 0 &&
    html`<ul class="said">${row.also.map((other) => html`<li>${said(other)}${other.line !== row.line && html` ${placeOf({ ...row, ...other })}`}</li>`)}</ul>`
  }</li>`;
}

function subject({ subject: ref, tenant }: OutOfScopeChange): Markup {
  return html`${named(ref)}${tenant !== undefined && html` <span class="meta">${tenant}</span>`}`;
}

function said({ code, reason, message, remedy }: RefusalReason): Markup {
  return html`<span class="code">${code} ${reason}</span> <span class="msg">${message}${remedy !== '' && html` <span class="do">${remedy}</span>`}</span>`;
}

function placeOf({ file, line }: Pick<OutOfScopeChange, 'file' | 'line'>): Markup {
  return file === undefined ? NOTHING : place(file, line);
}

function place(file: string, line?: number): Markup {
  return html`<code class="place">${file}${line !== undefined && `:${line}`}</code>`;
}
