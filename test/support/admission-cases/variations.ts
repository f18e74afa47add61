import { TOOL_KEYS } from '../../../src/core/isolation/admission/reserved-keys.ts';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import {
  type AdmissionCase,
  claim,
  claimSpec,
  configMap,
  container,
  networkPolicy,
  OURS,
  owned,
  pod,
  secret,
  service,
  template,
  workload,
} from './case.ts';
import { FROM_BEFORE } from './from-before.ts';
import { NAMESPACE_VARIATIONS } from './namespace-variations.ts';
import { NODE_POOL_VARIATIONS } from './node-pools.ts';
import { A, is, NOT_SENT, OWN, TOOL } from './variation.ts';

/** Probes and hooks of the second container, one handler with a host at a time. */
const PROBES: readonly AdmissionCase[] = (['containers', 'initContainers'] as const).flatMap((list) =>
  (['livenessProbe', 'readinessProbe', 'startupProbe', 'postStart', 'preStop'] as const).flatMap((probe) =>
    (['httpGet', 'tcpSocket'] as const).flatMap((handler) =>
      ['', '10.0.0.1'].map((host) => {
        const call = { [handler]: { port: 80, ...(host !== '' && { host }) } };
        const fields = probe === 'postStart' || probe === 'preStop' ? { lifecycle: { [probe]: call } } : { [probe]: call };
        const side = container({ name: 'side', ...(list === 'initContainers' && { restartPolicy: 'Always' }), ...fields });
        const object =
          list === 'containers' ? pod({ containers: [container(), side] }) : pod({ initContainers: [container({ name: 'init' }), side] });
        return is(`${list} ${probe} ${handler} host '${host}'`, object, host === '' ? [] : ['probe-host']);
      }),
    ),
  ),
);

const VOLUMES: readonly (readonly [string, JsonObject, string[]])[] = [
  ['a hostPath', { hostPath: { path: '/' } }, ['host-path']],
  ['a CSI driver', { csi: { driver: 'any.example.com' } }, ['vol']],
];
const SECOND: readonly AdmissionCase[] = [
  ...VOLUMES.map(([what, source, rules]) =>
    is(
      `${what} behind a harmless volume`,
      pod({
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', ...source },
        ],
      }),
      rules,
    ),
  ),
  ...(['containers', 'initContainers'] as const).map((list) => {
    const bad = container({ name: 'bad', securityContext: { privileged: true } });
    return is(`a privileged one behind a harmless one in ${list}`, pod({ [list]: [container({ name: 'good' }), bad] }), ['privileged']);
  }),
  is(
    'a privileged ephemeral container behind a harmless one',
    pod({ ephemeralContainers: [container({ name: 'good' }), container({ name: 'bad', securityContext: { privileged: true } })] }),
    ['privileged'],
    { operation: 'UPDATE', subresource: 'ephemeralcontainers', before: pod() },
  ),
  is(
    'a toleration behind a harmless one',
    pod({
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
        { key: 'x', operator: 'Exists' },
      ],
    }),
    ['tol'],
  ),
  ...(['Ingress', 'Egress'] as const).flatMap((type) => {
    const [rules, peers, rule] =
      type === 'Ingress' ? (['ingress', 'from', 'np-ingress'] as const) : (['egress', 'to', 'np-egress'] as const);
    const own = { podSelector: {} };
    const policy = (...list: JsonObject[]): AdmissionCase['object'] => networkPolicy({ policyTypes: [type], [rules]: list });
    return [
      is(`${rules}: an open rule behind a closed one`, policy({ [peers]: [own] }, {}), [rule]),
      is(`${rules}: no peer`, policy({ [peers]: [] }), [rule]),
      is(`${rules}: addresses behind pods`, policy({ [peers]: [own, { ipBlock: { cidr: '10.0.0.0/8' } }] }), [rule]),
      is(`${rules}: another namespace behind pods`, policy({ [peers]: [own, { namespaceSelector: {} }] }), [rule]),
      is(`${rules}: pods of another namespace behind pods`, policy({ [peers]: [own, { namespaceSelector: {}, podSelector: {} }] }), [rule]),
      is(`${rules}: pods of the namespace`, policy({ [peers]: [own, { podSelector: { matchLabels: { app: 'web' } } }] }), []),
    ];
  }),
];

