import { describe, expect, test } from 'vitest';
import type { BoundaryInput } from '../../../../src/core/isolation/verify/boundary-input.ts';
import type { Verdict, Way } from '../../../../src/core/isolation/verify/boundary-report.ts';
import { verifyBoundary } from '../../../../src/core/isolation/verify/verify-boundary.ts';
import { at, type Json, type JsonObject, type Path } from '../../../../src/core/kube/json.ts';
import type { KubeObject } from '../../../../src/core/kube/object.ts';
import { added, changed, inputOf, PLANE, put, WORK } from './tenants.ts';

const BASE = inputOf('rest-allo-own');

/** Set, taken out, or put to the end of a list. */
const set = (kind: string, name: string, path: Path, value: Json | undefined) => (input: BoundaryInput) =>
  changed(input, kind, name, (object) => put(object, path, value));
const push = (kind: string, name: string, path: Path, value: Json) => (input: BoundaryInput) =>
  changed(input, kind, name, (object) => put(object, path, [...((at(object, ...path) as Json[] | undefined) ?? []), value]));
const gone = (kind: string, name: string) => (input: BoundaryInput) => changed(input, kind, name, () => undefined);
const more = (object: KubeObject) => (input: BoundaryInput) => added(input, object);

const POLICY = (namespace: string, name: string, spec: JsonObject, metadata: JsonObject = {}): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { ...metadata, name, namespace },
  spec,
});
const OPEN: JsonObject = { podSelector: {}, policyTypes: ['Ingress', 'Egress'], ingress: [{}], egress: [{}] };
const BINDING = (namespace: string, role: string, ...subjects: JsonObject[]): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'more', namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects,
});
const USER = (name: string): JsonObject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name });
const GROUP = (name: string): JsonObject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name });
const ACCOUNT = (namespace: string, name: string): JsonObject => ({ kind: 'ServiceAccount', namespace, name });
const FLOW = (name: string, precedence: number, group: string): KubeObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name },
  spec: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: precedence,
    rules: [{ subjects: [{ kind: 'Group', group: { name: group } }], resourceRules: [] }],
  },
});
/** As its own labels and annotations have it, a projection of the tenant's. */
const PROJECTED: JsonObject = {
  labels: {
    'app.kubernetes.io/managed-by': 'tenantplane',
    'tenantplane.io/tenant': 'rest-allo-own',
    'tenantplane.io/virtual-namespace': 'default',
    'tenantplane.io/kind': 'networkpolicy',
  },
  annotations: {
    'tenantplane.io/tenant-cluster': `${WORK}/rest-allo-own`,
    'tenantplane.io/virtual-namespace': 'default',
    'tenantplane.io/virtual-name': 'fake',
  },
};
const FAKE_NAME = 'fake-x-default-x-rest-allo-own';
const PODS: JsonObject = {
  podSelector: { matchLabels: { 'tenantplane.io/tenant': 'rest-allo-own', 'tenantplane.io/virtual-namespace': 'default' } },
};

type Row = readonly [
  what: string,
  drift: (input: BoundaryInput) => BoundaryInput,
  control: string,
  verdict: Verdict,
  way: Way | undefined,
  fields: readonly string[],
];

const PS = '/metadata/labels/pod-security.kubernetes.io~1';
const VAP = 'ValidatingAdmissionPolicy.';
const VAPB = 'ValidatingAdmissionPolicyBinding.';
const PODS_POLICY = 'restricted-pods';

