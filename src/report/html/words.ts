import type { ObjectRef } from '../../core/decision/decision.ts';
import type { TenantPlan } from '../../core/plan/plan-types.ts';
import { type Outcome, tenantId } from '../tally.ts';
import { html, type Markup } from './markup.ts';
import type { ObjectModel } from './model.ts';

/** A sign, a word and a class: what colour says is said by the other two as well. */
export const OUTCOMES: Readonly<Record<Outcome, { readonly sign: string; readonly word: string; readonly means: string }>> = {
  projected: { sign: '✓', word: 'projected', means: 'written by the tenant, on the host' },
  made: { sign: '+', word: 'made', means: 'made for the tenant: boundary, names' },
  refused: { sign: '✕', word: 'refused', means: 'not on the host, and someone should act' },
  held: { sign: '‖', word: 'held', means: 'waits for a fact or for a person' },
  outOfScope: { sign: '–', word: 'out of scope', means: 'no policy covers it' },
  read: { sign: 'i', word: 'read', means: 'a fact for the render, not projected' },
  removed: { sign: '−', word: 'removed', means: 'leaves the rendered tree' },
};

export function badge(outcome: Outcome): Markup {
  const { sign, word } = OUTCOMES[outcome];
  return html`<span class="b ${outcome}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

export function named(ref: ObjectRef): string {
  return `${ref.kind} ${ref.namespace === '' ? '' : `${ref.namespace}/`}${ref.name}`;
}

/** `tenants/dev/objects/web.yaml:12` */
export function sourcePlace({ decision }: ObjectModel): string | undefined {
  const file = decision.source?.file;
  return file === undefined ? undefined : `${file.path}${file.line === undefined ? '' : `:${file.line}`}`;
}

export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** `namespace/name`, or the name alone where they are the same. */
export function tenantLabel(tenant: Pick<TenantPlan, 'namespace' | 'name'>): string {
  return tenant.namespace === tenant.name ? tenant.name : tenantId(tenant);
}

/** Stands for the id of an object in its own page, so that pages of alike objects are alike. No text can hold it: quotes are escaped. */
export const OWN_ID = '~';

export function withOwnId(page: string, id: string): string {
  return page.replaceAll('="#~', `="#${id}`).replaceAll(' id="~', ` id="${id}`);
}
