import type { KubeObject } from '../kube/object.ts';
import { AUDIT_POLICY, AUDIT_POLICY_FILE } from './audit-policy.ts';
import { controlPlaneMetadata } from './control-plane-metadata.ts';
import type { ControlPlaneSettings } from './control-plane-settings.ts';
import type { KubernetesRelease } from './kubernetes-versions.ts';
import { BEGUN_FILE, CONFIG_MAP } from './names.ts';
import { controlPlaneServices } from './services.ts';
import { controlPlaneStatefulSet } from './stateful-set.ts';

export interface ControlPlaneInput {
  readonly settings: ControlPlaneSettings;
  readonly release: KubernetesRelease;
  /** digest of the public certificates */
  readonly authorities: string;
  /** when its pods were last asked to start anew, RFC 3339 */
  readonly restartedAt?: string;
  /** whether its API has ever answered: an etcd that is not there then is lost, and not yet to come */
  readonly begun?: boolean;
}

/** Everything in a control plane's namespace but secret material and what Git brings, in the order in which it is applied. */
export function controlPlaneObjects(input: ControlPlaneInput): readonly KubeObject[] {
  const { settings, begun = false } = input;
  return [
    ...controlPlaneServices(settings),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: controlPlaneMetadata(settings, CONFIG_MAP),
      data: {
        [AUDIT_POLICY_FILE]: `${JSON.stringify(AUDIT_POLICY, undefined, 2)}\n`,
        ...(begun && settings.datastore.type === 'etcd' && { [BEGUN_FILE]: 'true' }),
      },
    },
    controlPlaneStatefulSet(input),
  ];
}
