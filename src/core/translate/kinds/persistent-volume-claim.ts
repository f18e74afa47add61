import { claimRefusals } from '../../checks/claim.ts';
import { shapeRefusals } from '../../checks/shape.ts';
import { objectAt } from '../../kube/json.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import type { KindTranslation } from '../translation.ts';
import { referTo } from './reference.ts';

/** A claim to copy from. The API server fills one field from the other, so both are translated. */
function translateSources(edit: Edit, subject: Subject, ctx: TenantContext): void {
  for (const field of ['dataSource', 'dataSourceRef']) {
    referTo(edit, ['spec', field, 'name'], ctx, 'PersistentVolumeClaim', subject.virtualNamespace);
  }
}

export const persistentVolumeClaim: KindTranslation = {
  key: 'PersistentVolumeClaim',
  checks: [
    { id: 'shape.PersistentVolumeClaim', run: (subject) => shapeRefusals(subject.object['spec'], 'PersistentVolumeClaimSpec', ['spec']) },
    { id: 'persistentvolumeclaim.spec', run: (subject, ctx) => claimRefusals(objectAt(subject.object, 'spec') ?? {}, ['spec'], ctx) },
  ],
  steps: [translateSources],
};
