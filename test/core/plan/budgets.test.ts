import { describe, expect, it } from 'vitest';
import { decisionsOf } from '../../../src/report/tally.ts';
import { devPackage, type Files, planFiles, policy } from '../../support/observe.ts';

const KINDS = ['apps/v1/Deployment', 'apps/v1/StatefulSet', 'policy/v1/PodDisruptionBudget'];
const SCALER = 'autoscaling/v2/HorizontalPodAutoscaler';

const deployment = (name: string, replicas: number, container = '', kind = 'Deployment'): string =>
  `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: {replicas: ${replicas}, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {securityContext: {runAsNonRoot: true}, containers: [{name: c, image: a:1, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}${container}}}]}}}\n`;
const scaler = (metrics = ''): string =>
  `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 60, maxReplicas: 100${metrics}}\n`;
const EXTERNAL = ', metrics: [{type: External, external: {metric: {name: queue}, target: {type: Value, value: "1"}}}]';

function blocked(files: Files, kinds: readonly string[]): boolean {
  const budget =
    'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {minAvailable: 50, selector: {matchLabels: {app: web}}}\n';
  const decisions = decisionsOf(planFiles(devPackage({ 'm.yaml': budget, ...files }, { policy: policy(kinds) })));
  return decisions.some(({ source, reason }) => source?.kind === 'PodDisruptionBudget' && reason === 'DrainBlocked');
}

describe('a budget counts pods of what reaches the host', () => {
  it('and no autoscaler that stays behind', () => {
    const web = deployment('web', 1);
    expect(blocked({ 'a.yaml': web, 'z.yaml': scaler() }, [...KINDS, SCALER])).toBe(false);
    expect(blocked({ 'a.yaml': web, 'z.yaml': scaler() }, KINDS)).toBe(true);
    expect(blocked({ 'a.yaml': web, 'z.yaml': scaler(EXTERNAL) }, [...KINDS, SCALER])).toBe(true);
  });

  it.each(['Deployment', 'StatefulSet'])('and no workload that is refused, whatever its kind: %s', (kind) => {
    const web = deployment('web', 1);
    expect(blocked({ 'a.yaml': web, 'z.yaml': deployment('decoy', 100, ', privileged: true', kind) }, KINDS)).toBe(true);
    expect(blocked({ 'a.yaml': web, 'z.yaml': deployment('more', 100, '', kind) }, KINDS)).toBe(false);
  });
});
