import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/core/kube/json.ts';
import { objectAt } from '../../../../src/core/kube/json.ts';
import { matchesSelector } from '../../../../src/core/kube/labels.ts';
import { testContext } from '../../context.ts';
import { podSpec, render, renderUnchecked, workload } from '../../pods.ts';

const namespace = (name: string, labels: JsonObject = {}) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
const ctx = testContext({ objects: [namespace('default'), namespace('shop', { team: 'blue' }), namespace('pay', { team: 'blue' })] });
const TENANT = 'tenantplane.io/tenant';
const NAMESPACE = 'tenantplane.io/virtual-namespace';
const KEY = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const term = (fields: JsonObject): JsonObject => ({
  topologyKey: 'kubernetes.io/hostname',
  labelSelector: { matchLabels: { app: 'a' } },
  ...fields,
});
const required = (fields: JsonObject, group = 'podAntiAffinity') => {
  const rendered = render(workload('Deployment', podSpec({ affinity: { [group]: { [KEY]: [term(fields)] } } })), ctx);
  const terms = objectAt(rendered.spec, 'affinity', group)?.[KEY];
  return { ...rendered, term: (Array.isArray(terms) ? terms[0] : undefined) as JsonObject | undefined };
};
/** Which virtual namespaces the rendered term reaches, asked as the scheduler would. */
const reach = (fields: JsonObject): string[] => {
  const selector = objectAt(required(fields).term, 'labelSelector');
  return ['default', 'shop', 'pay', 'new'].filter(
    (name) =>
      selector !== undefined &&
      matchesSelector(
        selector,
        new Map([
          ['app', 'a'],
          [TENANT, 'dev'],
          [NAMESPACE, name],
        ]),
      ),
  );
};

describe('a term of pod affinity', () => {
  it('speaks of the pod’s own virtual namespace where it names none', () => {
    expect(required({}).term).toEqual({
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: { matchLabels: { app: 'a', [TENANT]: 'dev', [NAMESPACE]: 'default' } },
    });
  });

  it('never speaks of pods of another tenant', () => {
    for (const fields of [{}, { namespaceSelector: {} }, { labelSelector: {} }, { namespaces: ['shop'] }]) {
      const selector = objectAt(required(fields).term, 'labelSelector') ?? {};
      for (const name of ['default', 'shop']) {
        const labels = new Map([
          ['app', 'a'],
          [TENANT, 'other'],
          [NAMESPACE, name],
        ]);
        expect(matchesSelector(selector, labels)).toBe(false);
      }
    }
  });

  it('reaches the namespaces that it lists, selects, or both: a union', () => {
    expect(reach({ namespaces: ['shop', 'new'] })).toEqual(['shop', 'new']);
    expect(reach({ namespaceSelector: { matchLabels: { team: 'blue' } } })).toEqual(['shop', 'pay']);
    expect(reach({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'pay' } } })).toEqual(['pay']);
    expect(reach({ namespaces: ['default'], namespaceSelector: { matchLabels: { team: 'blue' } } })).toEqual(['default', 'shop', 'pay']);
  });

  it('reaches all of the tenant’s with an empty namespace selector', () => {
    expect(required({ namespaceSelector: {} }).term).toMatchObject({ labelSelector: { matchLabels: { app: 'a', [TENANT]: 'dev' } } });
    expect(reach({ namespaceSelector: {}, namespaces: ['shop'] })).toEqual(['default', 'shop', 'pay', 'new']);
  });

  it('carries no namespaces of its own to the host', () => {
    const host = required({ namespaces: ['shop'], namespaceSelector: {} }).term;
    expect(host).not.toHaveProperty('namespaces');
    expect(host).not.toHaveProperty('namespaceSelector');
  });

  it('is dropped where it reaches nothing: In [] is no legal condition', () => {
    const rendered = required({ namespaceSelector: { matchLabels: { team: 'none' } } });
    expect(rendered.term).toBeUndefined();
    expect(rendered.note('AffinityDropped')?.params['pointer']).toContain('podAntiAffinity');
    expect(JSON.stringify(rendered.spec)).not.toContain('"values":[]');
  });

  it('without a selector matches nothing and stays so', () => {
    expect(required({ labelSelector: null }).term).toEqual({ topologyKey: 'kubernetes.io/hostname', labelSelector: null });
  });

  it('keeps matchLabelKeys under the host’s keys, and takes what a server merged out of the selector', () => {
    const labelSelector = {
      matchLabels: { app: 'a' },
      matchExpressions: [
        { key: 'pod-template-hash', operator: 'In', values: ['1'] },
        { key: 'tier', operator: 'NotIn', values: ['2'] },
        { key: 'kept', operator: 'Exists' },
      ],
    };
    const host = required({ labelSelector, matchLabelKeys: ['pod-template-hash', 'helm.sh/chart'], mismatchLabelKeys: ['tier'] }).term;
    expect(host).toMatchObject({ matchLabelKeys: ['pod-template-hash', 't.tenantplane.io/helm.sh_chart'], mismatchLabelKeys: ['tier'] });
    expect(objectAt(host, 'labelSelector')?.['matchExpressions']).toEqual([{ key: 'kept', operator: 'Exists' }]);
  });

  it('is translated where it is preferred, weight kept', () => {
    const affinity = { podAffinity: { [PREFERRED]: [{ weight: 7, podAffinityTerm: term({ namespaces: ['shop'] }) }] } };
    const { spec } = render(workload('Deployment', podSpec({ affinity })), ctx);
    const terms = objectAt(spec, 'affinity', 'podAffinity')?.[PREFERRED];
    expect(terms).toMatchObject([{ weight: 7, podAffinityTerm: { labelSelector: { matchLabels: { [NAMESPACE]: 'shop' } } } }]);
  });

  it('that names an illegal namespace refuses the object', () => {
    const affinity = { podAffinity: { [KEY]: [term({ namespaces: ['A b'] })] } };
    const { edit } = renderUnchecked(workload('Deployment', podSpec({ affinity })), ctx);
    expect(edit.refusals.map(({ reason }) => reason)).toEqual(['InvalidName']);
  });
});

