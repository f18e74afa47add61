import { objectAt, own } from '../../kube/json.ts';
import type { Step } from '../translation.ts';
import { eachContainer, podView } from './pod-view.ts';
import { dropsNothing, securityStamps } from './security-stamps.ts';

/** Stamps what Pod Security asks for and nobody set. Every container of its own mind leaves nothing for the pod to say. */
export const securityStep: Step = (edit, subject, ctx) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  const stamps = securityStamps(view.spec, ctx);
  const pod = objectAt(view.spec, 'securityContext');
  const unset = (field: string): boolean => {
    if (pod?.[field] !== undefined && pod[field] !== null) return false;
    let missing = false;
    eachContainer(view, (container) => {
      const value = objectAt(container, 'securityContext')?.[field];
      if (value === undefined || value === null) missing = true;
    });
    return missing;
  };
  if (stamps.seccomp && unset('seccompProfile'))
    edit.set([...view.base, 'securityContext', 'seccompProfile'], { type: 'RuntimeDefault' }, 'rw.security-context');
  if (stamps.runAsNonRoot && unset('runAsNonRoot'))
    edit.set([...view.base, 'securityContext', 'runAsNonRoot'], true, 'rw.security-context');
  if (!stamps.containers) return;
  eachContainer(view, (container, path) => {
    const context = objectAt(container, 'securityContext');
    const escalation = context === undefined ? undefined : own(context, 'allowPrivilegeEscalation');
    if (escalation === undefined || escalation === null)
      edit.set([...path, 'securityContext', 'allowPrivilegeEscalation'], false, 'rw.security-context');
    if (dropsNothing(context)) edit.set([...path, 'securityContext', 'capabilities', 'drop'], ['ALL'], 'rw.security-context');
  });
};
