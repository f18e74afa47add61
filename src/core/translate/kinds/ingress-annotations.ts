import { annotationsOf } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import { hostNameFor } from './reference.ts';

/** Annotations whose value names an object, as `name` or `namespace/name` (documentation of ingress-nginx, annotations). */
const OBJECT_ANNOTATIONS: Readonly<Record<string, string>> = {
  'nginx.ingress.kubernetes.io/auth-secret': 'Secret',
  'nginx.ingress.kubernetes.io/auth-tls-secret': 'Secret',
  'nginx.ingress.kubernetes.io/proxy-ssl-secret': 'Secret',
  'nginx.ingress.kubernetes.io/default-backend': 'Service',
  'nginx.ingress.kubernetes.io/auth-proxy-set-headers': 'ConfigMap',
  'nginx.ingress.kubernetes.io/custom-headers': 'ConfigMap',
  'nginx.ingress.kubernetes.io/fastcgi-params-configmap': 'ConfigMap',
};
const REFERENCE = /^(?:([a-z0-9-]+)\/)?([a-z0-9.-]+)$/;

/** What passed the allow-list and names an object is rewritten; what cannot be read as such a name is left out. */
export function translateObjectAnnotations(edit: Edit, subject: Subject, ctx: TenantContext): void {
  for (const [key, value] of annotationsOf(edit.object)) {
    const targetKind = Object.hasOwn(OBJECT_ANNOTATIONS, key) ? OBJECT_ANNOTATIONS[key] : undefined;
    if (targetKind === undefined) continue;
    const path = ['metadata', 'annotations', key];
    const [match, namespace, name] = REFERENCE.exec(value) ?? [];
    if (match === undefined || name === undefined) {
      edit.remove(path, 'rw.reference');
      edit.note('TenantMetadataDropped', { key, why: `its value names no ${targetKind}` }, path);
      continue;
    }
    const virtualNamespace = namespace ?? subject.virtualNamespace;
    edit.refer({ path, targetKind, name, virtualNamespace, optional: false });
    const host = hostNameFor(ctx, targetKind, virtualNamespace, name);
    edit.set(path, namespace === undefined ? host : `${ctx.tenant.namespace}/${host}`, 'rw.reference');
  }
}
