import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import { tolerationAllowed } from '../../../../src/core/translate/pod/scheduling.ts';
import { testContext } from '../../context.ts';
import { podSpec, render, workload } from '../../pods.ts';

const deployment = (fields: JsonObject) => workload('Deployment', podSpec(fields));
const notReady = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 };

describe('tolerations', () => {
  it('pass by allow-list, what is dropped is said', () => {
    const tolerations = [notReady, { operator: 'Exists' }, { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }];
    const { spec, notes } = render(deployment({ tolerations }), testContext());
    expect(spec['tolerations']).toEqual([notReady]);
    expect(notes.filter(({ reason }) => reason === 'TolerationDropped').map(({ params }) => params['key'])).toEqual([
      'every taint',
      'node-role.kubernetes.io/control-plane',
    ]);
  });

  it('leave no empty list behind', () => {
    expect(render(deployment({ tolerations: [{ operator: 'Exists' }] }), testContext()).spec).not.toHaveProperty('tolerations');
  });

  const rows: readonly (readonly [JsonObject, JsonObject, boolean])[] = [
    [{ key: 'gpu', operator: 'Exists' }, { key: 'gpu' }, true],
    [{ key: 'gpu', operator: 'Equal', value: 'a' }, { key: 'gpu' }, true],
    [{ key: 'gpu', value: 'a' }, { key: 'gpu', value: 'a' }, true],
    [{ key: 'gpu', value: 'b' }, { key: 'gpu', value: 'a' }, false],
    [{ key: 'gpu', operator: 'Exists' }, { key: 'gpu', value: 'a' }, false],
    [{ key: 'gpu', operator: 'Exists' }, { key: 'gpu', operator: 'Equal' }, false],
    // An operator that is left out is Equal; Gt and Lt tolerate a range of values (KEP-5471).
    [{ key: 'gpu', value: '5' }, { key: 'gpu', operator: 'Equal', value: '5' }, true],
    [{ key: 'gpu', operator: '', value: '5' }, { key: 'gpu', operator: 'Equal' }, true],
    [{ key: 'gpu', operator: 'Gt', value: '5' }, { key: 'gpu', operator: 'Equal', value: '5' }, false],
    [{ key: 'gpu', operator: 'Lt', value: '5' }, { key: 'gpu', operator: 'Equal' }, false],
    [{ key: 'gpu', operator: 'Gt', value: '5' }, { key: 'gpu', value: '5' }, false],
    [{ key: 'gpu', operator: 'Gt', value: '5' }, { key: 'gpu', operator: 'Gt', value: '5' }, true],
    [{ key: 'gpu', operator: 'Gt', value: '4' }, { key: 'gpu', operator: 'Gt', value: '5' }, false],
    [{ key: 'gpu', operator: 'Lt', value: '5' }, { key: 'gpu', operator: 'Gt', value: '5' }, false],
    [{ key: 'gpu', operator: 'Gt', value: '5' }, { key: 'gpu', operator: 'Exists' }, true],
    [{ key: 'gpu', operator: 'Gt', value: '5' }, { key: 'gpu' }, true],
    [{ key: 'gpu', effect: 'NoSchedule' }, { key: 'gpu', effect: 'NoSchedule' }, true],
    [{ key: 'gpu', effect: 'NoExecute' }, { key: 'gpu', effect: 'NoSchedule' }, false],
    // No effect is every effect: more than the entry gives.
    [{ key: 'gpu' }, { key: 'gpu', effect: 'NoSchedule' }, false],
    [{ operator: 'Exists' }, { key: 'gpu' }, false],
    [{ operator: 'Exists' }, { key: '', operator: 'Exists' }, true],
    [{ key: 'other' }, { key: 'gpu' }, false],
  ];
  for (const [toleration, allowed, expected] of rows)
    it(`${JSON.stringify(toleration)} under ${JSON.stringify(allowed)} is ${expected ? 'allowed' : 'dropped'}`, () => {
      expect(tolerationAllowed(toleration, [{ key: '', ...allowed }])).toBe(expected);
    });
});

