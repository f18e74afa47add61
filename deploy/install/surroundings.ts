import { KEY } from '../../src/core/identity/metadata.ts';
import { CONTROL_PLANE_POD } from '../../src/core/isolation/peers.ts';
import { RECONCILER } from '../../src/core/isolation/reconciler.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { LABELS, PORT, SCRAPER, SELECTOR } from './labels.ts';

export const METRICS_SERVICE: string = `${RECONCILER.name}-metrics`;

export const NAMESPACE: JsonObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: RECONCILER.namespace,
    labels: {
      'app.kubernetes.io/part-of': 'tenantplane',
      ...Object.fromEntries(['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted'])),
    },
  },
};

export const ACCOUNT: JsonObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own(RECONCILER.name) };

export const DISRUPTION_BUDGET: JsonObject = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: own(RECONCILER.name),
  // one that is not ready must not hold up a node that is drained
  spec: { maxUnavailable: 1, selector: { matchLabels: { ...SELECTOR } }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
};

export const SERVICE: JsonObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: own(METRICS_SERVICE),
  spec: {
    // each replica is scraped by itself
    clusterIP: 'None',
    selector: { ...SELECTOR },
    ports: [{ name: 'metrics', port: PORT.metrics, targetPort: 'metrics', protocol: 'TCP' }],
  },
};

/** Ports are pods' and nodes': a policy sees traffic after the Service's translation. */
export const NETWORK_POLICY: JsonObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: own(RECONCILER.name),
  spec: {
    podSelector: { matchLabels: { ...SELECTOR } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { ...SCRAPER } } }], ports: [tcp(PORT.metrics)] }],
    egress: [
      // no peer: the host's API server is no pod that a manifest could know
      { ports: [tcp(443), tcp(6443)] },
      {
        to: [
          {
            namespaceSelector: { matchLabels: { [KEY.role]: 'control-plane' } },
            podSelector: { matchLabels: { ...CONTROL_PLANE_POD } },
          },
        ],
        ports: [tcp(6443)],
      },
      {
        to: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
            podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
          },
        ],
        ports: [{ protocol: 'UDP', port: 53 }, tcp(53)],
      },
    ],
  },
};

function own(name: string): JsonObject {
  return { name, namespace: RECONCILER.namespace, labels: { ...LABELS } };
}

function tcp(port: number): JsonObject {
  return { protocol: 'TCP', port };
}