const GROUP = { kind: 'PersistentVolumeClaim', name: 'old' } as const;
/** Claims, one field at a time; which rule of a claim is told, templates have one for all. */
const CLAIMS: readonly (readonly [string, JsonObject, string | undefined, number?])[] = [
  ['nothing', {}, undefined],
  ['another’s volume', { volumeName: 'pv' }, 'pvc-volume'],
  ['volumes by label', { selector: { matchLabels: { a: 'b' } } }, 'pvc-volume'],
  ['the class of hand-made volumes', { storageClassName: '' }, 'pvc-class'],
  ['another class', { storageClassName: 'slow' }, 'pvc-class'],
  ['an allowed class', { storageClassName: 'fast' }, undefined],
  ['other attributes', { volumeAttributesClassName: 'gold' }, 'pvc-class', 34],
  ['allowed attributes', { volumeAttributesClassName: 'fast' }, undefined, 34],
  ['a claim', { dataSource: { ...GROUP } }, undefined],
  ['a claim, its group null', { dataSource: { apiGroup: null, ...GROUP } }, undefined],
  ['a claim, its group empty', { dataSource: { apiGroup: '', ...GROUP } }, undefined],
  ['a claim by reference', { dataSourceRef: { ...GROUP } }, undefined],
  ['a claim by reference, its group null', { dataSourceRef: { apiGroup: null, ...GROUP } }, undefined],
  ['a claim by reference, its group empty', { dataSourceRef: { apiGroup: '', ...GROUP } }, undefined],
  ['a claim by reference, its namespace empty', { dataSourceRef: { namespace: '', ...GROUP } }, undefined],
  ['a snapshot', { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' } }, 'pvc-source'],
  ['another kind of the core', { dataSource: { kind: 'ConfigMap', name: 's' } }, 'pvc-source', NOT_SENT],
  ['another kind of the core by reference', { dataSourceRef: { kind: 'ConfigMap', name: 's' } }, 'pvc-source', NOT_SENT],
  ['a namesake of another group', { dataSource: { apiGroup: 'x.example.com', ...GROUP } }, 'pvc-source', NOT_SENT],
  ['a namesake of another group by reference', { dataSourceRef: { apiGroup: 'x.example.com', ...GROUP } }, 'pvc-source'],
  ['a claim of another namespace', { dataSourceRef: { namespace: 'other', ...GROUP } }, 'pvc-source', NOT_SENT],
];
const CLAIM_CASES: readonly AdmissionCase[] = CLAIMS.flatMap(([what, spec, rule, since = 0]) =>
  (['edge', 'restricted'] as const)
    // `fast` is a class of profile edge alone
    .filter((profile) => profile === 'edge' || !JSON.stringify(spec).includes('fast'))
    .flatMap((profile) => {
      const set = workload('StatefulSet');
      const templates = [
        { metadata: { name: 'fine' }, spec: claimSpec() },
        { metadata: { name: 'data' }, spec: claimSpec(spec) },
      ];
      const volume = { name: 'v', ephemeral: { volumeClaimTemplate: { spec: claimSpec(spec) } } };
      const refused = (name: string): string[] => (rule === undefined ? [] : [name]);
      const fields = { profile, since };
      return [
        is(`${profile}: a claim of ${what}`, claim(spec), refused(rule ?? ''), fields),
        is(
          `${profile}: a set’s second claim of ${what}`,
          { ...set, spec: { ...(set['spec'] as JsonObject), serviceName: 'web', volumeClaimTemplates: templates } },
          refused('tpl-claim'),
          fields,
        ),
        is(
          `${profile}: an ephemeral volume of ${what}`,
          pod({ volumes: [{ name: 'a', emptyDir: {} }, volume] }),
          refused('vol-claim'),
          fields,
        ),
      ];
    }),
);

/** Annotations of claims, of which one names a class. */
const NOTE = { annotations: { 'example.com/a': 'b' } } as const;
const OLD_CLASS = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'slow' } } as const;
const noted = (...entries: (typeof NOTE | typeof OLD_CLASS)[]): AdmissionCase['object'] =>
  claim({}, { annotations: Object.assign({}, ...entries.map(({ annotations }) => annotations)) });
