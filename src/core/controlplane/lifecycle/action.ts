import type { KubeObject } from '../../kube/object.ts';

/** One thing to do on the host or in the tenant. Each can be repeated: a pass that was cut off anywhere is taken up by the next. */
export type Action =
  | { readonly do: 'add-finalizer' }
  | { readonly do: 'remove-finalizer' }
  /** made once, by creation alone: where it is there already, that one stays */
  | { readonly do: 'make-authorities' }
  | { readonly do: 'make-token' }
  /** server-side apply. With force where one stands that is proven ours; without it, what others make meanwhile is a conflict, and stays */
  | { readonly do: 'apply'; readonly object: KubeObject; readonly force: boolean }
  /** only the object that was seen, by its uid */
  | { readonly do: 'delete'; readonly object: KubeObject }
  | { readonly do: 'delete-secret'; readonly name: string }
  /** what the published kubeconfig's user may do, in the tenant; then the kubeconfig */
  | { readonly do: 'publish-kubeconfig'; readonly server: string; readonly serverName: string; readonly hours: number };
