import { RECONCILER } from '../../src/core/isolation/reconciler.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { LABELS, PORT, SELECTOR } from './labels.ts';

/** Seconds in which it finishes what it began after SIGTERM, and then tells what is to be told and gives its Lease back; the kubelet kills it after both. */
const [DRAIN, LAST] = [25, 15];

export const DEPLOYMENT: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: RECONCILER.name, namespace: RECONCILER.namespace, labels: { ...LABELS } },
  spec: {
    replicas: 2,
    revisionHistoryLimit: 3,
    selector: { matchLabels: { ...SELECTOR } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: { labels: { ...LABELS }, annotations: { 'kubectl.kubernetes.io/default-container': 'reconciler' } },
      spec: {
        serviceAccountName: RECONCILER.name,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: DRAIN + LAST,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65532,
          runAsGroup: 65532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: { ...SELECTOR } },
            matchLabelKeys: ['pod-template-hash'],
          },
        ],
        // not a second constraint: the scheduler then counts no node that has no zone, and both replicas may share one
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 100,
                podAffinityTerm: { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { ...SELECTOR } } },
              },
            ],
          },
        },
        containers: [container()],
      },
    },
  },
};

function container(): JsonObject {
  return {
    name: 'reconciler',
    image: 'tenantplane',
    args: ['reconciler'],
    env: [
      // V8 sizes its heap by the node, not by the limit below: told, it collects instead of being killed
      { name: 'NODE_OPTIONS', value: '--max-old-space-size=384' },
      field('POD_NAME', 'metadata.name'),
      field('POD_NAMESPACE', 'metadata.namespace'),
    ],
    ports: [
      { name: 'metrics', containerPort: PORT.metrics },
      { name: 'health', containerPort: PORT.health },
    ],
    startupProbe: { ...probe('/healthz'), periodSeconds: 1, failureThreshold: 30 },
    livenessProbe: { ...probe('/healthz'), periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 5, failureThreshold: 2 },
    // no limit of CPU: a leader that is throttled loses its Lease
    resources: { requests: { cpu: '100m', memory: '192Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  };
}

function field(name: string, fieldPath: string): JsonObject {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

function probe(path: string): JsonObject {
  return { httpGet: { path, port: 'health' }, timeoutSeconds: 2 };
}
