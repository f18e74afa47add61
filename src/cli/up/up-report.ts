import { at, type JsonObject, objectsOf, stringAt } from '../../core/kube/json.ts';
import type { KubeObject } from '../../core/kube/object.ts';
import { fullName } from '../kubeconfig/find-tenant.ts';
import type { Stage } from './stages.ts';

export interface UpReport {
  readonly host: string;
  readonly applied: readonly Stage[];
  readonly leader: string | undefined;
  /** as they were read last */
  readonly tenants: readonly KubeObject[];
  readonly late: readonly KubeObject[];
}

/** `up -o json` */
export function upDocument({ host, applied, leader, tenants, late }: UpReport): JsonObject {
  const lateNames = new Set(late.map(fullName));
  return {
    apiVersion: 'report.tenantplane.io/v1alpha1',
    kind: 'UpReport',
    host,
    applied: applied.map(({ name, objects }) => ({ name, objects: objects.length })),
    leader: leader ?? null,
    tenants: tenants.map((tenant) => {
      const ready = objectsOf(at(tenant, 'status', 'conditions')).find(({ type }) => type === 'Ready');
      const status = (field: string): string | null => stringAt(tenant, 'status', field) ?? null;
      return {
        tenant: fullName(tenant),
        ready: !lateNames.has(fullName(tenant)),
        phase: status('phase'),
        reason: stringAt(ready, 'reason') ?? null,
        message: stringAt(ready, 'message') ?? null,
        kubernetesVersion: status('kubernetesVersion'),
        endpoint: status('endpoint'),
        externalEndpoint: status('externalEndpoint'),
      };
    }),
  };
}
