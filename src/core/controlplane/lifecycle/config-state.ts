import { TENANT_CLUSTER } from '../../../schema/tenant-cluster.ts';
import { at, stringAt } from '../../kube/json.ts';
import { type KubeObject, kindOf } from '../../kube/object.ts';
import { assign } from '../../plan/assign.ts';
import type { InputObject, RenderConfig } from '../../plan/plan-types.ts';
import { readConfig } from '../../plan/read-config.ts';
import type { HostFacts } from '../../plan/settings.ts';
import { controlPlaneSettings } from '../control-plane-settings.ts';
import type { ConfigState } from './observation.ts';

/** What a render says of configuration is what the reconciler says of it: the same checks, in the same words. */
export function configState(
  tenantCluster: KubeObject,
  profile: KubeObject | undefined,
  policy: KubeObject | undefined,
  host: HostFacts,
): ConfigState {
  const inputs = [tenantCluster, profile, policy].flatMap((object): InputObject[] =>
    object === undefined ? [] : [{ object: asWritten(object), source: { path: `${kindOf(object)}.yaml`, document: 0 } }],
  );
  const { ready, frozen, findings } = readConfig(assign(inputs, WHOLE), host);
  const [tenant] = ready;
  const error = findings.find(({ severity }) => severity === 'error');
  const why = tenant?.frozen ?? error?.message ?? frozen[0]?.frozen;
  if (tenant === undefined || tenant.frozen !== undefined) {
    const known = (['ProfileMissing', 'PolicyMissing', 'ModeNotImplemented'] as const).find((reason) => reason === error?.reason);
    return { ready: false, reason: known ?? 'Invalid', message: why ?? 'It is not legal.' };
  }
  return {
    ready: true,
    settings: controlPlaneSettings(tenantCluster, host),
    delivery: stringAt(tenantCluster, 'spec', 'delivery') === 'controller' ? 'controller' : 'git',
    kubeconfigHours: Number(
      at(tenantCluster, 'spec', 'controlPlane', 'kubeconfig', 'hours') ??
        TENANT_CLUSTER.spec.properties.controlPlane.properties.kubeconfig.properties.hours.default,
    ),
  };
}

/** As it stands in Git: what a render put on it marks its own output, which is no input. */
function asWritten({ apiVersion, kind, metadata, spec }: KubeObject): KubeObject {
  const [name, namespace] = [stringAt(metadata, 'name'), stringAt(metadata, 'namespace')];
  const named = { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    metadata: named,
    ...(spec !== undefined && { spec }),
  };
}

const WHOLE: RenderConfig = { output: { config: 'include', shards: 1 }, host: {}, allowEmpty: true, scope: 'everything' };