const OLD_CLASSES: readonly AdmissionCase[] = [
  is('an annotated claim', noted(NOTE), []),
  is('a claim from before is bound', noted(OLD_CLASS, NOTE), [], { operation: 'UPDATE', before: noted(OLD_CLASS), since: NOT_SENT }),
  ...([NOTE, OLD_CLASS] as const).flatMap((metadata) => {
    const rules = (rule: string): string[] => (metadata === NOTE ? [] : [rule]);
    const template = { metadata: { name: 'data', ...metadata }, spec: claimSpec() };
    const set = workload('StatefulSet');
    return [
      is(
        `a set’s second claim with ${Object.keys(metadata.annotations)[0]}`,
        {
          ...set,
          spec: {
            ...(set['spec'] as JsonObject),
            serviceName: 'web',
            volumeClaimTemplates: [{ metadata: { name: 'fine' }, spec: claimSpec() }, template],
          },
        },
        rules('tpl-claim'),
      ),
      is(
        `an ephemeral volume with ${Object.keys(metadata.annotations)[0]}`,
        pod({
          volumes: [
            { name: 'a', emptyDir: {} },
            { name: 'v', ephemeral: { volumeClaimTemplate: { metadata: { ...metadata }, spec: claimSpec() } } },
          ],
        }),
        rules('vol-claim'),
      ),
    ];
  }),
  is(
    'an ephemeral volume with labels',
    pod({ volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: 'b' } }, spec: claimSpec() } } }] }),
    [],
  ),
];

/** Every prefix and domain, as a label and as an annotation, behind a harmless one. */
const TOOL_CASES: readonly AdmissionCase[] = TOOL_KEYS.flatMap((key) => {
  const entries = { 'example.com/a': 'b', [key]: 'x' };
  return (['labels', 'annotations'] as const).map((map) => is(`${key} in ${map}`, configMap({ [map]: { ...entries } }), ['tool']));
});

const change = (name: string, before: JsonObject, after: JsonObject, rules: readonly string[]): AdmissionCase[] =>
  (['labels', 'annotations'] as const).map((map) =>
    is(`${name} (${map})`, configMap({ [map]: after }), rules, { operation: 'UPDATE', before: configMap({ [map]: before }) }),
  );
const METADATA: readonly AdmissionCase[] = [
  ...change('a harmless entry beside a tool’s', TOOL, { ...TOOL, ...A }, []),
  ...change('a tool’s entry is added', A, { ...A, ...TOOL }, ['tool']),
  ...change('a tool’s entry is changed', { ...A, ...TOOL }, { ...A, 'argocd.argoproj.io/x': 'b' }, ['tool']),
  ...change('a tool’s entry is removed', { ...A, ...TOOL }, { ...A }, ['tool']),
  ...change('a harmless entry beside a tool’s is removed', { ...A, ...TOOL }, { ...TOOL }, []),
  ...change('a harmless entry beside ours', OWN, { ...OWN, ...A }, []),
  ...change('ours is added', A, { ...A, ...OWN }, ['rsv']),
  ...change('ours is added to nothing', {}, { ...OWN }, ['rsv']),
  ...change('ours is changed', { ...A, ...OWN }, { ...A, 'tenantplane.io/x': 'b' }, ['rsv']),
  ...change('ours is removed', { ...A, ...OWN }, { ...A }, ['rsv']),
  ...change('a harmless entry is removed', { ...A, ...OWN }, { ...OWN }, []),
  is('another manager', configMap({ labels: { 'app.kubernetes.io/managed-by': 'Helm' } }), []),
  is('another label with our name as its value', configMap({ labels: { 'example.com/by': 'tenantplane' } }), []),
  is('the truth about the tenant', configMap({ labels: { ...OURS } }), []),
  is('no metadata', { apiVersion: 'v1', kind: 'PodTemplate' }, [], { since: NOT_SENT }),
  is('no metadata, changed', { apiVersion: 'v1', kind: 'PodTemplate' }, [], {
    since: NOT_SENT,
    operation: 'UPDATE',
    before: { apiVersion: 'v1', kind: 'PodTemplate' },
  }),
];

