import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/kube/json.ts';
import type { Plan } from '../../src/core/plan/plan-types.ts';
import { emitYaml } from '../../src/krm/yaml/emit.ts';
import { devPackage, planFiles, profile } from '../support/observe.ts';

/**
 * Objects of a tenant, of every kind that is projected. Their names (`zz0`, `zz1`, …) occur nowhere else and stand in every place
 * that takes a name, whether or not there is such an object.
 */
const name = fc.nat({ max: 7 }).map((n) => `zz${n}`);
const optional = fc.option(fc.boolean(), { nil: undefined });
const defined = (object: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;

const selector = fc.oneof(
  fc.constant<JsonObject>({}),
  fc.constant<JsonObject>({ matchLabels: { app: 'web' } }),
  fc.constant<JsonObject>({ matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] }),
  fc.constant<JsonObject>({ matchLabels: { 'app.kubernetes.io/instance': 'web' } }),
  name.map((n): JsonObject => ({ matchLabels: { 'job-name': n } })),
);
const namespaceSelector = fc.constantFrom<JsonObject>(
  {},
  { matchLabels: { team: 'a' } },
  { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
);

const env = fc.oneof(
  fc
    .tuple(name, optional)
    .map(([n, flag]): JsonObject => ({ name: 'A', valueFrom: { configMapKeyRef: defined({ name: n, key: 'k', optional: flag }) } })),
  name.map((n): JsonObject => ({ name: 'B', valueFrom: { secretKeyRef: { name: n, key: 'k' } } })),
  fc.constant<JsonObject>({ name: 'C', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }),
  fc.constant<JsonObject>({ name: 'D', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app.kubernetes.io/instance']" } } }),
);
const container = fc
  .record({
    env: fc.array(env, { maxLength: 3 }),
    envFrom: fc.array(
      fc.oneof(
        name.map((n): JsonObject => ({ configMapRef: { name: n } })),
        name.map((n): JsonObject => ({ secretRef: { name: n } })),
      ),
      { maxLength: 2 },
    ),
  })
  .map(
    (fields): JsonObject => ({
      name: 'main',
      image: 'registry.example/app:1',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      ...fields,
    }),
  );
const volume = fc.oneof(
  name.map((n): JsonObject => ({ configMap: { name: n } })),
  name.map((n): JsonObject => ({ secret: { secretName: n } })),
  name.map((n): JsonObject => ({ persistentVolumeClaim: { claimName: n } })),
  fc.tuple(name, name).map(
    ([a, b]): JsonObject => ({
      projected: {
        sources: [
          { configMap: { name: a } },
          { secret: { name: b } },
          { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        ],
      },
    }),
  ),
);
const term = fc
  .record({
    selector,
    namespaceSelector: fc.option(namespaceSelector, { nil: undefined }),
    namespaces: fc.option(fc.constant<Json>(['default', 'other']), { nil: undefined }),
  })
  .map(
    (fields): JsonObject =>
      defined({
        topologyKey: 'kubernetes.io/hostname',
        labelSelector: fields.selector,
        namespaceSelector: fields.namespaceSelector,
        namespaces: fields.namespaceSelector === undefined ? fields.namespaces : undefined,
      }),
  );
const podSpec = fc
  .record({
    containers: fc.array(container, { minLength: 1, maxLength: 1 }),
    initContainers: fc.array(
      container.map((row): JsonObject => ({ ...row, name: 'init' })),
      { maxLength: 1 },
    ),
    volumes: fc.array(volume, { maxLength: 3 }).map((rows) => rows.map((row, index): JsonObject => ({ name: `v${index}`, ...row }))),
    imagePullSecrets: fc.array(
      name.map((n): JsonObject => ({ name: n })),
      { maxLength: 2 },
    ),
    serviceAccountName: name,
    affinity: fc.record({
      podAntiAffinity: fc.record({ requiredDuringSchedulingIgnoredDuringExecution: fc.array(term, { maxLength: 2 }) }),
      podAffinity: fc.record({
        preferredDuringSchedulingIgnoredDuringExecution: fc.array(
          term.map((t): JsonObject => ({ weight: 1, podAffinityTerm: t })),
          { maxLength: 2 },
        ),
      }),
    }),
    topologySpreadConstraints: fc.array(
      selector.map((s): JsonObject => ({ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: s })),
      { maxLength: 1 },
    ),
  })
  .map((spec): JsonObject => ({ ...spec, securityContext: { runAsNonRoot: true } }) as unknown as JsonObject);

const labels: JsonObject = { app: 'web', 'app.kubernetes.io/instance': 'web' };
const meta = (n: string, namespace: string): JsonObject => ({ name: n, namespace, labels: { ...labels } });
const namespace = fc.constantFrom('default', 'other');

export const tenantObject: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.tuple(name, namespace, fc.constantFrom('Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'), podSpec, name).map(
    ([n, ns, kind, spec, service]): JsonObject => ({
      apiVersion: 'apps/v1',
      kind,
      metadata: meta(n, ns),
      spec: {
        selector: { matchLabels: { ...labels } },
        template: { metadata: { labels: { ...labels } }, spec },
        ...(kind === 'StatefulSet' && { serviceName: service }),
      },
    }),
  ),
  fc.tuple(name, namespace, podSpec).map(([n, ns, spec]): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: meta(n, ns), spec })),
  fc.tuple(name, namespace, podSpec).map(
    ([n, ns, spec]): JsonObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: meta(n, ns),
      spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } },
    }),
  ),
  fc.tuple(name, namespace, podSpec).map(
    ([n, ns, spec]): JsonObject => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: meta(n, ns),
      spec: { schedule: '@daily', jobTemplate: { spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } } } },
    }),
  ),
  fc.tuple(name, namespace, fc.constantFrom<JsonObject>({ app: 'web' }, { 'app.kubernetes.io/instance': 'web' })).map(
    ([n, ns, s]): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: meta(n, ns),
      spec: { selector: s, ports: [{ port: 80 }] },
    }),
  ),
  fc.tuple(name, namespace).map(([n, ns]): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: meta(n, ns), data: {} })),
  fc.tuple(name, namespace).map(
    ([n, ns]): JsonObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: meta(n, ns),
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
  ),
  fc.tuple(name, namespace, selector).map(
    ([n, ns, s]): JsonObject => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: meta(n, ns),
      spec: { selector: s, maxUnavailable: 1 },
    }),
  ),
  fc.tuple(name, namespace, name).map(
    ([n, ns, target]): JsonObject => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: meta(n, ns),
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target }, maxReplicas: 3 },
    }),
  ),
  fc.tuple(name, namespace, name, name).map(
    ([n, ns, service, secret]): JsonObject => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: meta(n, ns),
      spec: {
        rules: [
          {
            host: `${n}.dev.example.com`,
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: 80 } } } }] },
          },
        ],
        tls: [{ hosts: [`${n}.dev.example.com`], secretName: secret }],
      },
    }),
  ),
  fc.tuple(name, namespace, selector, selector, fc.option(namespaceSelector, { nil: undefined })).map(
    ([n, ns, own, peer, spaces]): JsonObject => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: meta(n, ns),
      spec: {
        podSelector: own,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [defined({ podSelector: peer, namespaceSelector: spaces })] }],
        egress: [{ to: [defined({ podSelector: peer, namespaceSelector: spaces })] }],
      },
    }),
  ),
);

const PROFILE = profile(
  'restricted',
  'restricted',
  '  allow: {daemonSets: true, ingressClasses: [nginx], ingressHostSuffixes: ["{tenant}.example.com"]}\n',
);
const OPTIONS = { profile: PROFILE, spec: '  networking: {egressPolicy: allow-same-tenant, dns: server, dnsServiceIP: 10.96.5.5}\n' };

/** One tenant with these objects; of two of one identity the last. */
export function render(objects: readonly JsonObject[]): Plan {
  const unique = new Map(
    objects.map((row) => [
      `${row['kind']}|${(row['metadata'] as JsonObject)['namespace']}|${(row['metadata'] as JsonObject)['name']}`,
      row,
    ]),
  );
  const text = [...unique.values()].map(emitYaml).join('---\n');
  return planFiles(devPackage({ 'app.yaml': text }, OPTIONS));
}
