import { k3sImageName } from '../../bed/k3s-image.ts';
import type { Authorities } from './authorities.ts';

export interface Wanted {
  readonly namespace: string;
  readonly version: string;
  readonly authorities: Authorities;
  readonly token: string;
  /** after those that every server has */
  readonly args?: readonly string[];
  readonly env?: readonly object[];
}

/** A control plane as tenants have it, under the strictest Pod Security. By hand: what is tried with it is the bed. */
export function controlPlane({ namespace, version, authorities, token, args = [], env = [] }: Wanted): readonly object[] {
  const image = k3sImageName(version);
  const labels = { app: 'control-plane' };
  const named = (kind: string, name: string, rest: object): object => ({ apiVersion: 'v1', kind, metadata: { name, namespace }, ...rest });
  const mounts = { data: '/data', tmp: '/tmp', run: '/run', log: '/var/log', home: '/home/k3s' };
  const volumeMounts = Object.entries(mounts).map(([name, mountPath]) => ({ name, mountPath }));
  const files = Object.keys(authorities);
  return [
    named('Namespace', namespace, { metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } }),
    named('Secret', 'control-plane-authorities', {
      stringData: Object.fromEntries(Object.entries(authorities).map(([file, pem]) => [file.replaceAll('/', '.'), pem])),
    }),
    named('Secret', 'control-plane-token', { stringData: { token } }),
    named('Service', 'control-plane', {
      spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector: labels, ports: [{ name: 'https', port: 6443 }] },
    }),
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'control-plane', namespace },
      spec: {
        serviceName: 'control-plane',
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            terminationGracePeriodSeconds: 30,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 65532,
              runAsGroup: 65532,
              fsGroup: 65532,
              fsGroupChangePolicy: 'OnRootMismatch',
              seccompProfile: { type: 'RuntimeDefault' },
            },
            initContainers: [
              {
                name: 'authorities',
                image,
                command: ['/bin/sh', '-ec', COPY],
                securityContext: CONTAINER,
                volumeMounts: [
                  { name: 'data', mountPath: '/data' },
                  { name: 'authorities', mountPath: '/authorities', readOnly: true },
                ],
              },
            ],
            containers: [
              {
                name: 'k3s',
                image,
                args: [...ARGS, `--tls-san=control-plane.${namespace}.svc`, ...args],
                env: [...ENV, ...env],
                ports: [{ name: 'https', containerPort: 6443 }],
                startupProbe: { httpGet: PING, periodSeconds: 1, failureThreshold: 120 },
                livenessProbe: { httpGet: PING, periodSeconds: 10 },
                readinessProbe: { exec: { command: ['k3s', 'kubectl', 'get', '--raw', '/readyz'] }, periodSeconds: 1, timeoutSeconds: 5 },
                securityContext: CONTAINER,
                volumeMounts: [...volumeMounts, { name: 'token', mountPath: '/etc/tenantplane', readOnly: true }],
              },
            ],
            volumes: [
              ...['tmp', 'run', 'log', 'home'].map((name) => ({ name, emptyDir: {} })),
              { name: 'token', secret: { secretName: 'control-plane-token' } },
              {
                name: 'authorities',
                secret: {
                  secretName: 'control-plane-authorities',
                  items: files.map((path) => ({ key: path.replaceAll('/', '.'), path })),
                },
              },
            ],
          },
        },
        volumeClaimTemplates: [
          { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        ],
      },
    },
  ];
}

const COPY = 'mkdir -p /data/server/tls/etcd && cp /authorities/*.* /data/server/tls && cp /authorities/etcd/* /data/server/tls/etcd';
const PING = { scheme: 'HTTPS', path: '/ping', port: 6443 };
const CONTAINER = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
const ENV = [
  { name: 'HOME', value: '/home/k3s' },
  { name: 'KUBECONFIG', value: '/data/k3s.yaml' },
  { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
];
const ARGS = [
  'server',
  '--disable-agent',
  '--data-dir=/data',
  '--egress-selector-mode=disabled',
  '--disable=traefik,servicelb,metrics-server,local-storage,coredns',
  '--disable-cloud-controller',
  '--disable-helm-controller',
  '--disable-network-policy',
  '--disable-kube-proxy',
  '--flannel-backend=none',
  '--token-file=/etc/tenantplane/token',
  '--secrets-encryption',
  '--tls-san-security=true',
  '--write-kubeconfig=/data/k3s.yaml',
  '--write-kubeconfig-mode=0600',
];
