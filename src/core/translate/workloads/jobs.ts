import { at, objectAt, own, type Path } from '../../kube/json.ts';
import type { Edit } from '../edit.ts';
import { scopeSelector } from '../selectors.ts';
import type { Step } from '../translation.ts';

/** Labels that the API server makes for a Job and its pods, from its uid and name. In a manifest they come from a live object. */
const GENERATED = ['controller-uid', 'job-name', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name'] as const;

export const jobStep: Step = (edit, subject, ctx) => {
  if (at(edit.object, 'spec', 'manualSelector') === true) scopeSelector(edit, ['spec', 'selector'], ctx, subject.virtualNamespace);
  else generatedFields(edit, ['spec']);
  const ttl = at(edit.object, 'spec', 'ttlSecondsAfterFinished');
  if (ttl !== undefined && ttl !== null)
    edit.note('RerunAtEachSync', { source: `${subject.virtualNamespace}/${subject.name}`, ttl: String(ttl) }, [
      'spec',
      'ttlSecondsAfterFinished',
    ]);
};

export const cronJobStep: Step = (edit) => {
  // A CronJob takes no manual selector: its Jobs would share one.
  edit.remove(['spec', 'jobTemplate', 'spec', 'manualSelector'], 'rw.job');
  generatedFields(edit, ['spec', 'jobTemplate', 'spec']);
};

function generatedFields(edit: Edit, spec: Path): void {
  edit.remove([...spec, 'selector'], 'rw.job');
  const labels = objectAt(edit.object, ...spec, 'template', 'metadata', 'labels');
  if (labels === undefined) return;
  for (const key of GENERATED) if (own(labels, key) !== undefined) edit.remove([...spec, 'template', 'metadata', 'labels', key], 'rw.job');
}
