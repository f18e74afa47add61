import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/kube/json.ts';
import { dotted } from '../../../src/core/kube/pointer.ts';
import { testContext } from '../context.ts';
import { container, pod, podSpec, refusalsOf } from '../pods.ts';

const REQUIRED = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';
const required = (term: JsonObject): JsonObject => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
});
const inList = (list: string, fields: JsonObject): JsonObject => {
  const item = container({ name: 'odd', ...fields });
  return list === 'containers' ? podSpec({ containers: [item] }) : podSpec({ [list]: [item] });
};
const ctx = testContext();

const CASES: readonly (readonly [threat: string, what: string, spec: JsonObject, reason: string, path: string])[] = [
  [
    'P4',
    'a node by its label',
    podSpec({ nodeSelector: { 'kubernetes.io/hostname': 'n' } }),
    'NodeChosen',
    'spec.nodeSelector["kubernetes.io/hostname"]',
  ],
  [
    'P4',
    'a node by its name',
    podSpec({ affinity: required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }) }),
    'NodeChosen',
    `${REQUIRED}.nodeSelectorTerms[0].matchFields[0]`,
  ],
  [
    'P4',
    'all nodes but those of others by name',
    podSpec({ affinity: required({ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['n'] }] }) }),
    'NodeChosen',
    `${REQUIRED}.nodeSelectorTerms[0].matchExpressions[0]`,
  ],
  [
    'P4',
    'a node that it prefers',
    podSpec({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'Exists' }] } },
          ],
        },
      },
    }),
    'NodeChosen',
    'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0]',
  ],
  ...(['nvidia.com/gpu', 'devices.kubevirt.io/kvm', 'hugepages-2Mi', 'deviceclass.resource.kubernetes.io/gpu'] as const).flatMap(
    (resource) =>
      (['containers', 'initContainers'] as const).map(
        (list) =>
          [
            'P21',
            `${resource} in ${list}`,
            inList(list, { resources: { limits: { [resource]: '1' } } }),
            'ExtendedResourceBlocked',
            `spec.${list}[0].resources.limits${resource.includes('/') ? `["${resource}"]` : `.${resource}`}`,
          ] as const,
      ),
  ),
  [
    'P21',
    'huge pages of the pod',
    podSpec({ resources: { limits: { 'hugepages-1Gi': '1Gi' } } }),
    'ExtendedResourceBlocked',
    'spec.resources.limits.hugepages-1Gi',
  ],
];

describe('a pod that chooses its node, or devices of it', () => {
  it.each(CASES)('%s: %s', (_, __, spec, reason, path) => {
    const [refusal] = refusalsOf(pod(spec), ctx);
    expect(refusal?.reason).toBe(reason);
    expect(dotted(refusal?.path ?? [])).toBe(path);
  });

  it('may have what the profile lists', () => {
    const spec = inList('containers', { resources: { limits: { 'nvidia.com/gpu': '1' } } });
    expect(refusalsOf(pod(spec), testContext({ allow: { extendedResources: ['nvidia.com/gpu'] } }))).toEqual([]);
  });
});
