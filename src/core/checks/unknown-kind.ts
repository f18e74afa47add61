import { KINDS } from '../kube/kinds.ts';
import { misnamedKind } from '../kube/misnamed-kind.ts';
import { apiVersionOf, groupOf, type KubeObject, kindOf } from '../kube/object.ts';
import type { Refusal } from '../translate/edit.ts';

/** An object whose kind the table does not know in that version: refused where no host has it, else how to declare it. */
export function unknownKind(object: KubeObject, policy: string): Refusal {
  const apiVersion = apiVersionOf(object);
  const kind = `${apiVersion} ${kindOf(object)}`;
  const misnamed = misnamedKind(apiVersion, kindOf(object));
  if (misnamed !== undefined) return { reason: 'KindNotServed', params: { kind, fix: misnamed.fix } };
  return { reason: 'KindUnknown', params: { kind, fix: declareFix(object, policy) } };
}

function declareFix(object: KubeObject, policy: string): string {
  const known = KINDS.filter((row) => row.kind === kindOf(object)).map(({ group, versions: [first = ''] }) =>
    group === '' ? first : `${group}/${first}`,
  );
  // Knative has a Service too: only in a group of the community it is more likely the group that is wrong
  if (known.length > 0 && groupOf(apiVersionOf(object)).endsWith('.k8s.io')) return `Write apiVersion: ${known.join(' or ')}.`;
  return `If it is a custom kind, add an entry with scope, references and selectors to SyncPolicy ${policy}.`;
}
