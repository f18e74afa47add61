import { KEY } from '../../identity/metadata.ts';
import { asArray, asString, isObject, type Json, type JsonObject, objectAt, own, type Path } from '../../kube/json.ts';
import type { Subject } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import { hostLabelKey } from '../labels.ts';
import type { Step } from '../translation.ts';
import { eachContainer, podView } from './pod-view.ts';
import { tenantAccount } from './service-account.ts';

/** What a field of the pod becomes: another field, or for an environment variable a value. */
type View = { readonly fieldPath: string } | { readonly value: string } | 'as it is';

/**
 * The tenant's view of what the downward API shows. The virtual namespace stands in a label of every projected pod; the label form is
 * legal in env and in volumes alike. Addresses and the node's name are the host's and stay.
 */
export const downwardApiStep: Step = (edit, subject) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  eachContainer(view, (container, path) => {
    const env = asArray(container['env']) ?? [];
    for (let index = 0; index < env.length; index += 1) {
      const fieldRef = objectAt(env[index], 'valueFrom', 'fieldRef');
      if (fieldRef === undefined) continue;
      const shown = tenantView(edit, subject, fieldRef, [...path, 'env', index, 'valueFrom', 'fieldRef']);
      if (shown === 'as it is') continue;
      if ('fieldPath' in shown) edit.set([...path, 'env', index, 'valueFrom', 'fieldRef', 'fieldPath'], shown.fieldPath, 'rw.downward-api');
      else {
        edit.remove([...path, 'env', index, 'valueFrom'], 'rw.downward-api');
        edit.set([...path, 'env', index, 'value'], shown.value, 'rw.downward-api');
      }
    }
  });
  const volumes = asArray(own(view.spec, 'volumes')) ?? [];
  for (let index = 0; index < volumes.length; index += 1) {
    const volume = volumes[index];
    if (!isObject(volume)) continue;
    const path = [...view.base, 'volumes', index];
    items(edit, subject, objectAt(volume, 'downwardAPI')?.['items'], [...path, 'downwardAPI', 'items']);
    (asArray(objectAt(volume, 'projected')?.['sources']) ?? []).forEach((source, at) => {
      items(edit, subject, objectAt(source, 'downwardAPI')?.['items'], [...path, 'projected', 'sources', at, 'downwardAPI', 'items']);
    });
  }
};

function items(edit: Edit, subject: Subject, list: Json | undefined, path: Path): void {
  (asArray(list) ?? []).forEach((item, index) => {
    const fieldRef = objectAt(item, 'fieldRef');
    if (fieldRef === undefined) return;
    const shown = tenantView(edit, subject, fieldRef, [...path, index, 'fieldRef']);
    if (shown !== 'as it is' && 'fieldPath' in shown)
      edit.set([...path, index, 'fieldRef', 'fieldPath'], shown.fieldPath, 'rw.downward-api');
  });
}

const SUBSCRIPT = /^metadata\.(labels|annotations)\['([^']*)'\]$/;

function tenantView(edit: Edit, subject: Subject, fieldRef: JsonObject, path: Path): View {
  const fieldPath = asString(fieldRef['fieldPath']) ?? '';
  switch (fieldPath) {
    case 'metadata.namespace':
      return { fieldPath: `metadata.labels['${KEY.virtualNamespace}']` };
    case 'metadata.name':
      // A pod of its own has its name in an annotation; others are named on the host, and that is the name they are called by.
      if (subject.key === 'Pod') return { fieldPath: `metadata.annotations['${KEY.virtualName}']` };
      edit.note(
        'HostNetworkAlias',
        { field: fieldPath, why: 'a controller of the host names the pod, and peers know it by that name' },
        path,
      );
      return 'as it is';
    case 'spec.serviceAccountName':
      return { value: tenantAccount(subject) };
  }
  const match = SUBSCRIPT.exec(fieldPath);
  const key = match?.[2];
  if (key === undefined) return 'as it is';
  if (match?.[1] === 'labels') return { fieldPath: `metadata.labels['${hostLabelKey(key)}']` };
  return annotationView(edit, subject, key, path);
}

/**
 * An annotation that did not pass the allow-list is not on the host's pod: in a variable its value stands as it was written. Our own
 * annotations are no tenant's to read.
 */
function annotationView(edit: Edit, subject: Subject, key: string, path: Path): View {
  const meta = subject.row.podMeta ?? [];
  if (hostLabelKey(key) === key && own(objectAt(edit.object, ...meta, 'annotations'), key) !== undefined) return 'as it is';
  const inEnv = path.at(-2) === 'valueFrom';
  if (inEnv) return { value: asString(own(objectAt(subject.object, ...meta, 'annotations'), key)) ?? '' };
  return { fieldPath: `metadata.annotations['${hostLabelKey(key)}']` };
}