/** One drift each, with the one row that is not as planned then. */
const DRIFTS: readonly Row[] = [
  [
    'Pod Security enforces less',
    set('Namespace', WORK, ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'], 'baseline'),
    'podSecurity',
    'drifted',
    'weaker',
    [`${PS}enforce`],
  ],
  [
    'Pod Security enforces nothing',
    set('Namespace', PLANE, ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'], undefined),
    'podSecurity',
    'drifted',
    'weaker',
    [`${PS}enforce`],
  ],
  [
    'Pod Security of no Kubernetes',
    set('Namespace', WORK, ['metadata', 'labels', 'pod-security.kubernetes.io/enforce-version'], 'v1.2'),
    'podSecurity',
    'drifted',
    'weaker',
    [`${PS}enforce-version`],
  ],
  [
    'Pod Security audits less',
    set('Namespace', WORK, ['metadata', 'labels', 'pod-security.kubernetes.io/audit'], 'baseline'),
    'podSecurity',
    'drifted',
    'other',
    [`${PS}audit`],
  ],
  [
    'a namespace that no policy of the profile selects',
    set('Namespace', WORK, ['metadata', 'labels', 'tenantplane.io/isolation-profile'], 'baseline'),
    'podSecurity',
    'drifted',
    'weaker',
    ['/metadata/labels/tenantplane.io~1isolation-profile'],
  ],
  [
    'a namespace of another tenant',
    set('Namespace', WORK, ['metadata', 'annotations', 'tenantplane.io/tenant-cluster'], 'a/b'),
    'podSecurity',
    'foreign',
    'weaker',
    ['/metadata/annotations/tenantplane.io~1tenant-cluster'],
  ],
  [
    'a namespace of nobody',
    set('Namespace', PLANE, ['metadata', 'annotations'], undefined),
    'podSecurity',
    'foreign',
    'weaker',
    ['/metadata/annotations/tenantplane.io~1tenant-cluster'],
  ],
  [
    'nodes that are not the tenant’s',
    set('Namespace', WORK, ['metadata', 'annotations', 'tenantplane.io/node-pool-tolerations'], '|Exists|||'),
    'podSecurity',
    'drifted',
    'weaker',
    ['/metadata/annotations/tenantplane.io~1node-pool-tolerations'],
  ],
  ['no workload namespace', gone('Namespace', WORK), 'podSecurity', 'missing', 'weaker', []],

  ['no default deny', gone('NetworkPolicy', 'default-deny'), 'defaultDenyNetworkPolicy', 'missing', 'weaker', []],
  [
    'a default deny of ingress alone',
    set('NetworkPolicy', 'default-deny', ['spec', 'policyTypes'], ['Ingress']),
    'defaultDenyNetworkPolicy',
    'drifted',
    'weaker',
    ['/spec/policyTypes'],
  ],
  [
    'a default deny without types',
    set('NetworkPolicy', 'default-deny', ['spec', 'policyTypes'], undefined),
    'defaultDenyNetworkPolicy',
    'drifted',
    'weaker',
    ['/spec/policyTypes'],
  ],
  [
    'a default deny of some pods',
    set('NetworkPolicy', 'default-deny', ['spec', 'podSelector'], { matchLabels: { a: 'b' } }),
    'defaultDenyNetworkPolicy',
    'drifted',
    'weaker',
    ['/spec/podSelector'],
  ],
  [
    'a default deny that admits',
    set('NetworkPolicy', 'default-deny', ['spec', 'egress'], [{}]),
    'defaultDenyNetworkPolicy',
    'drifted',
    'weaker',
    ['/spec/egress/0'],
  ],
  [
    'a default deny of somebody else',
    set('NetworkPolicy', 'default-deny', ['metadata', 'labels', 'app.kubernetes.io/managed-by'], 'x'),
    'defaultDenyNetworkPolicy',
    'foreign',
    'weaker',
    ['/metadata/labels/app.kubernetes.io~1managed-by'],
  ],
  [
    'DNS of any namespace',
    set('NetworkPolicy', 'allow-dns', ['spec', 'egress', 0, 'to', 0, 'namespaceSelector'], {}),
    'dns',
    'drifted',
    'weaker',
    ['/spec/egress/0', '/spec/egress'],
  ],
  [
    'DNS on every port',
    set('NetworkPolicy', 'allow-dns', ['spec', 'egress', 0, 'ports'], []),
    'dns',
    'drifted',
    'weaker',
    ['/spec/egress/0', '/spec/egress'],
  ],
  [
    'DNS by UDP alone',
    set('NetworkPolicy', 'allow-dns', ['spec', 'egress', 0, 'ports', 1], undefined),
    'dns',
    'drifted',
    'stronger',
    ['/spec/egress'],
  ],
  ['no DNS', gone('NetworkPolicy', 'allow-dns'), 'dns', 'missing', 'stronger', []],
  [
    'any control plane',
    set(
      'NetworkPolicy',
      'allow-tenant-api',
      ['spec', 'egress', 0, 'to', 0, 'namespaceSelector', 'matchLabels', 'tenantplane.io/tenant'],
      undefined,
    ),
    'tenantApi',
    'drifted',
    'weaker',
    ['/spec/egress/0', '/spec/egress'],
  ],
  [
    'further ports of the control plane',
    set('NetworkPolicy', 'allow-tenant-api', ['spec', 'egress', 0, 'ports', 0, 'endPort'], 7000),
    'tenantApi',
    'drifted',
    'weaker',
    ['/spec/egress/0', '/spec/egress'],
  ],
  [
    'a control plane that calls anybody',
    push('NetworkPolicy', 'cp', ['spec', 'egress'], { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }),
    'controlPlane',
    'drifted',
    'weaker',
    ['/spec/egress/2'],
  ],
  [
    'a control plane that anybody calls',
    push('NetworkPolicy', 'cp', ['spec', 'ingress', 0, 'from'], { namespaceSelector: {} }),
    'controlPlane',
    'drifted',
    'weaker',
    ['/spec/ingress/0'],
  ],
  ['no default deny of the control plane', gone('NetworkPolicy', 'cp-default-deny'), 'controlPlane', 'missing', 'weaker', []],
  ['a policy that opens all', more(POLICY(WORK, 'open', OPEN)), 'defaultDenyNetworkPolicy', 'widens', undefined, []],
  [
    'a policy with our name that nobody planned',
    more(POLICY(WORK, 'tenantplane-allow-egress-internet', OPEN, PROJECTED)),
    'defaultDenyNetworkPolicy',
    'widens',
    undefined,
    [],
  ],
  ['a policy that opens the control plane', more(POLICY(PLANE, 'open', OPEN)), 'controlPlane', 'widens', undefined, []],
  [
    'a policy that only closes',
    more(POLICY(WORK, 'close', { podSelector: {}, policyTypes: ['Ingress'] })),
    'defaultDenyNetworkPolicy',
    'drifted',
    'stronger',
    [],
  ],
  [
    'a projection by labels and annotations, of another name',
    more(POLICY(WORK, 'fake', { ...PODS, ingress: [{ from: [PODS] }] }, PROJECTED)),
    'defaultDenyNetworkPolicy',
    'widens',
    undefined,
    [],
  ],
  [
    'a projection by name alone',
    more(POLICY(WORK, FAKE_NAME, { ...PODS, ingress: [{ from: [PODS] }] })),
    'defaultDenyNetworkPolicy',
    'widens',
    undefined,
    [],
  ],
  [
    'a projection in the control plane’s namespace',
    more(POLICY(PLANE, FAKE_NAME, { ...PODS, ingress: [{ from: [PODS] }] }, PROJECTED)),
    'controlPlane',
    'widens',
    undefined,
    [],
  ],
  [
    'a projection for pods of other namespaces of the host',
    set('NetworkPolicy', 'web-x-default-x-rest-allo-own', ['spec', 'ingress', 1, 'from', 0, 'namespaceSelector'], {}),
    'defaultDenyNetworkPolicy',
    'widens',
    undefined,
    ['/spec/ingress'],
  ],
  [
    'a projection for everybody',
    set('NetworkPolicy', 'web-x-default-x-rest-allo-own', ['spec', 'ingress', 1, 'from'], []),
    'defaultDenyNetworkPolicy',
    'widens',
    undefined,
    ['/spec/ingress'],
  ],
  [
    'a projection for addresses',
    push('NetworkPolicy', 'batch-x-jobs-x-rest-allo-own', ['spec', 'egress', 0, 'to'], { ipBlock: { cidr: '192.0.2.0/24' } }),
    'defaultDenyNetworkPolicy',
    'widens',
    undefined,
    ['/spec/egress'],
  ],
  [
    'gateways that nobody named',
    push('NetworkPolicy', 'allow-ingress-from-gateway-ingress-jis3cjnbd23f', ['spec', 'ingress', 0, 'from'], { namespaceSelector: {} }),
    'gatewayNamespaces',
    'drifted',
    'weaker',
    ['/spec/ingress/0'],
  ],
  [
    'gateways to a port without an Ingress',
    push('NetworkPolicy', 'allow-ingress-from-gateway-ingress-jis3cjnbd23f', ['spec', 'ingress', 0, 'ports'], {
      protocol: 'TCP',
      port: 22,
    }),
    'defaultDenyNetworkPolicy',
    'widens',
    undefined,
    [],
  ],
  [
    'gateways to all pods',
    set('NetworkPolicy', 'allow-ingress-from-gateway-ingress-jis3cjnbd23f', ['spec', 'podSelector'], {}),
    'defaultDenyNetworkPolicy',
    'widens',
    undefined,
    [],
  ],

  [
    'a quota raised',
    set('ResourceQuota', 'counts', ['spec', 'hard', 'count/secrets'], '201'),
    'quota',
    'drifted',
    'weaker',
    ['/spec/hard/count~1secrets'],
  ],
  [
    'a quota lowered',
    set('ResourceQuota', 'counts', ['spec', 'hard', 'count/secrets'], '199'),
    'quota',
    'drifted',
    'stronger',
    ['/spec/hard/count~1secrets'],
  ],
  [
    'a quota of less',
    set('ResourceQuota', 'quota', ['spec', 'hard', 'requests.cpu'], undefined),
    'resources',
    'drifted',
    'weaker',
    ['/spec/hard/requests.cpu'],
  ],
  [
    'a quota of more',
    set('ResourceQuota', 'quota', ['spec', 'hard', 'requests.nvidia.com/gpu'], '0'),
    'resources',
    'drifted',
    'stronger',
    ['/spec/hard/requests.nvidia.com~1gpu'],
  ],
  [
    'a quota of some pods',
    set('ResourceQuota', 'counts', ['spec', 'scopes'], ['BestEffort']),
    'quota',
    'drifted',
    'weaker',
    ['/spec/scopes'],
  ],
  [
    'a priority that is not held off',
    set('ResourceQuota', 'no-high-priority', ['spec', 'scopeSelector', 'matchExpressions', 0, 'values', 0], undefined),
    'priorityClasses',
    'drifted',
    'weaker',
    ['/spec/scopeSelector'],
  ],
  ['no quota of the control plane', gone('ResourceQuota', 'cp-counts'), 'controlPlane', 'missing', 'weaker', []],
  [
    'larger containers',
    set('LimitRange', 'defaults', ['spec', 'limits', 0, 'max', 'memory'], '8193Mi'),
    'requireResourceRequests',
    'drifted',
    'weaker',
    ['/spec/limits/0/max/memory'],
  ],
  [
    'smaller containers',
    set('LimitRange', 'defaults', ['spec', 'limits', 0, 'min', 'memory'], '1Mi'),
    'requireResourceRequests',
    'drifted',
    'weaker',
    ['/spec/limits/0/min/memory'],
  ],
  [
    'no ratio',
    set('LimitRange', 'defaults', ['spec', 'limits', 0, 'maxLimitRequestRatio'], undefined),
    'requireResourceRequests',
    'drifted',
    'weaker',
    ['/spec/limits/0/maxLimitRequestRatio/cpu', '/spec/limits/0/maxLimitRequestRatio/memory'],
  ],
  [
    'other defaults',
    set('LimitRange', 'defaults', ['spec', 'limits', 0, 'default', 'cpu'], '1'),
    'requireResourceRequests',
    'drifted',
    'other',
    ['/spec/limits/0/default/cpu'],
  ],
  [
    'bounds of claims as well',
    push('LimitRange', 'defaults', ['spec', 'limits'], { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }),
    'requireResourceRequests',
    'drifted',
    'stronger',
    ['/spec/limits/1'],
  ],

  [
    'a token of the host in each pod',
    set('ServiceAccount', 'workload', ['automountServiceAccountToken'], undefined),
    'serviceAccount',
    'drifted',
    'weaker',
    ['/automountServiceAccountToken'],
  ],
  ['no account', gone('ServiceAccount', 'workload'), 'serviceAccount', 'missing', 'stronger', []],
  [
    'all members of a control plane at once',
    set('PodDisruptionBudget', 'cp', ['spec', 'maxUnavailable'], 3),
    'controlPlane',
    'drifted',
    'other',
    ['/spec'],
  ],
  [
    'a right in the control plane’s namespace',
    more(BINDING(PLANE, 'view', USER('mallory'))),
    'controlPlane',
    'widens',
    undefined,
    ['/subjects'],
  ],
  [
    'a right of the tenant’s pods',
    more(BINDING(WORK, 'edit', ACCOUNT(WORK, 'default'))),
    'serviceAccount',
    'widens',
    undefined,
    ['/subjects'],
  ],
  [
    'a right of everybody',
    more(BINDING(WORK, 'view', USER('carol'), GROUP('system:authenticated'))),
    'serviceAccount',
    'widens',
    undefined,
    ['/subjects'],
  ],

  [
    'a policy that fails open',
    set(VAP, PODS_POLICY, ['spec', 'failurePolicy'], 'Ignore'),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/failurePolicy'],
  ],
  [
    'a policy that leaves somebody alone',
    set(VAP, PODS_POLICY, ['spec', 'matchConditions'], [{ name: 'x', expression: 'false' }]),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/matchConditions/0'],
  ],
  [
    'a rule that holds always',
    set(VAP, PODS_POLICY, ['spec', 'validations', 0, 'expression'], 'true'),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/validations/0', '/spec/validations'],
  ],
  [
    'a rule less',
    set(VAP, PODS_POLICY, ['spec', 'validations', 0], undefined),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/validations'],
  ],
  [
    'a rule more',
    push(VAP, PODS_POLICY, ['spec', 'validations'], { expression: 'false' }),
    'runtimeClassName',
    'drifted',
    'stronger',
    ['/spec/validations/14'],
  ],
  [
    'another text of a refusal',
    set(VAP, PODS_POLICY, ['spec', 'validations', 0, 'message'], 'no'),
    'runtimeClassName',
    'drifted',
    'other',
    ['/spec/validations/0', '/spec/validations'],
  ],
  [
    'a variable that says something else',
    set(VAP, PODS_POLICY, ['spec', 'variables', 0, 'expression'], 'true'),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/variables/0', '/spec/variables'],
  ],
  [
    'fewer resources',
    set(VAP, PODS_POLICY, ['spec', 'matchConstraints', 'resourceRules', 1], undefined),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/matchConstraints/resourceRules'],
  ],
  [
    'creations alone',
    set(VAP, PODS_POLICY, ['spec', 'matchConstraints', 'resourceRules', 0, 'operations'], ['CREATE']),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/matchConstraints/resourceRules/0', '/spec/matchConstraints/resourceRules'],
  ],
  [
    'objects with a label',
    set(VAP, PODS_POLICY, ['spec', 'matchConstraints', 'objectSelector'], { matchLabels: { a: 'b' } }),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/matchConstraints/objectSelector'],
  ],
  [
    'resources that are left out',
    set(VAP, PODS_POLICY, ['spec', 'matchConstraints', 'excludeResourceRules'], [{ apiGroups: [''], resources: ['pods'] }]),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/matchConstraints/excludeResourceRules/0'],
  ],
  [
    'parameters',
    set(VAP, PODS_POLICY, ['spec', 'paramKind'], { apiVersion: 'v1', kind: 'ConfigMap' }),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/paramKind'],
  ],
  [
    'another trusted writer',
    set(VAP, 'shared-objects', ['spec', 'matchConditions', 0, 'expression'], "!(request.userInfo.username in ['mallory'])"),
    'ownObjects',
    'drifted',
    'weaker',
    ['/spec/matchConditions/0', '/spec/matchConditions'],
  ],
  ['no policy', gone(VAP, PODS_POLICY), 'runtimeClassName', 'missing', 'weaker', []],
  [
    'a warning',
    set(VAPB, PODS_POLICY, ['spec', 'validationActions'], ['Warn']),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/validationActions/0', '/spec/validationActions'],
  ],
  [
    'no audit',
    set(VAPB, PODS_POLICY, ['spec', 'validationActions'], ['Deny']),
    'runtimeClassName',
    'drifted',
    'other',
    ['/spec/validationActions'],
  ],
  [
    'another policy',
    set(VAPB, PODS_POLICY, ['spec', 'policyName'], 'nothing'),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/policyName'],
  ],
  [
    'other namespaces',
    set(VAPB, PODS_POLICY, ['spec', 'matchResources', 'namespaceSelector', 'matchLabels', 'a'], 'b'),
    'runtimeClassName',
    'drifted',
    'weaker',
    ['/spec/matchResources/namespaceSelector'],
  ],
  ['no binding', gone(VAPB, PODS_POLICY), 'runtimeClassName', 'missing', 'weaker', []],

  ['no flow', gone('FlowSchema', WORK), 'apiFairness', 'missing', 'weaker', []],
  [
    'a flow of another level',
    set('FlowSchema', WORK, ['spec', 'priorityLevelConfiguration', 'name'], 'exempt'),
    'apiFairness',
    'drifted',
    'weaker',
    ['/spec/priorityLevelConfiguration/name'],
  ],
  [
    'a flow that comes first',
    more(FLOW('first', 1, `system:serviceaccounts:${WORK}`)),
    'apiFairness',
    'widens',
    undefined,
    ['/spec/rules'],
  ],
  [
    'more seats',
    set('PriorityLevelConfiguration', 'tenant', ['spec', 'limited', 'nominalConcurrencyShares'], 200),
    'apiFairness',
    'drifted',
    'weaker',
    ['/spec/limited'],
  ],
];

describe('a drift is found, with its control, its field and which way it goes', () => {
  test.each(DRIFTS)('%s', (_, drift, control, verdict, way, fields) => {
    const report = verifyBoundary(drift(BASE));
    const found = report.rows.filter((row) => row.verdict !== 'as-planned' && row.control === control);
    expect(found.map((row) => ({ verdict: row.verdict, way: row.way, fields: row.fields }))).toContainEqual({ verdict, way, fields });
    expect(report.asPlanned).toBe(false);
    expect(report.enforced).toBe(verdict !== 'widens' && verdict !== 'foreign' && way !== 'weaker');
    expect(report.rows[0]?.control).toBe(control);
  });

  test('and nothing else is', () => {
    const others = DRIFTS.flatMap(([what, drift]) => {
      const rows = verifyBoundary(drift(BASE)).rows.filter(({ verdict }) => verdict !== 'as-planned');
      return rows.length === 1 ? [] : [`${what}: ${rows.map(({ sentence }) => sentence).join(' ')}`];
    });
    expect(others).toEqual([]);
  });
});

describe('what is no drift', () => {
  const NOTHING: readonly (readonly [string, (input: BoundaryInput) => BoundaryInput])[] = [
    ['a quantity that is written otherwise', set('ResourceQuota', 'quota', ['spec', 'hard', 'requests.storage'], '512000Mi')],
    ['labels and annotations of others', set('Namespace', WORK, ['metadata', 'labels', 'team'], 'a')],
    [
      'a newer Pod Security where the render’s is not known',
      set('Namespace', WORK, ['metadata', 'labels', 'pod-security.kubernetes.io/enforce-version'], 'v1.36'),
    ],
    ['credentials of the host’s registries', set('ServiceAccount', 'workload', ['imagePullSecrets'], [{ name: 'x' }])],
    ['status', set('ResourceQuota', 'counts', ['status'], { used: { pods: '3' } })],
    [
      'rules that are cut otherwise',
      (input) =>
        changed(input, 'NetworkPolicy', 'allow-dns', (object) => {
          const rule = at(object, 'spec', 'egress', 0) as JsonObject;
          const ports = rule['ports'] as Json[];
          return put(
            object,
            ['spec', 'egress'],
            ports.map((port) => ({ ...rule, ports: [port] })),
          );
        }),
    ],
    [
      'a label as an expression',
      (input) =>
        changed(input, VAPB, PODS_POLICY, (object) => {
          const labels = at(object, 'spec', 'matchResources', 'namespaceSelector', 'matchLabels') as JsonObject;
          const matchExpressions = Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value ?? ''] }));
          return put(object, ['spec', 'matchResources', 'namespaceSelector'], { matchExpressions });
        }),
    ],
    ['people of the platform in the workload namespace', more(BINDING(WORK, 'view', USER('carol'), GROUP('platform')))],
    ['a flow that comes later', more(FLOW('later', 9500, 'system:authenticated'))],
    ['policies of another namespace', more(POLICY('elsewhere', 'open', OPEN))],
  ];
  test.each(NOTHING)('%s', (_, change) => {
    expect(verifyBoundary(change(BASE)).rows.filter(({ verdict }) => verdict !== 'as-planned')).toEqual([]);
  });
});

test('whoever has a right is named, and nothing that could move a cursor', () => {
  const cursor = String.fromCharCode(27);
  const subjects = [USER(`${cursor}[2Jmallory`), GROUP('ops'), ACCOUNT('ci', 'robot'), USER('d'), USER('e')];
  const [worst] = verifyBoundary(added(BASE, BINDING(PLANE, 'view', ...subjects))).rows;
  expect(worst?.sentence).toBe(
    `RoleBinding ${PLANE}/more gives User ??2Jmallory, Group ops, ServiceAccount ci/robot and 2 more ClusterRole view in ${PLANE}, where the tenant’s keys lie.`,
  );
});
