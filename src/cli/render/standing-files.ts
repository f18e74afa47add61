import type { Plan } from '../../core/plan/plan-types.ts';
import { looksOurs } from '../package/looks-ours.ts';
import type { PlannedPackage } from './plan-package.ts';

/**
 * Files that a render leaves as they last were (a frozen tenant's, those of a TenantCluster that is lost, configuration that is
 * held), with their texts. Where manifests go elsewhere they have to go along: left out, a pruning applier would remove them.
 */
export function* standingFiles({
  plan,
  loaded: { host },
  partial,
}: Pick<PlannedPackage, 'plan' | 'loaded' | 'partial'>): Generator<readonly [path: string, text: string]> {
  const folders = new Set(plan.tenants.map(({ namespace }) => namespace));
  const belongs = (path: string): boolean => !partial || folders.has(path.split('/')[0] ?? '');
  const settled = new Set([...filesOf(plan), ...plan.removed]);
  for (const [path, text] of host) if (!settled.has(path) && looksOurs(text) && belongs(path)) yield [path, text];
}

function filesOf({ shared, tenants }: Plan): readonly string[] {
  return [...shared, ...tenants.flatMap(({ files }) => files)].map(({ path }) => path);
}
