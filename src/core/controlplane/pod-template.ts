import { digest } from '../identity/digest.ts';
import { CONTROL_PLANE_POD } from '../isolation/peers.ts';
import { clone, type JsonObject } from '../kube/json.ts';
import { AUDIT_POLICY } from './audit-policy.ts';
import { podLabels } from './control-plane-metadata.ts';
import { TENANT_API_PORT } from './endpoint.ts';
import { memberAddress, memberNames } from './endpoint-names.ts';
import { k3sArguments, PATH } from './k3s-arguments.ts';
import { ANNOTATION, AUTHORITIES_SECRET, CONFIG_MAP, DATA, SERVER_CONTAINER, TOKEN_SECRET } from './names.ts';
import type { ControlPlaneInput } from './objects.ts';
import { CONFIGURE_MEMBER, PLACE_AUTHORITIES } from './start-scripts.ts';

/** No user of any image, so that it owns nothing there. */
const USER = 65_532;

/** What restricted Pod Security asks of a container, and a root file system that nothing is written to. */
const CONFINED: JsonObject = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

const CONFIG_MOUNT: JsonObject = { name: 'config', mountPath: PATH.config, readOnly: true };

/** Folders that are the pod's own and go with it; k3s, its kubectl and etcd write there. */
const SCRATCH: Readonly<Record<string, string>> = { tmp: '/tmp', run: '/run', log: '/var/log', 'k3s-config': PATH.k3sConfig };

export function podTemplate(input: ControlPlaneInput): JsonObject {
  const { settings, authorities, restartedAt } = input;
  const etcd = settings.datastore.type === 'etcd';
  return {
    metadata: {
      labels: podLabels(settings),
      annotations: {
        [ANNOTATION.authorities]: authorities,
        [ANNOTATION.config]: digest([JSON.stringify(AUDIT_POLICY)]),
        ...(restartedAt !== undefined && { [ANNOTATION.restartedAt]: restartedAt }),
      },
    },
    spec: {
      automountServiceAccountToken: false,
      // by them an etcd member learns its Service's address
      enableServiceLinks: etcd,
      terminationGracePeriodSeconds: 30,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: USER,
        fsGroup: USER,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(settings.replicas > 1 && { affinity: apart() }),
      initContainers: [initContainer(input, 'authorities', PLACE_AUTHORITIES), ...(etcd ? [memberContainer(input)] : [])],
      containers: [k3sContainer(input)],
      volumes: [
        { name: 'authorities', secret: { secretName: AUTHORITIES_SECRET, defaultMode: 0o440 } },
        { name: 'token', secret: { secretName: TOKEN_SECRET, defaultMode: 0o440 } },
        { name: 'config', configMap: { name: CONFIG_MAP } },
        ...Object.keys(SCRATCH).map((name) => ({ name, emptyDir: {} })),
      ],
    },
  };
}

function k3sContainer({ settings, release }: ControlPlaneInput): JsonObject {
  const probe = (path: string, periodSeconds: number, failureThreshold: number): JsonObject => ({
    httpGet: { scheme: 'HTTPS', path, port: TENANT_API_PORT },
    periodSeconds,
    timeoutSeconds: 5,
    failureThreshold,
  });
  return {
    name: SERVER_CONTAINER,
    image: release.image,
    command: ['k3s'],
    args: [...k3sArguments(settings)],
    env: [...podEnv(), { name: 'KUBECONFIG', value: PATH.kubeconfig }, ...datastoreEnv(settings)],
    ports: [{ name: 'https', containerPort: TENANT_API_PORT, protocol: 'TCP' }],
    // The API server itself lets nobody anonymous in; the supervisor before it answers /ping to anyone as soon as the datastore is there.
    startupProbe: probe('/ping', 2, 150),
    livenessProbe: probe('/ping', 10, 6),
    readinessProbe: {
      exec: { command: ['k3s', 'kubectl', 'get', '--raw', '/readyz'] },
      periodSeconds: 5,
      timeoutSeconds: 5,
      failureThreshold: 3,
    },
    resources: clone(settings.resources),
    securityContext: clone(CONFINED),
    // A condition quotes what a container said last. With a database that could be its URL, and with it the password.
    terminationMessagePolicy: settings.datastore.type === 'postgres' ? 'File' : 'FallbackToLogsOnError',
    volumeMounts: [
      { name: DATA, mountPath: PATH.data },
      { name: 'token', mountPath: PATH.token, readOnly: true },
      { ...CONFIG_MOUNT },
      ...scratchMounts(),
    ],
  };
}

function initContainer(
  { release, settings }: ControlPlaneInput,
  name: string,
  script: string,
  { env = [], mounts = [] }: { readonly env?: readonly JsonObject[]; readonly mounts?: readonly JsonObject[] } = {},
): JsonObject {
  return {
    name,
    image: release.image,
    command: ['/bin/sh', '-c', script],
    env: [...podEnv(), ...env],
    resources: clone(settings.resources),
    securityContext: clone(CONFINED),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: DATA, mountPath: PATH.data },
      { name: 'authorities', mountPath: PATH.authorities, readOnly: true },
      ...mounts,
      ...scratchMounts(),
    ],
  };
}

function memberContainer(input: ControlPlaneInput): JsonObject {
  const others = memberNames(input.settings).map((member) => memberAddress(input.settings, member));
  return initContainer(input, 'member', CONFIGURE_MEMBER, {
    env: [{ name: 'OTHERS', value: others.join(' ') }],
    mounts: [{ ...CONFIG_MOUNT }],
  });
}

function podEnv(): JsonObject[] {
  const field = (name: string, fieldPath: string): JsonObject => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  return [field('POD_NAME', 'metadata.name'), field('POD_IP', 'status.podIP'), { name: 'HOME', value: '/tmp' }];
}

function datastoreEnv({ datastore }: ControlPlaneInput['settings']): JsonObject[] {
  if (datastore.type !== 'postgres') return [];
  return [{ name: 'K3S_DATASTORE_ENDPOINT', valueFrom: { secretKeyRef: { name: datastore.secret.name, key: datastore.secret.key } } }];
}

function scratchMounts(): JsonObject[] {
  return Object.entries(SCRATCH).map(([name, mountPath]) => ({ name, mountPath }));
}

/** On different nodes, and in different zones, where there are: a host of one node runs them all the same. */
function apart(): JsonObject {
  const term = (weight: number, topologyKey: string): JsonObject => ({
    weight,
    podAffinityTerm: { topologyKey, labelSelector: { matchLabels: { ...CONTROL_PLANE_POD } } },
  });
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [term(100, 'kubernetes.io/hostname'), term(50, 'topology.kubernetes.io/zone')],
    },
  };
}
