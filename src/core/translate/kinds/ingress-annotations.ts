import { annotationsOf } from '../../kube/object.ts';
import type { Subject, TenantContext } from '../../plan/tenant-context.ts';
import type { Edit } from '../edit.ts';
import { hostNameFor } from './reference.ts';

/** Annotations whose value names an object, as `name` or `namespace/name` (reference of each controller; some are read on Services too). */
const OBJECT_ANNOTATIONS: Readonly<Record<string, string>> = {
  'nginx.ingress.kubernetes.io/auth-secret': 'Secret',
  'nginx.ingress.kubernetes.io/auth-tls-secret': 'Secret',
  'nginx.ingress.kubernetes.io/proxy-ssl-secret': 'Secret',
  'nginx.ingress.kubernetes.io/default-backend': 'Service',
  'nginx.ingress.kubernetes.io/auth-proxy-set-headers': 'ConfigMap',
  'nginx.ingress.kubernetes.io/custom-headers': 'ConfigMap',
  'nginx.ingress.kubernetes.io/fastcgi-params-configmap': 'ConfigMap',
  ...both(
    ['haproxy-ingress.github.io', 'ingress.kubernetes.io'],
    ['auth-secret', 'auth-tls-secret', 'secure-crt-secret', 'secure-verify-ca-secret'],
  ),
  ...both(['haproxy.org', 'haproxy.com'], ['auth-secret', 'client-ca', 'server-ca', 'server-crt']),
  ...both(['nginx.org', 'nginx.com'], ['basic-auth-secret', 'jwt-key']),
  'konghq.com/client-cert': 'Secret',
};

/** The same names of Secrets under each of some domains. */
function both(domains: readonly string[], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(domains.flatMap((domain) => names.map((name) => [`${domain}/${name}`, 'Secret'])));
}
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
