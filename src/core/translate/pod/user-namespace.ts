import { own } from '../../kube/json.ts';
import type { Step } from '../translation.ts';
import { podView } from './pod-view.ts';
import { isWindows } from './security-stamps.ts';

/** Gives a pod a user namespace of its own, so that root in it is nobody on the node (KEP-127). Windows has none. */
export const userNamespaceStep: Step = (edit, subject, ctx) => {
  if (ctx.profile.userNamespaces === 'off') return;
  const view = podView(edit, subject);
  if (view === undefined || isWindows(view.spec)) return;
  const asked = own(view.spec, 'hostUsers');
  if (asked === undefined || asked === null) edit.set([...view.base, 'hostUsers'], false, 'rw.user-namespace');
};
