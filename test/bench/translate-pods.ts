// Prints how many Pods the planner takes from object to host object in a CPU second of one core.
import { loadAll } from 'js-yaml';
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

plan({ ...observation, inputs: observation.inputs.slice(0, 1000) }); // compile what is hot
const rates: number[] = [];
for (let round = 0; round < 3; round += 1) {
  const before = process.cpuUsage();
  const made = plan(observation);
  const { user, system } = process.cpuUsage(before);
  const projected = made.tenants.flatMap((tenant) => tenant.files).filter(({ object }) => object['kind'] === 'Pod').length;
  if (projected !== PODS) throw new Error(`${projected} of ${PODS} pods projected`);
  rates.push(Math.round(PODS / ((user + system) / 1e6)));
}
process.stdout.write(`${Math.max(...rates)}\n`);
