import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import { testContext } from '../../context.ts';
import { container, first, pod, podSpec, refusalsOf, render, SAFE } from '../../pods.ts';

const restricted = testContext();
const complete = testContext({ profile: { completePodSecurity: 'all' } });
const baseline = testContext({ profile: { level: 'baseline', podSecurity: 'baseline', completePodSecurity: 'all' } });
const bare = (fields: JsonObject = {}, spec: JsonObject = {}) => pod({ containers: [{ name: 'app', image: 'a', ...fields }], ...spec });

describe('what is stamped for Pod Security', () => {
  it('is seccomp alone from restricted up', () => {
    const { spec } = render(pod(podSpec()), restricted);
    expect(spec['securityContext']).toEqual({ seccompProfile: { type: 'RuntimeDefault' } });
    expect(first(spec)['securityContext']).toEqual(SAFE);
  });

  it('is everything where the profile completes all', () => {
    const { spec } = render(bare(), complete);
    expect(spec['securityContext']).toEqual({ seccompProfile: { type: 'RuntimeDefault' }, runAsNonRoot: true });
    expect(first(spec)['securityContext']).toEqual({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
  });

  it('is nothing at baseline', () => {
    const { spec } = render(bare(), baseline);
    expect(spec).not.toHaveProperty('securityContext');
    expect(first(spec)).not.toHaveProperty('securityContext');
  });

  it('never overrides what is set', () => {
    const securityContext = {
      capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    };
    const { spec } = render(bare({ securityContext }), complete);
    expect(first(spec)['securityContext']).toEqual({ ...securityContext, allowPrivilegeEscalation: false });
    // Every container says for itself; the pod has nothing to add.
    expect(spec).not.toHaveProperty('securityContext');
  });

  it('fills the pod’s own context, other fields kept', () => {
    const { spec } = render(bare({}, { securityContext: { fsGroup: 1000, runAsUser: 1000 } }), complete);
    expect(spec['securityContext']).toEqual({
      fsGroup: 1000,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
      runAsNonRoot: true,
    });
  });

  it('is not what only Linux has, on Windows: the API server refuses it there', () => {
    const { spec } = render(bare({}, { os: { name: 'windows' } }), complete);
    expect(spec['securityContext']).toEqual({ runAsNonRoot: true });
    expect(first(spec)).not.toHaveProperty('securityContext');
  });

  it('is not runAsNonRoot in a user namespace, where the host asks for none', () => {
    const ctx = testContext({ profile: { completePodSecurity: 'all' }, host: { minor: 36 } });
    const { spec } = render(bare({}, { hostUsers: false }), ctx);
    expect(spec['securityContext']).toEqual({ seccompProfile: { type: 'RuntimeDefault' } });
    expect(spec['hostUsers']).toBe(false);
  });

  it('makes what is rendered pass the same check without any stamp', () => {
    for (const [object, ctx] of [
      [pod(podSpec({ initContainers: [container({ name: 'init' })] })), restricted],
      [bare(), complete],
      [bare({}, { os: { name: 'windows' } }), complete],
    ] as const) {
      const { spec } = render(object, ctx);
      const again = testContext({ profile: { completePodSecurity: 'seccomp' } });
      expect(refusalsOf(pod(spec), again)).toEqual([]);
    }
  });
});
