import { CONTROL_PLANE_POD } from '../isolation/peers.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { controlPlaneMetadata } from './control-plane-metadata.ts';
import type { ControlPlaneSettings } from './control-plane-settings.ts';
import { controlPlaneService, TENANT_API_PORT } from './endpoint.ts';
import { memberNames } from './endpoint-names.ts';
import { EXTERNAL_SERVICE } from './names.ts';

const API = { name: 'https', protocol: 'TCP', port: TENANT_API_PORT, targetPort: TENANT_API_PORT };
/** etcd's own ports: clients and peers */
const ETCD = [
  { name: 'etcd-client', protocol: 'TCP', port: 2379, targetPort: 2379 },
  { name: 'etcd-peer', protocol: 'TCP', port: 2380, targetPort: 2380 },
];

/** How the control plane is reached: by tenants and the reconciler, by its own members, from outside. */
export function controlPlaneServices(settings: ControlPlaneSettings): readonly KubeObject[] {
  const { tenant, datastore, expose } = settings;
  return [
    // Servers that join find the first one before any is ready.
    service(settings, controlPlaneService(tenant.name), {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { ...CONTROL_PLANE_POD },
      ports: [{ ...API }],
    }),
    ...(datastore.type === 'etcd' ? memberNames(settings).map((member) => memberService(settings, member)) : []),
    ...(expose.loadBalancer
      ? [
          service(
            settings,
            EXTERNAL_SERVICE,
            { type: 'LoadBalancer', selector: { ...CONTROL_PLANE_POD }, ports: [{ ...API }] },
            expose.annotations,
          ),
        ]
      : []),
  ];
}

/**
 * An address for one etcd member that outlasts its pods. k3s knows its members by address, and one that comes back with another is none of
 * them any more (`this server is a not a member of the etcd cluster`, k3s-io/k3s#4296, #6524). The address of a pod changes with
 * each restart, that of a Service stays.
 */
function memberService(settings: ControlPlaneSettings, member: string): KubeObject {
  return service(settings, member, {
    type: 'ClusterIP',
    publishNotReadyAddresses: true,
    selector: { ...CONTROL_PLANE_POD, 'statefulset.kubernetes.io/pod-name': member },
    ports: ETCD.map((port) => ({ ...port })),
  });
}

function service(settings: ControlPlaneSettings, name: string, spec: JsonObject, annotations: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: controlPlaneMetadata(settings, name, { ...annotations }), spec };
}
