import { describe, expect, test } from 'vitest';
import { clone, type Json, type JsonObject, type Path } from '../../src/core/kube/json.ts';
import { createEdit } from '../../src/core/translate/edit.ts';
import { addressesIn } from './calls.ts';
import { wouldRun } from './would-run.ts';

const labels = { app: 'web' };
const OBJECTS: readonly JsonObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team', labels: { 'pod-security.kubernetes.io/enforce': 'restricted', tenant: 'dev' } },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'team' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'main',
              ports: [{ name: 'http', containerPort: 8080 }],
              env: [{ name: 'SELF', value: 'http://web:80' }],
              envFrom: [{ configMapRef: { name: 'settings' } }],
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } },
            },
          ],
        },
      },
    },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'team' }, data: { PEER: 'web:80' } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'web',
      namespace: 'team',
      annotations: { 'tenantplane.io/virtual-name': 'web', 'tenantplane.io/virtual-namespace': 'default' },
    },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'same', namespace: 'team' },
    spec: {
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ namespaceSelector: { matchLabels: { tenant: 'dev' } } }] }],
      egress: [
        { to: [{ namespaceSelector: { matchLabels: { tenant: 'dev' } } }] },
        {
          to: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
              podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
            },
          ],
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 53 },
          ],
        },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'quota', namespace: 'team' },
    spec: { hard: { 'requests.cpu': '200m', pods: '2' } },
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'limits', namespace: 'team' },
    spec: { limits: [{ type: 'Container', max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '2' } }] },
  },
];
const TEMPLATE = ['spec', 'template', 'spec'];
const CONTAINER = [...TEMPLATE, 'containers', 0];

/** what is broken, in which object, the edit, and what the reader must say */
const BREAKAGES: readonly [what: string, kind: string, path: Path, value: Json | undefined, says: RegExp][] = [
  ['a Service whose selector matches no pod', 'Service', ['spec', 'selector'], { app: 'wep' }, /no pod carries the labels/],
  [
    'a Service with a target port that no container has',
    'Service',
    ['spec', 'ports', 0, 'targetPort'],
    9090,
    /no container behind it has the port 9090/,
  ],
  [
    'a name in the environment that is no Service',
    'Deployment',
    [...CONTAINER, 'env', 0, 'value'],
    'http://wep:80',
    /wep:80 does not resolve/,
  ],
  ['a port in the environment that the Service lacks', 'Deployment', [...CONTAINER, 'env', 0, 'value'], 'web:81', /has no such port/],
  ['a name in a ConfigMap that is no Service', 'ConfigMap', ['data', 'PEER'], 'cache:6379', /cache:6379 does not resolve/],
  ['a raw reference', 'Deployment', [...CONTAINER, 'envFrom', 0, 'configMapRef', 'name'], 'setings', /ConfigMap setings is not there/],
  [
    'a mount without its volume',
    'Deployment',
    [...CONTAINER, 'volumeMounts'],
    [{ name: 'data', mountPath: '/d' }],
    /volume data of container main/,
  ],
  [
    'a template that its own selector misses',
    'Deployment',
    ['spec', 'selector', 'matchLabels'],
    { app: 'x' },
    /does not match its own template/,
  ],
  ['policies that close a call', 'NetworkPolicy', ['spec', 'ingress'], [], /network policies stand between/],
  ['policies that close DNS', 'NetworkPolicy', ['spec', 'egress', 1, 'ports'], [{ protocol: 'UDP', port: 53 }], /keep it from DNS/],
  ['a quota that is too small', 'ResourceQuota', ['spec', 'hard', 'requests.cpu'], '150m', /requests.cpu adds up to 200m and 150m/],
  ['a limit above the ratio', 'Deployment', [...CONTAINER, 'resources', 'limits', 'cpu'], '300m', /limit to request above the ratio/],
  ['a pod that Pod Security refuses', 'Deployment', [...CONTAINER, 'securityContext', 'capabilities'], undefined, /without drop ALL/],
  ['a label that is too long', 'Service', ['metadata', 'labels'], { long: 'x'.repeat(64) }, /no legal label long/],
];

describe('the reader of host objects', () => {
  test('finds nothing wrong with what runs', () => {
    expect(wouldRun(OBJECTS)).toEqual([]);
  });

  test.each(BREAKAGES)('finds %s', (_, kind, path, value, says) => {
    const objects = OBJECTS.map((object) => {
      if (object['kind'] !== kind) return object;
      const edit = createEdit(clone(object));
      if (value === undefined) edit.remove(path, 'rw.identity');
      else edit.set(path, value, 'rw.identity');
      return edit.object;
    });
    expect(wouldRun(objects).join('\n')).toMatch(says);
  });

  test.each([
    ['postgres://u:p@db:5432/x?sslmode=off', [{ host: 'db', port: 5432 }]],
    ['http://api/healthz', [{ host: 'api', port: 80 }]],
    ['productcatalogservice:3550', [{ host: 'productcatalogservice', port: 3550 }]],
    ['--host=cockroachdb-0.cockroachdb:26257', [{ host: 'cockroachdb-0.cockroachdb', port: 26257 }]],
    ['amqp://$(A):$(B)@rabbitmq:5672/%2f', [{ host: 'rabbitmq', port: 5672 }]],
    ['a sentence: 12 things', []],
    ['127.0.0.1:80', []],
  ])('reads addresses in %s', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses);
  });
});
