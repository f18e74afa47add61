import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kube/json.ts';
import { testContext } from '../../context.ts';
import { container, podSpec, render, SAFE, workload } from '../../pods.ts';

const told = (spec: JsonObject, minor?: number): string[] =>
  render(workload('Deployment', podSpec(spec)), testContext(minor === undefined ? {} : { host: { minor } }))
    .notes.filter(({ reason }) => reason === 'NotEnforced')
    .map(({ params }) => `${params['field']}=${params['value']}`);

describe('a field that the host’s version drops in silence', () => {
  const rows: readonly (readonly [string, JsonObject, number, string])[] = [
    ['a user namespace', { hostUsers: false }, 33, 'hostUsers=false'],
    ['resources of a whole pod', { resources: { limits: { cpu: '1' } } }, 34, 'resources=set'],
    ['a sidecar', { initContainers: [container({ name: 'side', restartPolicy: 'Always' })] }, 29, 'restartPolicy=Always'],
    [
      'an AppArmor profile of the pod',
      { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } },
      30,
      'securityContext.appArmorProfile.type=RuntimeDefault',
    ],
    [
      'an AppArmor profile of a container',
      { containers: [container({ securityContext: { ...SAFE, appArmorProfile: { type: 'RuntimeDefault' } } })] },
      30,
      'securityContext.appArmorProfile.type=RuntimeDefault',
    ],
  ];
  for (const [title, spec, since, note] of rows)
    it(`is said before 1.${since}: ${title}`, () => {
      expect(told(spec, since - 1)).toEqual([note]);
      expect(told(spec, since)).toEqual([]);
      expect(told(spec)).toEqual([]);
    });
});
