import { nearest } from '../../schema/nearest.ts';
import { KINDS } from '../kube/kinds.ts';
import { apiVersionOf, groupOf, type KubeObject, kindOf } from '../kube/object.ts';

/** What to do about an object whose kind the table does not know in that version: what it was probably meant to be, or how to declare it. */
export function unknownKindFix(object: KubeObject, policy: string): string {
  const kind = kindOf(object);
  const apiVersion = apiVersionOf(object);
  const name = KINDS.some((row) => row.kind === kind)
    ? kind
    : nearest(
        kind,
        KINDS.map((row) => row.kind),
      );
  const known = KINDS.filter((row) => row.kind === name).map(({ group, versions }) =>
    group === '' ? (versions[0] ?? '') : `${group}/${versions[0] ?? ''}`,
  );
  // Knative has a Service too: only in Kubernetes' own groups it is the version that is wrong.
  const own = /^(?:[a-z]*|.*\.k8s\.io)$/.test(groupOf(apiVersion));
  // A near name is a misspelling only in the group of the kind that it is near to; elsewhere it is another's kind.
  if (name !== undefined && known.length > 0 && (name === kind ? own : known.includes(apiVersion))) {
    const [first = ''] = known;
    return name === kind ? `Write apiVersion: ${known.join(' or ')}.` : `Did you mean kind ${name} of ${first}?`;
  }
  return `If it is a custom kind, add an entry with scope, references and selectors to SyncPolicy ${policy}.`;
}
