import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OBJECTS_A_TENANT = 500;
const OBJECTS_A_FILE = 100;

/** A package of `count` tenant objects of about 1.3 KB each, 500 a tenant and 100 a file. The same count gives the same bytes. */
export function writePackage(folder: string, count: number, perTenant: number = OBJECTS_A_TENANT): void {
  write(join(folder, 'platform', 'policies.yaml'), POLICY);
  write(join(folder, 'platform', 'profiles.yaml'), PROFILE);
  for (let tenant = 0; tenant * perTenant < count; tenant += 1) {
    const name = `t${String(tenant).padStart(3, '0')}`;
    const home = join(folder, 'tenants', name);
    write(join(home, 'tenant.yaml'), tenantCluster(name));
    const size = Math.min(perTenant, count - tenant * perTenant);
    for (let first = 0; first < size; first += OBJECTS_A_FILE) {
      const objects = range(first, Math.min(first + OBJECTS_A_FILE, size)).map(tenantObject);
      write(join(home, 'objects', `part-${String(first / OBJECTS_A_FILE).padStart(2, '0')}.yaml`), objects.join('---\n'));
    }
  }
}

/** Objects that are no tenant's, as they stand in any other package: what a function must hand on untouched. */
export function foreignObjects(count: number): string[] {
  return range(0, count).map((i) => tenantObject(i).replace('  namespace: default\n', `  namespace: other-${i}\n`));
}

/** The object with that number: three ConfigMaps, four Deployments, two Services and a NetworkPolicy in ten. */
export function tenantObject(i: number): string {
  const name = `app-${String(i).padStart(4, '0')}`;
  const slot = i % 10;
  if (slot < 3) return configMap(name, i);
  if (slot < 7) return deployment(name, i);
  return slot < 9 ? service(name, i) : networkPolicy(name, i);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function write(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

const head = (apiVersion: string, kind: string, name: string, i: number): string => `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name}
  namespace: default
  labels:
    app: ${name}
    team: team-${i % 7}
    tier: ${i % 2 === 0 ? 'front' : 'back'}
  annotations:
    description: "Number ${i} of the benchmark, owned by team ${i % 7}"
    checksum/config: ${'0123456789abcdef'.repeat(4)}
`;

function configMap(name: string, i: number): string {
  const settings = range(0, 12).map((n) => `  setting-${n}: "value ${i * n} of ${name}, section ${n}"\n`);
  const lines = range(0, 5).map((n) => `    setting.${n}.of.${name} = value-${i * n} # documented in the handbook\n`);
  return `${head('v1', 'ConfigMap', name, i)}data:
  mode: "on"
  port: "${8000 + (i % 1000)}"
${settings.join('')}  app.properties: |
${lines.join('')}`;
}

function deployment(name: string, i: number): string {
  return `${head('apps/v1', 'Deployment', name, i)}spec:
  replicas: ${1 + (i % 3)}
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
        tier: ${i % 2 === 0 ? 'front' : 'back'}
    spec:
      securityContext:
        runAsNonRoot: true
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: main
          image: registry.example.com/team/${name}:1.${i % 20}.3
          args: ["--listen=:8080", "--verbose"]
          ports:
            - name: http
              containerPort: 8080
          env:
            - name: MODE
              valueFrom:
                configMapKeyRef:
                  name: app-${String(i - (i % 10)).padStart(4, '0')}
                  key: mode
            - name: UPSTREAM
              value: app-${String(i - (i % 10) + 7).padStart(4, '0')}:80
          resources:
            requests:
              cpu: 50m
              memory: 64Mi
            limits:
              cpu: 200m
              memory: 128Mi
          securityContext:
            allowPrivilegeEscalation: false
            capabilities:
              drop: [ALL]
          readinessProbe:
            httpGet:
              path: /ready
              port: http
            periodSeconds: 5
`;
}

function service(name: string, i: number): string {
  return `${head('v1', 'Service', name, i)}spec:
  selector:
    app: app-${String(i - (i % 10) + 3).padStart(4, '0')}
    tier: ${i % 2 === 0 ? 'front' : 'back'}
  ports:
    - name: http
      port: 80
      targetPort: http
      protocol: TCP
    - name: metrics
      port: 9090
      targetPort: 9090
      protocol: TCP
`;
}

function networkPolicy(name: string, i: number): string {
  return `${head('networking.k8s.io/v1', 'NetworkPolicy', name, i)}spec:
  podSelector:
    matchLabels:
      app: app-${String(i - (i % 10) + 3).padStart(4, '0')}
  policyTypes: [Ingress]
  ingress:
    - from:
        - podSelector:
            matchLabels:
              tier: front
      ports:
        - port: 8080
          protocol: TCP
`;
}

const tenantCluster = (name: string): string => `apiVersion: tenantplane.io/v1alpha1
kind: TenantCluster
metadata:
  name: ${name}
  namespace: team-${name}
spec:
  isolationProfileRef:
    name: restricted
  syncPolicyRef:
    name: applications
  networking:
    egressPolicy: allow-same-tenant
`;

const PROFILE = `apiVersion: tenantplane.io/v1alpha1
kind: IsolationProfile
metadata:
  name: restricted
spec:
  level: restricted
`;

const KINDS: readonly (readonly [string, string])[] = [
  ['v1', 'ConfigMap'],
  ['v1', 'Service'],
  ['v1', 'Pod'],
  ['apps/v1', 'Deployment'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
];

const POLICY = `apiVersion: tenantplane.io/v1alpha1
kind: SyncPolicy
metadata:
  name: applications
spec:
  resources:
${KINDS.map(([apiVersion, kind]) => `    - { apiVersion: ${apiVersion}, kind: ${kind}, direction: toHost }\n`).join('')}`;