describe('names in a selector of a term', () => {
  const JOB = 'batch.kubernetes.io/job-name';
  const POD = 'statefulset.kubernetes.io/pod-name';
  const selectorOf = (labelSelector: JsonObject, fields: JsonObject): JsonObject | undefined =>
    objectAt(required({ ...fields, labelSelector }).term, 'labelSelector');

  it('are those of the one namespace that the term selects', () => {
    for (const fields of [
      { namespaces: ['shop'] },
      { namespaces: [], namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } },
    ])
      expect(selectorOf({ matchLabels: { [JOB]: 'load', [POD]: 'db-1' } }, fields)?.['matchLabels']).toEqual({
        [JOB]: 'load-x-shop-x-dev',
        [POD]: 'db-x-shop-x-dev-1',
        [TENANT]: 'dev',
        [NAMESPACE]: 'shop',
      });
    expect(selectorOf({ matchLabels: { [JOB]: 'load' } }, {})?.['matchLabels']).toMatchObject({ [JOB]: 'load-x-default-x-dev' });
  });

  it('are those of each namespace where it selects several: the namespace says which', () => {
    const selector = selectorOf(
      { matchLabels: { [JOB]: 'load', app: 'a' }, matchExpressions: [{ key: POD, operator: 'NotIn', values: ['db-0', 'db-1'] }] },
      { namespaces: ['shop', 'pay'] },
    );
    expect(selector).toEqual({
      matchLabels: { app: 'a', [TENANT]: 'dev' },
      matchExpressions: [
        {
          key: POD,
          operator: 'NotIn',
          values: ['db-x-pay-x-dev-0', 'db-x-shop-x-dev-0', 'db-x-pay-x-dev-1', 'db-x-shop-x-dev-1'],
        },
        { key: JOB, operator: 'In', values: ['load-x-pay-x-dev', 'load-x-shop-x-dev'] },
        { key: NAMESPACE, operator: 'In', values: ['pay', 'shop'] },
      ],
    });
  });

  it('are those of all namespaces of the tenant where it selects all', () => {
    expect(selectorOf({ matchLabels: { [JOB]: 'load' } }, { namespaceSelector: {} })).toEqual({
      matchLabels: { [TENANT]: 'dev' },
      matchExpressions: [{ key: JOB, operator: 'In', values: ['load-x-default-x-dev', 'load-x-pay-x-dev', 'load-x-shop-x-dev'] }],
    });
  });
});

describe('node affinity', () => {
  it('speaks of nodes and is never touched', () => {
    const nodeAffinity = {
      [KEY]: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: 'helm.sh/x', operator: 'Exists' },
              { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['n'] },
            ],
          },
        ],
      },
    };
    const { spec } = render(workload('Deployment', podSpec({ affinity: { nodeAffinity } })), ctx);
    expect(spec['affinity']).toEqual({ nodeAffinity });
  });
});

describe('topology spread', () => {
  const spread = (fields: JsonObject): Json | undefined => {
    const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', ...fields };
    const { spec } = render(workload('Deployment', podSpec({ topologySpreadConstraints: [constraint] })), ctx);
    return Array.isArray(spec['topologySpreadConstraints']) ? spec['topologySpreadConstraints'][0] : undefined;
  };

  it('counts pods of the same virtual namespace', () => {
    expect(spread({ labelSelector: { matchLabels: { app: 'a' } } })).toMatchObject({
      labelSelector: { matchLabels: { app: 'a', [TENANT]: 'dev', [NAMESPACE]: 'default' } },
    });
  });

  it('keeps a selector that is absent absent', () => {
    expect(spread({})).not.toHaveProperty('labelSelector');
  });

  it('never says a key twice, which servers from 1.34 refuse', () => {
    const labelSelector = { matchExpressions: [{ key: 'pod-template-hash', operator: 'In', values: ['1'] }] };
    const host = spread({ labelSelector, matchLabelKeys: ['pod-template-hash'] });
    expect(host).toMatchObject({ matchLabelKeys: ['pod-template-hash'] });
    expect(objectAt(host, 'labelSelector')).not.toHaveProperty('matchExpressions');
  });
});
