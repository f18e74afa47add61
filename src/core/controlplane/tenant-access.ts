// STUB
import type { KubeObject } from '../kube/object.ts';
export const PEOPLE = { user: 'tenantplane:admin', groups: ['tenantplane:admins'] };
export function tenantAccess(): readonly KubeObject[] {
  return [];
}
