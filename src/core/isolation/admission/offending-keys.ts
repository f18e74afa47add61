import { KEY } from '../../identity/metadata.ts';
import { every, some, text } from './cel.ts';
import { managedByUs, OURS_BY_KEY, TOLD, truth } from './reserved-keys.ts';

/**
 * CEL of the keys of labels and annotations for which an object is refused: lists, so that a message can name one.
 *
 * What stays as it was is asked first, which costs little whatever the key: a kubelet reports on pods whose makers no rule looked
 * at, and would be refused for the cost of their labels. It is not left alone instead: metadata can be written through a status.
 */

const UPDATE = `request.operation == 'UPDATE'`;
const LABELS = 'object.metadata.labels';
const OLD_LABELS = 'oldObject.metadata.labels';

/**
 * Operators copy the labels of what they own. Anybody may name an owner, so that excuses only labels by which nothing is recognised
 * as ours: for that it takes annotations, which no owner excuses. Pods are looked at all the same.
 */
const COPIED = [
  `request.resource.resource != 'pods'`,
  `(k == ${text(KEY.kind)} || k == ${text(KEY.managedBy)})`,
  `has(object.metadata.ownerReferences)`,
  `object.metadata.ownerReferences.exists(o, has(o.controller) && o.controller)`,
] as const;

// A namespace that gains or loses the role is refused for that.
const TENANTS = `${UPDATE} && has(${OLD_LABELS}) && '${KEY.role}' in ${OLD_LABELS}`;
const BOUNDARY = `${OURS_BY_KEY} || (k.startsWith('pod-security.kubernetes.io/') && (${TENANTS}))`;

/** As variables of a policy. */
export const OFFENDING_KEYS: Readonly<Record<string, string>> = {
  reservedkeys: [
    added('labels', `!${OURS_BY_KEY} && !(${managedByUs(LABELS)})`, [truth(LABELS), `k == '${KEY.virtualNamespace}'`, every(COPIED)]),
    lost('labels', OURS_BY_KEY),
    lost('labels', managedByUs(OLD_LABELS), [`${LABELS}[k] == ${OLD_LABELS}[k]`]),
    added('annotations', `!${OURS_BY_KEY}`),
    lost('annotations', OURS_BY_KEY),
  ].join(' + '),
  toolkeys: [added('labels', `!(${TOLD})`), lost('labels', TOLD), added('annotations', `!(${TOLD})`), lost('annotations', TOLD)].join(
    ' + ',
  ),
  namespacekeys: [
    added('labels', `!(${BOUNDARY})`),
    lost('labels', BOUNDARY),
    added('annotations', `!${OURS_BY_KEY}`),
    lost('annotations', OURS_BY_KEY),
  ].join(' + '),
};

type Keys = 'reservedkeys' | 'toolkeys' | 'namespacekeys';

export function none(keys: Keys): string {
  return `size(variables.${keys}) == 0`;
}

/** The first of them by name, for the message; that is worked out for what is admitted, too. */
export function first(keys: Keys): string {
  return `${none(keys)} ? '' : variables.${keys}.min()`;
}

/** Keys of entries that were not there before: `free` says which keys anyone may write. */
function added(map: 'labels' | 'annotations', free: string, also: readonly string[] = []): string {
  const now = `object.metadata.${map}`;
  const before = `oldObject.metadata.${map}`;
  const unchanged = every([UPDATE, `has(${before})`, `k in ${before}`, `${before}[k] == ${now}[k]`]);
  return `(${every(['has(object.metadata)', `has(${now})`])} ? ${now}.filter(k, !(${some([unchanged, free, ...also])})) : [])`;
}

/** Keys of such entries that were there before and are no more. */
function lost(map: 'labels' | 'annotations', reserved: string, as: readonly string[] = []): string {
  const now = `object.metadata.${map}`;
  const before = `oldObject.metadata.${map}`;
  const still = every([`has(${now})`, `k in ${now}`, ...as]);
  const there = every([UPDATE, 'has(oldObject.metadata)', `has(${before})`]);
  return `(${there} ? ${before}.filter(k, !(${some([still, `!(${reserved})`])})) : [])`;
}