describe('a pool of nodes in mode dedicated', () => {
  const pool = {
    nodeSelector: { pool: 'dev' },
    tolerations: [{ key: 'tenantplane.io/pool', operator: 'Equal', value: 'dev', effect: 'NoSchedule' }],
  };
  const dedicated = testContext({ tenant: { mode: 'dedicated', nodePool: pool } });

  it('is stamped and wins over the tenant’s selector', () => {
    const { spec } = render(deployment({ nodeSelector: { pool: 'prod', disk: 'ssd' }, tolerations: [notReady] }), dedicated);
    expect(spec['nodeSelector']).toEqual({ pool: 'dev', disk: 'ssd' });
    expect(spec['tolerations']).toEqual([notReady, ...pool.tolerations]);
  });

  it('is stamped once where the tenant states it', () => {
    expect(render(deployment({ tolerations: pool.tolerations }), dedicated).spec['tolerations']).toEqual(pool.tolerations);
  });

  it('is nothing in mode shared, where the tenant’s selector is kept', () => {
    const { spec } = render(deployment({ nodeSelector: { disk: 'ssd' } }), testContext({ tenant: { nodePool: pool } }));
    expect(spec['nodeSelector']).toEqual({ disk: 'ssd' });
    expect(spec).not.toHaveProperty('tolerations');
  });
});

describe('a priority', () => {
  const fields = { priorityClassName: 'system-node-critical', priority: 2000000000, preemptionPolicy: 'Never' };

  it('of the host goes, with the number and the preemption policy', () => {
    const { spec, note } = render(deployment(fields), testContext());
    for (const field of Object.keys(fields)) expect(spec).not.toHaveProperty(field);
    expect(note('PriorityDropped')?.params['class']).toBe('system-node-critical');
  });

  it('that the profile allows stays by name; the host fills in the rest', () => {
    const ctx = testContext({ allow: { priorityClasses: ['tenant'] } });
    const { spec, note } = render(deployment({ ...fields, priorityClassName: 'tenant' }), ctx);
    expect(spec['priorityClassName']).toBe('tenant');
    expect(spec).not.toHaveProperty('priority');
    expect(note('PriorityDropped')).toBeUndefined();
  });

  it('that is a number alone goes too', () => {
    const { spec, note } = render(deployment({ priority: 1000 }), testContext());
    expect(spec).not.toHaveProperty('priority');
    expect(note('PriorityDropped')?.params['class']).toBe('1000');
  });
});

describe('a runtime class', () => {
  const sandboxed = testContext({ profile: { level: 'sandboxed' } });

  it('is the profile’s, and the override is said', () => {
    const { spec, note } = render(deployment({ runtimeClassName: 'runc', overhead: { cpu: '1m' } }), sandboxed);
    expect(spec['runtimeClassName']).toBe('kata-qemu');
    expect(spec).not.toHaveProperty('overhead');
    expect(note('RuntimeClassForced')?.params).toEqual({ value: 'kata-qemu', asked: 'runc' });
  });

  it('is stamped in silence where the tenant names the same, or none', () => {
    for (const fields of [{}, { runtimeClassName: 'kata-qemu' }]) {
      const { spec, note } = render(deployment(fields), sandboxed);
      expect(spec['runtimeClassName']).toBe('kata-qemu');
      expect(note('RuntimeClassForced')).toBeUndefined();
    }
  });

  it('of the host is not the tenant’s to choose: it brings node selectors and tolerations', () => {
    const { spec, note } = render(deployment({ runtimeClassName: 'gpu' }), testContext());
    expect(spec).not.toHaveProperty('runtimeClassName');
    expect(note('RuntimeClassForced')?.params['asked']).toBe('gpu');
  });
});
