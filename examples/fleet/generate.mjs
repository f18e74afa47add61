// Writes the fifty tenants of this example: node examples/fleet/generate.mjs
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

const root = join(import.meta.dirname, 'tenants');
const teams = ['atlas', 'birch', 'coral', 'delta', 'ember', 'fjord', 'grove', 'heron', 'iris', 'juniper'];
const profileOf = { dev: 'open', test: 'open', load: 'standard', stage: 'standard', prod: 'sealed' };

rmSync(root, { recursive: true, force: true });
for (const [index, team] of teams.entries()) {
  for (const stage of Object.keys(profileOf)) {
    const folder = join(root, `${team}-${stage}`);
    mkdirSync(join(folder, 'objects'), { recursive: true });
    writeFileSync(join(folder, 'tenant.yaml'), yaml([tenant(team, stage)]));
    writeFileSync(join(folder, 'objects', 'app.yaml'), yaml(objects(index, team, stage)));
  }
}

function yaml(documents) {
  return documents.map((document) => stringify(document, { lineWidth: 0, compat: 'yaml-1.1' })).join('---\n');
}

function tenant(team, stage) {
  const name = `${team}-${stage}`;
  return {
    apiVersion: 'tenantplane.io/v1alpha1',
    kind: 'TenantCluster',
    metadata: { name, namespace: name },
    spec: {
      isolationProfileRef: { name: profileOf[stage] },
      syncPolicyRef: { name: 'fleet' },
      networking: { egressPolicy: 'allow-same-tenant', ingressHostSuffixes: [`${name}.example.com`] },
      resources: stage === 'prod' ? { cpu: '4', memory: '8Gi' } : { cpu: '2', memory: '4Gi' },
    },
  };
}

/** Four objects in every tenant; every third team has an Ingress and every production tenant a disruption budget. */
function objects(index, team, stage) {
  const list = [settings(team, stage), deployment(team, stage), service(team), index % 2 === 0 ? sweep(team) : autoscaler(team)];
  if (index % 3 === 0) list.push(ingress(team, stage));
  if (stage === 'prod') list.push(budget(team));
  if (team === 'heron' && stage === 'dev') list.push(sniffer());
  return list;
}

function settings(team, stage) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { STAGE: stage, TEAM: team } };
}

function pod(image, rest) {
  return {
    automountServiceAccountToken: false,
    containers: [
      {
        name: 'main',
        image: `registry.example.com/${image}`,
        envFrom: [{ configMapRef: { name: 'settings' } }],
        ...rest,
        resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { cpu: '100m', memory: '64Mi' } },
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 10001,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  };
}

function deployment(team, stage) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: team },
    spec: {
      selector: { matchLabels: { app: team } },
      template: {
        metadata: { labels: { app: team, stage } },
        spec: pod(`${team}/server:1.0.0`, { ports: [{ name: 'http', containerPort: 8080 }] }),
      },
    },
  };
}

function service(team) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: team },
    spec: { selector: { app: team }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  };
}

function sweep(team) {
  const spec = { restartPolicy: 'Never', ...pod(`${team}/sweep:1.0.0`, { args: ['--target', `http://${team}:80`] }) };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'sweep' },
    spec: { schedule: '0 4 * * *', jobTemplate: { spec: { template: { spec } } } },
  };
}

function autoscaler(team) {
  const target = { type: 'Utilization', averageUtilization: 80 };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: team },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: team },
      minReplicas: 2,
      maxReplicas: 3,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    },
  };
}

function ingress(team, stage) {
  const backend = { service: { name: team, port: { name: 'http' } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: team },
    spec: { rules: [{ host: `www.${team}-${stage}.example.com`, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  };
}

function budget(team) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: team },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: team } } },
  };
}

/** The odd one out: it asks for the node's network, and is told why not. */
function sniffer() {
  const container = { name: 'main', image: 'registry.example.com/heron/sniffer:0.1.0' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'sniffer' },
    spec: { hostNetwork: true, automountServiceAccountToken: false, containers: [container] },
  };
}
