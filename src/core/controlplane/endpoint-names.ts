import type { ControlPlaneSettings } from './control-plane-settings.ts';
import { controlPlaneService } from './endpoint.ts';
import { CONTROL_PLANE } from './names.ts';

/** `control-plane-0`, …: pods, and the Services of etcd's members. */
export function memberNames({ replicas }: Pick<ControlPlaneSettings, 'replicas'>): readonly string[] {
  return Array.from({ length: replicas }, (_, ordinal) => `${CONTROL_PLANE}-${ordinal}`);
}

/** The full name of the control plane's Service. */
export function serviceAddress({ tenant, namespace, clusterDomain }: ControlPlaneSettings): string {
  return `${controlPlaneService(tenant.name)}.${namespace}.svc.${clusterDomain}`;
}

/** The full name of one server, which lasts as long as its volume. */
export function memberAddress(settings: ControlPlaneSettings, member: string): string {
  return `${member}.${serviceAddress(settings)}`;
}

/**
 * Names in the certificate that the API server shows, beside those that k3s adds (`kubernetes.default…`, loopback, the pod's address).
 * Every server is called by its own name when another joins it.
 */
export function servingNames(settings: ControlPlaneSettings): readonly string[] {
  const service = controlPlaneService(settings.tenant.name);
  const { namespace, clusterDomain } = settings;
  return [
    ...new Set([
      service,
      `${service}.${namespace}`,
      `${service}.${namespace}.svc`,
      `${service}.${namespace}.svc.${clusterDomain}`,
      ...memberNames(settings).map((member) => memberAddress(settings, member)),
      ...settings.extraTLSSANs,
    ]),
  ];
}
