import { asArray, isObject, objectAt, own, type Path } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import { type AnnotationPlace, filterAnnotations } from '../annotations.ts';
import type { Edit } from '../edit.ts';
import { translateLabels } from '../labels.ts';
import type { Step } from '../translation.ts';
import { podView } from './pod-view.ts';

/**
 * Metadata of a template from which the host makes claims: labels are re-keyed, annotations of a volume's pass only where the
 * profile lists them (a legacy one names a storage class), those of a set's never, the rest but the name is dropped. Nothing of ours is added: what a set or a
 * volume stamps out cannot be changed later.
 */
export function templateMetadata(edit: Edit, path: Path, subject: Subject, ctx: TenantContext, annotations: AnnotationPlace): void {
  const metadata = objectAt(edit.object, ...path);
  if (metadata === undefined) return;
  for (const key of Object.keys(metadata)) {
    if (key === 'name' || key === 'labels' || key === 'annotations') continue;
    edit.remove([...path, key], 'rw.strip-server-fields');
  }
  translateLabels(edit, [...path, 'labels'], ctx, subject.virtualNamespace);
  filterAnnotations(edit, [...path, 'annotations'], ctx, annotations);
}

/** Claims that the host makes for ephemeral volumes. */
export const ephemeralVolumesStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  (asArray(own(view.spec, 'volumes')) ?? []).forEach((volume, index) => {
    if (isObject(volume) && objectAt(volume, 'ephemeral', 'volumeClaimTemplate') !== undefined)
      templateMetadata(edit, [...view.base, 'volumes', index, 'ephemeral', 'volumeClaimTemplate', 'metadata'], subject, ctx, 'object');
  });
};

/** Only the API of a running pod takes ephemeral containers; in a manifest the API server refuses them. */
export const ephemeralContainersStep: Step = (edit, subject) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const list = own(view.spec, 'ephemeralContainers');
  if (list === undefined) return;
  const path = [...view.base, 'ephemeralContainers'];
  if ((asArray(list) ?? []).length > 0) edit.note('EphemeralContainersDropped', {}, path);
  edit.remove(path, 'rw.strip-server-fields');
};
