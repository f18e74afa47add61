import { KEY, MANAGED_BY } from '../../identity/metadata.ts';
import { objectAt, type Path } from '../../kube/json.ts';
import { annotationsOf, type KubeObject, labelsOf, nameOf, stringMap } from '../../kube/object.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import { narrowPolicy } from '../../translate/kinds/narrow-peers.ts';

/**
 * Whether a NetworkPolicy is a projection of the tenant's own: by labels, by annotations, and by the name that these give it. Each alone
 * anybody may write.
 */
export function isProjectedPolicy(policy: KubeObject, ctx: TenantContext): boolean {
  const [labels, annotations] = [labelsOf(policy), annotationsOf(policy)];
  const [namespace, name] = [annotations.get(KEY.virtualNamespace), annotations.get(KEY.virtualName)];
  return (
    namespace !== undefined &&
    name !== undefined &&
    labels.get(KEY.managedBy) === MANAGED_BY &&
    labels.get(KEY.tenant) === ctx.tenantLabel &&
    labels.get(KEY.virtualNamespace) === namespace &&
    labels.get(KEY.kind) === 'networkpolicy' &&
    annotations.get(KEY.tenantCluster) === `${ctx.tenant.namespace}/${ctx.tenant.name}` &&
    nameOf(policy) === ctx.hostName('NetworkPolicy.networking.k8s.io', namespace, name).name
  );
}

/** Where such a policy admits more than any projection may: others' pods, addresses that are closed to the tenant, pods of another of its namespaces. */
export function opensBeyond(policy: KubeObject, ctx: TenantContext): readonly Path[] {
  const selected = stringMap(objectAt(policy, 'spec', 'podSelector', 'matchLabels'));
  const own =
    selected.get(KEY.tenant) === ctx.tenantLabel && selected.get(KEY.virtualNamespace) === annotationsOf(policy).get(KEY.virtualNamespace);
  const narrowed = narrowPolicy(policy, ctx);
  const rules = (['ingress', 'egress'] as const).filter(
    (field) =>
      narrowed !== undefined && JSON.stringify(objectAt(narrowed, 'spec')?.[field]) !== JSON.stringify(objectAt(policy, 'spec')?.[field]),
  );
  return [...(own ? [] : [['spec', 'podSelector']]), ...rules.map((field) => ['spec', field])];
}
