import { objectsOf, stringAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import { isExpired, type Result } from '../failure.ts';
import { sendJson } from '../transport/send-json.ts';
import type { Transport } from '../transport/transport.ts';
import { acceptOf, kept, type Selection, selectionPath } from './selection.ts';

/** A whole list, and the version from which a watch sees everything that comes after it. */
export interface WholeList {
  readonly objects: readonly KubeObject[];
  readonly resourceVersion: string;
}

const PAGE = 500;

/**
 * Lists everything as it was at one moment, in pages. Where that moment was forgotten before the last page it begins again, then in one page; where
 * a page is too large to be taken, with half as many objects in it.
 * @param page objects in a page
 */
export async function listAll(
  transport: Transport,
  selection: Selection,
  signal: AbortSignal,
  page: number = PAGE,
): Promise<Result<WholeList>> {
  const objects: KubeObject[] = [];
  let token = '';
  for (;;) {
    const path = selectionPath(selection, { limit: page > 0 ? page : undefined, continue: token === '' ? undefined : token });
    const answer = await sendJson(transport, { path, accept: acceptOf(selection, 'list'), signal });
    if ('failure' in answer) {
      const { failure } = answer;
      if (failure.kind === 'too-large' && page > 1) return listAll(transport, selection, signal, Math.floor(page / 2));
      // 0: no pages, so that nothing can be forgotten in between
      if (isExpired(failure) && token !== '') return listAll(transport, selection, signal, 0);
      return answer;
    }
    for (const item of objectsOf(answer.value['items'])) objects.push(kept(item, selection));
    token = stringAt(answer.value, 'metadata', 'continue') ?? '';
    if (token === '') return { value: { objects, resourceVersion: stringAt(answer.value, 'metadata', 'resourceVersion') ?? '' } };
  }
}
