import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, clone, isObject, type Json, type JsonObject, objectAt, objectsOf } from '../../../../src/core/kube/json.ts';
import { kindRow } from '../../../../src/core/kube/kinds.ts';
import { KIND_TRANSLATIONS } from '../../../../src/core/translate/kinds/table.ts';
import { type Overrides, testContext, translateKind } from '../../context.ts';

/** Everything opted in, so that as many steps as possible run. */
const OPEN: Overrides = {
  tenant: { renderSecrets: 'plain', egressPolicy: 'unrestricted', ingressHostSuffixes: ['a'] },
  allow: {
    endpoints: true,
    selectorlessServices: true,
    externalMetrics: true,
    serviceTypes: ['LoadBalancer', 'NodePort'],
    ingressClasses: ['a'],
    annotations: ['*'],
    secretStores: ['a/a'],
    externalNames: ['a'],
  },
};

const FIELDS = [
  'spec',
  'data',
  'stringData',
  'type',
  'selector',
  'matchLabels',
  'matchExpressions',
  'ports',
  'rules',
  'http',
  'paths',
  'path',
  'pathType',
  'backend',
  'defaultBackend',
  'service',
  'resource',
  'name',
  'host',
  'tls',
  'hosts',
  'secretName',
  'ingress',
  'egress',
  'from',
  'to',
  'ipBlock',
  'cidr',
  'except',
  'podSelector',
  'namespaceSelector',
  'policyTypes',
  'subsets',
  'addresses',
  'endpoints',
  'targetRef',
  'scaleTargetRef',
  'metrics',
  'object',
  'describedObject',
  'target',
  'template',
  'templateFrom',
  'metadata',
  'labels',
  'annotations',
  'configMap',
  'secret',
  'secretStoreRef',
  'dataFrom',
  'sourceRef',
  'storeRef',
  'generatorRef',
  'minAvailable',
  'maxUnavailable',
  'dataSource',
  'dataSourceRef',
  'externalName',
  'clusterIP',
  'externalIPs',
  'kind',
  'apiVersion',
  '__proto__',
  'constructor',
];
const scalar = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 10n, '', 'a', 'a/b', '0.0.0.0/0', '127.0.0.1', 'None', 'ExternalName', 'Pod', '0%', '100%'),
  fc.string(),
);
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    scalar,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('tree'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
  ),
}));
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    scalar,
    fc.array(tie('json'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('json'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
  ),
}));

describe.each(KIND_TRANSLATIONS.map((translation) => [translation.key, translation] as const))('%s of any shape', (key, translation) => {
  const row = kindRow(key);
  const apiVersion = row === undefined ? '' : row.group === '' ? 'v1' : `${row.group}/${row.versions[0]}`;
  const object = (body: JsonObject): JsonObject => ({
    ...body,
    apiVersion,
    kind: row?.kind ?? '',
    metadata: { name: 'a', namespace: 'b' },
  });

  it('never throws, changes nothing of the tenant’s, and says the same twice', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...FIELDS), tree, { maxKeys: 3 }), json, (body, spec) => {
        const input = object({ ...body, spec });
        const before = clone(input);
        const ctx = testContext({ ...OPEN, objects: [input] });
        const first = translateKind(translation, input, ctx);
        const second = translateKind(translation, input, ctx);
        expect(input).toEqual(before);
        expect(second.refusals).toEqual(first.refusals);
        expect(second.edit.object).toEqual(first.edit.object);
        expect(first.edit.object['metadata']).toMatchObject({ name: 'a-x-b-x-dev', namespace: 'team-dev' });
      }),
      { numRuns: 150 },
    );
  });
});

describe('whatever a NetworkPolicy says', () => {
  const translation = KIND_TRANSLATIONS.find(({ key }) => key === 'NetworkPolicy.networking.k8s.io');
  const labels = fc.dictionary(
    fc.constantFrom('app', 'tenantplane.io/tenant', 'tenantplane.io/virtual-namespace'),
    fc.constantFrom('dev', 'prod'),
  );
  const selector = fc.option(fc.record({ matchLabels: labels }, { requiredKeys: [] }), { nil: null });
  const peer = fc.option(
    fc.record(
      {
        podSelector: selector,
        namespaceSelector: selector,
        ipBlock: fc.option(fc.record({ cidr: fc.constantFrom('0.0.0.0/0', '10.0.0.0/8', '8.8.0.0/16', 'x') }), { nil: null }),
      },
      { requiredKeys: [] },
    ),
    { nil: null },
  );
  const rules = (field: string) =>
    fc.option(
      fc.array(
        fc.option(fc.dictionary(fc.constantFrom(field, 'ports'), fc.oneof(fc.array(peer, { maxLength: 3 }), fc.constant(null))), {
          nil: null,
        }),
        { maxLength: 3 },
      ),
      { nil: null },
    );

  it('every peer on the host is of the tenant, a gateway or the internet, and no rule is for everyone', () => {
    fc.assert(
      fc.property(
        selector,
        rules('from'),
        rules('to'),
        fc.constantFrom('deny-by-default', 'allow-same-tenant', 'unrestricted'),
        (podSelector, ingress, egress, egressPolicy) => {
          const input = {
            apiVersion: 'networking.k8s.io/v1',
            kind: 'NetworkPolicy',
            metadata: { name: 'a', namespace: 'b' },
            spec: { podSelector, ingress, egress },
          } as JsonObject;
          const { edit } = translateKind(translation, input, testContext({ tenant: { egressPolicy }, objects: [input] }));
          expect(at(edit.object, 'spec', 'podSelector', 'matchLabels')).toMatchObject({
            'tenantplane.io/tenant': 'dev',
            'tenantplane.io/virtual-namespace': 'b',
          });
          for (const [direction, field] of [
            ['ingress', 'from'],
            ['egress', 'to'],
          ] as const) {
            const list = objectAt(edit.object, 'spec')?.[direction];
            if (!Array.isArray(list)) continue;
            expect(list.every(isObject)).toBe(true);
            for (const rule of objectsOf(list)) {
              const peers = rule[field];
              expect(Array.isArray(peers) && peers.length > 0 && peers.every(isObject)).toBe(true);
              for (const given of objectsOf(peers)) {
                const keys = Object.keys(given).join();
                expect(['podSelector', 'ipBlock']).toContain(keys);
                if (keys === 'podSelector') expect(at(given, 'podSelector', 'matchLabels', 'tenantplane.io/tenant')).toBe('dev');
                else
                  expect([direction, egressPolicy, at(given, 'ipBlock', 'cidr') === '10.0.0.0/8']).toEqual([
                    'egress',
                    'unrestricted',
                    false,
                  ]);
              }
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
