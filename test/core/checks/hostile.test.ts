import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asArray, clone, isObject, type Json, type JsonObject, own, put } from '../../../src/core/kube/json.ts';
import { testContext } from '../context.ts';
import { container, pod, podSpec, reasonsOf, refusalsOf, renderUnchecked, SAFE, WORKLOADS, workload } from '../pods.ts';

const contexts = [
  testContext(),
  testContext({
    profile: { level: 'sandboxed', completePodSecurity: 'all' },
    tenant: {
      dns: 'server',
      dnsServiceIP: '10.96.0.50',
      mode: 'dedicated',
      nodePool: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k' }] },
    },
    allow: { daemonSets: true, imageVolumes: true, csiDrivers: ['d'] },
    host: { minor: 37 },
  }),
] as const;

/** A pod spec that says something in every part that checks and steps read. */
const RICH: JsonObject = podSpec({
  containers: [
    container({
      env: [
        { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      ],
      envFrom: [{ configMapRef: { name: 'c' } }],
      args: ['redis.default'],
      ports: [{ containerPort: 80, hostPort: 0 }],
      resources: { requests: { cpu: '100m' }, limits: { memory: '1Gi' } },
      livenessProbe: { httpGet: { port: 80, host: '' } },
      lifecycle: { preStop: { exec: { command: ['a'] } } },
      securityContext: { ...SAFE, privileged: false, seLinuxOptions: { type: 'container_t' } },
    }),
  ],
  initContainers: [container({ name: 'init' })],
  ephemeralContainers: [container({ name: 'debug' })],
  volumes: [
    { name: 'a', configMap: { name: 'c' } },
    {
      name: 'b',
      projected: {
        sources: [{ secret: { name: 's' } }, { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.namespace' } }] } }],
      },
    },
    {
      name: 'c',
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { labels: { a: 'b' } },
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
            dataSource: { kind: 'PersistentVolumeClaim', name: 'd' },
          },
        },
      },
    },
  ],
  securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }], seccompProfile: { type: 'RuntimeDefault' } },
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'a', labelSelector: { matchLabels: { a: 'b' } }, namespaces: ['x'], matchLabelKeys: ['k'] },
      ],
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'a', namespaceSelector: {} } }],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'z',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
    },
  ],
  tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }],
  imagePullSecrets: [{ name: 'r' }],
  dnsConfig: { options: [{ name: 'ndots', value: '2' }], nameservers: ['1.1.1.1'] },
  os: { name: 'linux' },
  subdomain: 'db',
  resourceClaims: [],
  schedulingGates: [],
});

type Place = readonly (string | number)[];
function places(value: Json | undefined, path: Place = []): Place[] {
  const below = Array.isArray(value)
    ? value.flatMap((item, index) => places(item, [...path, index]))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]))
      : [];
  return [path, ...below];
}
const PLACES = places(RICH).filter((place) => place.length > 0);
/** In a map of labels `secretName` is a label. */
const OUTSIDE_LABELS = PLACES.filter((place) => !place.includes('matchLabels') && !place.includes('labels'));

/** The rich spec with one place replaced. */
function spoilt(place: Place, value: Json): JsonObject {
  const spec = clone(RICH);
  let holder: Json | undefined = spec;
  for (const step of place.slice(0, -1)) holder = typeof step === 'number' ? asArray(holder)?.[step] : own(holder as JsonObject, step);
  const last = place.at(-1);
  if (typeof last === 'number' && Array.isArray(holder)) holder[last] = value;
  else if (isObject(holder)) put(holder, String(last), value);
  return spec;
}

const json = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.bigInt(),
    fc.string({ maxLength: 8 }),
    fc.constantFrom('metadata.namespace', "metadata.labels['a']", '__proto__', 'true', '1e999', '-x-'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(
        fc.tuple(
          fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('__proto__', 'constructor', 'name', 'key', 'items', 'labels', 'hostPath')),
          tie('any'),
        ),
        { maxLength: 3 },
      )
      .map((entries) => {
        const object: JsonObject = {};
        for (const [key, value] of entries) put(object, key, value);
        return object;
      }),
  ),
})).any;

describe('input of any shape', () => {
  it('the rich spec passes as it is', () => {
    expect(refusalsOf(pod(RICH), contexts[0])).toEqual([]);
  });

  it('never makes a check or a step throw, at any place of a pod spec', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PLACES),
        json,
        fc.constantFrom('Pod', ...WORKLOADS),
        fc.constantFrom(...contexts),
        (place, value, kind, ctx) => {
          const spec = spoilt(place, value);
          const object = kind === 'Pod' ? pod(spec) : workload(kind, spec);
          refusalsOf(object, ctx);
          renderUnchecked(object, ctx);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('never makes a check or a step throw, in place of a whole object or spec', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('Pod', ...WORKLOADS), fc.constantFrom(...contexts), (value, kind, ctx) => {
        for (const object of [
          { ...workload(kind), metadata: { name: 'a' }, spec: value },
          { ...workload(kind), spec: { template: value, selector: value, jobTemplate: value, volumeClaimTemplates: value } },
        ]) {
          const subject = kind === 'Pod' ? { ...object, apiVersion: 'v1', kind } : object;
          refusalsOf(subject, ctx);
          renderUnchecked(subject, ctx);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('never lets a pod through that asks for privileged in any list, whatever stands beside it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('containers', 'initContainers', 'ephemeralContainers'),
        fc.constantFrom<Json>(true, 'true', 1, {}, []),
        json,
        (list, privileged, noise) => {
          const odd = container({ name: 'odd', securityContext: { ...SAFE, privileged }, workingDir: noise });
          const spec = { ...clone(RICH), [list]: [container({ name: 'first' }), odd] };
          for (const ctx of contexts) expect(reasonsOf(pod(spec), ctx)).not.toEqual([]);
        },
      ),
    );
  });

  it('never lets a name of the host through: what passes holds no reference as it was written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OUTSIDE_LABELS),
        fc.constantFrom<Json>('raw-name', { name: 'raw-name' }, { secretName: 'raw-name' }),
        (place, value) => {
          const object = pod(spoilt(place, value));
          if (refusalsOf(object, contexts[0]).length > 0) return;
          const text = JSON.stringify(renderUnchecked(object, contexts[0]).spec);
          for (const field of ['secretName', 'claimName', 'serviceAccountName', 'subdomain'])
            expect(text).not.toContain(`"${field}":"raw-name"`);
          expect(text).not.toMatch(/"(configMapRef|secretRef|configMapKeyRef|secretKeyRef|configMap|secret)":\{"name":"raw-name"/);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('does not take the object for its prototype', () => {
    const spec = podSpec();
    put(spec, '__proto__', { hostPID: true });
    expect(reasonsOf(pod(spec), contexts[0])).toEqual(['ObjectMalformed']);
  });
});