/** What an operator copies from what it owns, under owners that are less. */
const COPY = { 'tenantplane.io/kind': 'configmap', 'app.kubernetes.io/managed-by': 'tenantplane' } as const;
const behind = (controller: boolean | undefined): AdmissionCase['object'] => {
  const object = owned(configMap({ labels: { ...OURS, ...COPY } }), 'ExternalSecret', 'keys');
  const metadata = object['metadata'] as JsonObject;
  const [owner] = metadata['ownerReferences'] as JsonObject[];
  const { controller: _controller, ...rest } = owner ?? {};
  return { ...object, metadata: { ...metadata, ownerReferences: [controller === undefined ? rest : { ...rest, controller }] } };
};
const COPIES: readonly AdmissionCase[] = [
  is('an operator copies our labels', behind(true), [], { by: 'operator' }),
  is('an owner that does not say whether it controls', behind(undefined), ['rsv']),
  is('an owner that controls nothing', behind(false), ['rsv']),
  is('our labels without an owner', configMap({ labels: { ...OURS, ...COPY } }), ['rsv']),
  is('our manager without an owner', configMap({ labels: { 'app.kubernetes.io/managed-by': 'tenantplane' } }), ['rsv']),
  is('the manager alone is copied', owned(configMap({ labels: { 'app.kubernetes.io/managed-by': 'tenantplane' } }), 'Job', 'web'), [], {
    by: 'operator',
  }),
  is('a pod’s owner excuses nothing', owned(pod({}, { labels: { ...OURS, 'tenantplane.io/kind': 'pod' } }), 'ReplicaSet', 'web'), [
    'lbl',
    'rsv',
  ]),
];

const MANAGED = { 'app.kubernetes.io/managed-by': 'tenantplane' } as const;
const managed = (labels: JsonObject, before: JsonObject): AdmissionCase =>
  is(`our manager becomes ${JSON.stringify(labels)}`, configMap({ labels }), ['rsv'], {
    operation: 'UPDATE',
    before: configMap({ labels: before }),
  });
const MANAGERS: readonly AdmissionCase[] = [
  managed({ ...A }, { ...A, ...MANAGED }),
  managed({ ...A, 'app.kubernetes.io/managed-by': 'Helm' }, { ...A, ...MANAGED }),
  is('all labels go, our manager too', configMap(), ['rsv'], { operation: 'UPDATE', before: configMap({ labels: { ...MANAGED } }) }),
  is('what we manage is labelled', configMap({ labels: { ...A, ...MANAGED } }), [], {
    operation: 'UPDATE',
    before: configMap({ labels: { ...MANAGED } }),
  }),
  is('another manager goes', configMap({ labels: { ...A } }), [], {
    operation: 'UPDATE',
    before: configMap({ labels: { ...A, 'app.kubernetes.io/managed-by': 'Helm' } }),
  }),
];

const budget = (spec: JsonObject, labels: JsonObject = {}): AdmissionCase['object'] => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', labels },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});
const BUDGETS: readonly AdmissionCase[] = [
  ...[{}, { maxUnavailable: 1 }, { maxUnavailable: 10 }, { maxUnavailable: '10%' }, { minAvailable: 1 }, { minAvailable: 0 }].map((spec) =>
    is(`a budget of ${JSON.stringify(spec)}`, budget(spec), []),
  ),
  is('a budget of many zeros', budget({ maxUnavailable: '00%' }), ['drain']),
  is('a budget is tightened', budget({ maxUnavailable: 0 }), ['drain'], { operation: 'UPDATE', before: budget({ maxUnavailable: 1 }) }),
  is('a tight budget is labelled', budget({ minAvailable: '100%' }, { ...A }), [], {
    operation: 'UPDATE',
    before: budget({ minAvailable: '100%' }),
  }),
  is('a tight budget, by delivery', budget({ maxUnavailable: 0 }), [], { by: 'argocd' }),
];

