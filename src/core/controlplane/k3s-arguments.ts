import { AUDIT_POLICY_FILE } from './audit-policy.ts';
import type { ControlPlaneSettings } from './control-plane-settings.ts';
import { servingNames } from './endpoint-names.ts';
import { TOKEN_KEY } from './names.ts';

/** Where things stand inside the container. */
export const PATH = {
  data: '/data',
  kubeconfig: '/data/k3s.yaml',
  authorities: '/authorities',
  token: '/etc/tenantplane/token',
  config: '/etc/tenantplane/config',
  /** k3s reads its own configuration there; an etcd member's is written by its init container */
  k3sConfig: '/etc/rancher',
} as const;

/** What k3s brings for clusters with nodes. Here pods run on the host, and what they need is the host's or ours. */
const ADD_ONS = ['coredns', 'servicelb', 'traefik', 'local-storage', 'metrics-server'];

/**
 * Controllers of the controller manager that would work on nodes and volumes of the tenant API. There are none: claims are bound
 * on the host, and a second binder would undo what is mirrored from there.
 */
const WITHOUT = [
  'node-ipam-controller',
  'node-lifecycle-controller',
  'persistentvolume-binder-controller',
  'persistentvolume-attach-detach-controller',
  'persistentvolume-expander-controller',
];

/**
 * Arguments of `k3s`. Without an agent it needs no root (k3s refuses another user only with one), runs no pods and opens one port. The
 * scheduler is off: there are no nodes to choose from, and its only work would be an event of failure for each pod; the host's
 * scheduler places what is projected. `$(POD_IP)` is the pod's, filled in by the kubelet.
 */
export function k3sArguments(settings: ControlPlaneSettings): readonly string[] {
  return [
    'server',
    '--disable-agent',
    `--data-dir=${PATH.data}`,
    `--token-file=${PATH.token}/${TOKEN_KEY}`,
    `--write-kubeconfig=${PATH.kubeconfig}`,
    '--write-kubeconfig-mode=0600',
    `--disable=${ADD_ONS.join(',')}`,
    '--disable-scheduler',
    '--disable-cloud-controller',
    '--disable-helm-controller',
    '--disable-kube-proxy',
    '--disable-network-policy',
    '--flannel-backend=none',
    // webhooks and aggregated APIs are called directly: there is no agent that a tunnel could end at
    '--egress-selector-mode=disabled',
    // from the first start: what is stored before is stored in the clear
    '--secrets-encryption',
    '--advertise-address=$(POD_IP)',
    ...addresses(settings),
    '--tls-san-security=true',
    ...servingNames(settings).map((name) => `--tls-san=${name}`),
    ...(settings.serviceCIDR === undefined ? [] : [`--service-cidr=${settings.serviceCIDR}`]),
    ...(settings.podCIDR === undefined ? [] : [`--cluster-cidr=${settings.podCIDR}`]),
    `--kube-apiserver-arg=audit-policy-file=${PATH.config}/${AUDIT_POLICY_FILE}`,
    '--kube-apiserver-arg=audit-log-path=-',
    // tokens of ServiceAccounts last as long as was asked for
    '--kube-apiserver-arg=service-account-extend-token-expiration=false',
    `--kube-controller-manager-arg=controllers=${['*', 'tokencleaner', ...WITHOUT.map((name) => `-${name}`)].join(',')}`,
  ];
}

/**
 * An etcd member is called by its Service's address, which its init container finds out (`start-scripts.ts`), and listens on the pod's own.
 * Peers check a certificate against the address that the call comes from, so it names the pod's as well.
 */
function addresses({ datastore }: ControlPlaneSettings): readonly string[] {
  if (datastore.type !== 'etcd') return ['--node-ip=$(POD_IP)'];
  return [
    `--config=${PATH.k3sConfig}/member.yaml`,
    '--tls-san=$(POD_IP)',
    '--etcd-arg=listen-client-urls=https://0.0.0.0:2379',
    '--etcd-arg=listen-peer-urls=https://0.0.0.0:2380',
  ];
}
