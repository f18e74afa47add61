import { finding } from '../decision/finding.ts';
import type { Finding } from './plan-types.ts';
import type { Source } from './tenant-context.ts';

/** An Application has some 360 bytes for each object in its status, and etcd takes 1.5 MB: some 4,000. */
const APPLICATION_LIMIT = 3500;

/** @param count objects of the tenant, in all its shards: one Application takes them together */
export function tenantTooLarge(tenant: string, count: number, source: Source): readonly Finding[] {
  if (count <= APPLICATION_LIMIT) return [];
  return [finding('TenantTooLarge', { tenant, count: String(count), limit: String(APPLICATION_LIMIT) }, source, { tenant })];
}

/** @param folder of the tree, `config` or `platform`: a fleet has a copy of each TenantCluster in the one, and may have a FlowSchema in the other */
export function sharedTooLarge(folder: string, count: number): readonly Finding[] {
  if (count <= APPLICATION_LIMIT) return [];
  const params = { folder: `host/${folder}`, count: String(count), limit: String(APPLICATION_LIMIT) };
  return [finding('SharedTooLarge', params, { path: `host/${folder}`, document: 0 })];
}
