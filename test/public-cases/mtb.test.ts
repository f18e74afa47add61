import { describe, expect, it } from 'vitest';
import type { Level } from '../../src/core/plan/settings.ts';
import { devPackage, planFiles, profile } from '../support/observe.ts';
import { decisionsOf } from './case.ts';
import { configMap, deployment, pod, podWith, service } from './pods.ts';

/**
 * The checks of the multi-tenancy benchmark (kubectl-mtb, profile levels 1 and 2) that a render can answer. kubectl-mtb asks a live
 * cluster whether an attempt is refused; here the attempt is a file. At level baseline two checks are not met, by design.
 */
const CHECKS: readonly (readonly [id: string, attempt: string, object: string, atBaseline?: 'allowed'])[] = [
  ['PL1-CC-CPI-1', 'reach a resource of the cluster', 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: x}\n'],
  ['PL1-BC-CPI-3', 'add a capability', podWith('securityContext: {capabilities: {add: [SYS_ADMIN]}}', 'containers', false)],
  [
    'PL1-BC-CPI-4',
    'run as root',
    podWith('securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsUser: 0}', 'containers', false),
    'allowed',
  ],
  ['PL1-BC-CPI-5', 'run a privileged container', podWith('securityContext: {privileged: true}', 'containers', false)],
  [
    'PL1-BC-CPI-6',
    'escalate privileges',
    podWith('securityContext: {allowPrivilegeEscalation: true, runAsNonRoot: true, capabilities: {drop: [ALL]}}', 'containers', false),
    'allowed',
  ],
  [
    'PL1-CC-TI-1',
    'change the quota',
    'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: tenantplane-quota}\nspec: {hard: {pods: "10000"}}\n',
  ],
  [
    'PL2-CC-TI-1',
    'escalate a role',
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: x}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\n',
  ],
  ['PL1-BC-HI-1 (a)', 'mount the node’s disk', pod('volumes: [{name: v, hostPath: {path: /}}]')],
  ['PL1-BC-HI-1 (b)', 'open a port on every node', service('type: NodePort\nselector: {app: web}\nports: [{port: 80}]')],
  ['PL1-BC-HI-3', 'share the node’s network', pod('hostNetwork: true')],
  ['PL1-BC-HI-3', 'take a port of the node', podWith('ports: [{containerPort: 80, hostPort: 80}]')],
  ['PL1-BC-HI-4', 'share the node’s processes', pod('hostPID: true')],
  ['PL1-BC-HI-5', 'share the node’s IPC', pod('hostIPC: true')],
];

function rendered(object: string, level: Level): boolean {
  const result = planFiles(devPackage({ 'x.yaml': object }, { profile: profile('restricted', level) }));
  const found = decisionsOf(result).filter(({ source }) => source?.file.path === 'tenants/dev/objects/x.yaml');
  expect(found).toHaveLength(1);
  return found[0]?.action === 'Create';
}

describe('the multi-tenancy benchmark', () => {
  for (const level of ['baseline', 'restricted', 'sandboxed'] as const)
    it.each(CHECKS.map(([id, attempt, object, low]) => [id, attempt, object, level === 'baseline' && low === 'allowed'] as const))(
      `${level}: MTB-%s: a tenant may %s`,
      (_id, _attempt, object, allowed) => {
        expect(rendered(object, level)).toBe(allowed);
      },
    );

  it('has attempts that fail for their own reason: the same objects without the attempt are rendered', () => {
    for (const fine of [
      pod(),
      podWith('ports: [{containerPort: 80}]'),
      deployment(),
      service('selector: {app: web}\nports: [{port: 80}]'),
      configMap('a'),
    ])
      expect(rendered(fine, 'restricted')).toBe(true);
  });
});
