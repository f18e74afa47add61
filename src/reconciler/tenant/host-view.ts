import type { KubeObject } from '../../core/kube/object.ts';
import type { ObjectStore } from '../../kube/reflector/object-store.ts';

/** What is known of the host without asking it: copies that reflectors keep, by the plural of their kind. */
export interface HostView {
  store(plural: string): ObjectStore;
}

export function inNamespace(view: HostView, plural: string, namespace: string): readonly KubeObject[] {
  return [...view.store(plural).inNamespace(namespace)];
}
