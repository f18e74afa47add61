import { X509Certificate } from 'node:crypto';
import { controlPlaneNamespace } from '../../core/isolation/control-plane-namespace.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../core/kube/object.ts';
import type { TenantKubeconfig } from '../../reconciler/pki/tenant-kubeconfig.ts';
import { fullName } from './find-tenant.ts';

/** `kubeconfig -o json`: all about it, and nothing that is in it but the address. */
export function kubeconfigDocument(
  tenant: KubeObject,
  { server, certificate }: TenantKubeconfig,
  { file, problem }: { readonly file: string; readonly problem: string | undefined },
): JsonObject {
  return {
    apiVersion: 'report.tenantplane.io/v1alpha1',
    kind: 'KubeconfigReport',
    tenant: fullName(tenant),
    controlPlaneNamespace: controlPlaneNamespace(nameOf(tenant), namespaceOf(tenant) ?? ''),
    file,
    server,
    expires: new Date(new X509Certificate(certificate).validTo).toISOString(),
    ready: problem === undefined,
    problem: problem ?? null,
  };
}