const legacy = (name: string, object: AdmissionCase['object'], fields: Partial<AdmissionCase> = {}): AdmissionCase =>
  is(`what was there before stays: ${name}`, object, [], { stood: true, operation: 'UPDATE', before: object, ...fields });
const OTHERS: readonly AdmissionCase[] = [
  legacy('a NodePort', service({ type: 'NodePort' })),
  legacy('external IPs', service({ externalIPs: ['192.0.2.1'] })),
  legacy('an external name', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'x' },
    spec: { type: 'ExternalName', externalName: 'x.example.com' },
  }),
  legacy('a selector without the tenant', service({ selector: { a: 'b' } })),
  legacy('a policy that opens', networkPolicy({ ingress: [{}], egress: [{}] })),
  legacy('a class', claim({ storageClassName: 'slow' })),
  legacy('a toleration', pod({ tolerations: [{ operator: 'Exists' }] })),
  legacy('a pod without the tenant’s label', pod({}, { labels: { a: 'b' } })),
  is('type ClusterIP, said', service({ type: 'ClusterIP' }), []),
  is('a class that the host filled in, by delivery', pod({ priorityClassName: 'urgent' }), [], { by: 'argocd' }),
  is('a class that the host filled in, by a controller', owned(pod({ priorityClassName: 'urgent' }), 'ReplicaSet', 'web'), [], {
    by: 'replicaset',
  }),
  is('a system class, by delivery', pod({ priorityClassName: 'system-node-critical' }), ['prio'], { by: 'argocd' }),
  is('no class, by delivery', claim(), [], { by: 'argocd' }),
  is('the class of hand-made volumes, by delivery', claim({ storageClassName: '' }), ['pvc-class'], { by: 'argocd' }),
  is('another label of ours, by delivery', pod({}, { labels: { ...OURS, 'tenantplane.io/kind': 'pod' } }), [], { by: 'argocd' }),
  is('an administrator', pod({}, { labels: { ...OURS, 'tenantplane.io/kind': 'pod' } }), [], { by: 'administrator' }),
  is('a claim grows', { ...claim({ storageClassName: 'fast', resources: { requests: { storage: '2Gi' } } }) }, [], {
    profile: 'edge',
    operation: 'UPDATE',
    before: claim({ storageClassName: 'fast' }),
    since: NOT_SENT,
  }),
  is('a bound claim is labelled', { ...claim({ volumeName: 'pv' }), metadata: { name: 'data', labels: { ...A } } }, [], {
    operation: 'UPDATE',
    before: claim({ volumeName: 'pv' }),
    since: NOT_SENT,
  }),
  is('a Secret without a type', secret(), []),
  is(
    'a ReplicationController without a template',
    { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'web' }, spec: { selector: { a: 'b' } } },
    [],
    { since: NOT_SENT },
  ),
  is(
    'a ReplicationController',
    {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, template: template() },
    },
    [],
  ),
];

/** One clause of a rule at a time: so that no operator in an expression could be another without a case that tells (`mutants.test.ts`). */
export const VARIATIONS: readonly AdmissionCase[] = [
  ...PROBES,
  ...SECOND,
  ...CLAIM_CASES,
  ...OLD_CLASSES,
  ...TOOL_CASES,
  ...METADATA,
  ...COPIES,
  ...MANAGERS,
  ...BUDGETS,
  ...FROM_BEFORE,
  ...NAMESPACE_VARIATIONS,
  ...NODE_POOL_VARIATIONS,
  ...OTHERS,
];
