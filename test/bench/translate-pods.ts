// Prints how many Pods a CPU second of one core translates (scope, policy, checks, translation), and how many it plans (with decisions and files).
import { loadAll } from 'js-yaml';
import { assign } from '../../src/core/plan/assign.ts';
import { draftTenant } from '../../src/core/plan/draft-tenant.ts';
import { resolveHost } from '../../src/core/plan/host-facts.ts';
import { readConfig } from '../../src/core/plan/read-config.ts';
import { type InputObject, type Observation, plan } from '../../src/index.ts';

const PODS = Number(process.argv[2] ?? 10_000);

const configuration = `
apiVersion: tenantplane.io/v1alpha1
kind: TenantCluster
metadata: { name: dev, namespace: team-dev }
spec: { isolationProfileRef: { name: restricted }, syncPolicyRef: { name: pods } }
---
apiVersion: tenantplane.io/v1alpha1
kind: IsolationProfile
metadata: { name: restricted }
spec: { level: restricted }
---
apiVersion: tenantplane.io/v1alpha1
kind: SyncPolicy
metadata: { name: pods }
spec: { resources: [{ apiVersion: v1, kind: Pod, direction: toHost }] }
`;

const pod = (i: number): string => `
apiVersion: v1
kind: Pod
metadata: { name: pod-${i}, namespace: default, labels: { app: web, team: t${i % 9} } }
spec:
  securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: RuntimeDefault } }
  containers:
    - name: main
      image: registry.example.com/web:1
      env:
        - { name: MODE, valueFrom: { configMapKeyRef: { name: settings, key: mode, optional: true } } }
      resources: { requests: { cpu: 50m, memory: 64Mi }, limits: { cpu: 100m, memory: 128Mi } }
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
  volumes:
    - { name: scratch, emptyDir: {} }
`;

const inputs = (text: string, path: string): InputObject[] =>
  (loadAll(text) as InputObject['object'][]).map((object, document) => ({ object, source: { path, document } }));

const observation: Observation = {
  inputs: [
    ...inputs(configuration, 'tenants/dev/tenant.yaml'),
    ...Array.from({ length: PODS }, (_, i) => inputs(pod(i), `tenants/dev/objects/pod-${i}.yaml`)).flat(),
  ],
  unreadable: [],
  config: { output: { config: 'include', shards: 1 }, host: { version: '1.34' }, allowEmpty: false, scope: 'everything' },
};

const assignment = assign(observation.inputs, observation.config);
const [ready] = readConfig(assignment, resolveHost(observation.config.host)).ready;
if (ready === undefined) throw new Error('the benchmark’s tenant is not legal');
const owned = assignment.owned.get('team-dev/dev') ?? [];

/** Pods in a CPU second, the median of the last rounds: the first ones compile. */
function rate(round: () => number): number {
  const rates: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    const before = process.cpuUsage();
    const done = round();
    const { user, system } = process.cpuUsage(before);
    if (done !== PODS) throw new Error(`${done} of ${PODS} pods projected`);
    rates.push(Math.round(PODS / ((user + system) / 1e6)));
  }
  return rates.slice(-3).sort((a, b) => a - b)[1] ?? 0;
}

const translated = rate(() => {
  const { projections } = draftTenant(ready.tenant, ready.profile, ready.policy, resolveHost(observation.config.host), owned);
  return projections.filter(({ refusals }) => refusals.length === 0).length;
});
const planned = rate(() => {
  const { tenants } = plan({ ...observation, keepFields: false });
  return tenants.flatMap((tenant) => tenant.files).filter(({ decision }) => decision.host?.kind === 'Pod').length;
});
process.stdout.write(`${translated} ${planned}\n`);
