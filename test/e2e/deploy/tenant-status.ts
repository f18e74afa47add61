import type { JsonObject } from '../../../src/core/kube/json.ts';
import type { Cluster } from '../../bed/cluster.ts';
import { get, kubectl } from '../delivery/host.ts';

/** A condition as a test writes it: type, status and reason in one line, as in `Ready=True Succeeded`. */
export type Said = `${string}=${'True' | 'False' | 'Unknown'} ${string}`;

/** A status as the reconciler writes it. */
export function statusOf(observedGeneration: number, phase: string, said: readonly Said[]): JsonObject {
  const conditions = said.map((line) => {
    const [, type = '', status = '', reason = ''] = /^(\w+)=(\w+) (\w+)$/.exec(line) ?? [];
    return { type, status, reason, message: `${reason} it is.`, observedGeneration, lastTransitionTime: '2026-01-01T00:00:00Z' };
  });
  return { observedGeneration, phase, conditions };
}

/** What the reconciler would do: writes the whole status, of the generation that stands. */
export async function writeStatus(cluster: Cluster, phase: string, said: readonly Said[]): Promise<void> {
  const tenant = ['tenantcluster', 'dev', '-n', 'team-dev'];
  const { metadata } = await get<{ metadata: { generation: number } }>(cluster, tenant);
  const patch = [{ op: 'add', path: '/status', value: statusOf(metadata.generation, phase, said) }];
  await kubectl(cluster, ['patch', ...tenant, '--subresource=status', '--type=json', '-p', JSON.stringify(patch)]);
}
