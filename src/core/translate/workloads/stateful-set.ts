import { asArray, asString, at, isObject, objectAt } from '../../kube/json.ts';
import { templateMetadata } from '../pod/claim-template.ts';
import { eachReference, type ReferenceRow, referenceTree, rewriteReference } from '../pod/references.ts';
import type { Step } from '../translation.ts';

const REFERENCES: readonly ReferenceRow[] = [
  { path: 'serviceName', kind: 'Service' },
  { path: 'volumeClaimTemplates[*].spec.dataSource.name', kind: 'PersistentVolumeClaim' },
  { path: 'volumeClaimTemplates[*].spec.dataSourceRef.name', kind: 'PersistentVolumeClaim' },
];
const TREE = referenceTree(REFERENCES);

/**
 * Claim templates keep their names: volumeMounts and the claims of a running set depend on them. Claims outlive their set unless the
 * tenant's volumes are pruned, since with `Delete` a claim that Git made dies with the set.
 */
export const statefulSetStep: Step = (edit, subject, ctx) => {
  eachReference(TREE, at(edit.object, 'spec'), ['spec'], (holder, field, kind, path) => {
    rewriteReference(edit, subject, ctx, { path, kind, name: asString(holder[field]) ?? '', optional: false });
  });
  (asArray(at(edit.object, 'spec', 'volumeClaimTemplates')) ?? []).forEach((template, index) => {
    if (!isObject(template)) return;
    templateMetadata(edit, ['spec', 'volumeClaimTemplates', index, 'metadata'], subject, ctx, 'fixed');
    edit.remove(['spec', 'volumeClaimTemplates', index, 'status'], 'rw.strip-server-fields');
  });
  const retention = objectAt(edit.object, 'spec', 'persistentVolumeClaimRetentionPolicy');
  if (retention === undefined || ctx.tenant.pruneVolumes) return;
  for (const field of ['whenDeleted', 'whenScaled'] as const)
    edit.set(['spec', 'persistentVolumeClaimRetentionPolicy', field], 'Retain', 'rw.storage');
};
