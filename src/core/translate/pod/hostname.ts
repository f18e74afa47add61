import { asString, own } from '../../kube/json.ts';
import type { Step } from '../translation.ts';
import { podView } from './pod-view.ts';

/** A pod of its own keeps the host name it has in the tenant, as the kubelet would make it from its name. */
export const hostnameStep: Step = (edit, subject) => {
  const view = podView(edit, subject);
  if (view === undefined) return;
  if (subject.key === 'Pod' && (asString(own(view.spec, 'hostname')) ?? '') === '') {
    const hostname = subject.name.replaceAll('.', '-').slice(0, 63).replace(/-+$/, '');
    if (hostname !== '') edit.set([...view.base, 'hostname'], hostname, 'rw.dns');
  }
  // A full name of a host's Service, pod and namespace is easily longer than the 64 characters that Linux takes.
  if (own(view.spec, 'setHostnameAsFQDN') === true) edit.set([...view.base, 'setHostnameAsFQDN'], false, 'rw.dns');
};
