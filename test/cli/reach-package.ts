import { put, scratch } from './tree/disk.ts';

const POD = (ports: string): string =>
  `{securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, containers: [{name: main, image: 'r.example/a:1', securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}, ports: ${ports}}]}`;
const deployment = (
  name: string,
  namespace: string,
  ports = '[{name: http, containerPort: 8080}]',
  labels = `{app: ${name}}`,
): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template: {metadata: {labels: ${labels}}, spec: ${POD(ports)}}
`;
const TENANT = (name: string, egress: string, profile = 'restricted'): string => `apiVersion: tenantplane.io/v1alpha1
kind: TenantCluster
metadata: {name: ${name}, namespace: team-${name}}
spec:
  isolationProfileRef: {name: ${profile}}
  syncPolicyRef: {name: default}
  networking:
    egressPolicy: ${egress}
`;
export const FACTS = `apiVersion: fn.tenantplane.io/v1alpha1
kind: HostFacts
metadata: {name: host}
spec: {networkPolicies: enforced}
`;
export const DB_POLICY = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db, namespace: shop}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress:
    - from: [{namespaceSelector: {matchLabels: {no: such}}}]
    - from:
        - podSelector: {matchLabels: {app: web}}
      ports: [{port: 5432}]
`;

export const FLEET: Readonly<Record<string, string>> = {
  'platform/platform.yaml': `apiVersion: tenantplane.io/v1alpha1
kind: IsolationProfile
metadata: {name: restricted}
spec:
  level: restricted
  allow: {gatewayNamespaces: [gateways]}
---
apiVersion: tenantplane.io/v1alpha1
kind: SyncPolicy
metadata: {name: default}
spec:
  resources:
    - {apiVersion: apps/v1, kind: Deployment, direction: toHost}
    - {apiVersion: v1, kind: Service, direction: toHost}
    - {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, direction: toHost}
`,
  'facts.yaml': FACTS,
  'tenants/dev/tenant.yaml': `${TENANT('dev', 'allow-same-tenant')}    dns: server\n    dnsServiceIP: 10.96.200.53\n`,
  'tenants/dev/objects/app.yaml': [
    deployment('web', 'shop'),
    deployment('db', 'shop', '[{name: sql, containerPort: 5432}]'),
    deployment('web', 'back'),
    `apiVersion: v1\nkind: Service\nmetadata: {name: db, namespace: shop}\nspec: {selector: {app: db}, ports: [{name: sql, port: 15432, targetPort: sql}]}\n`,
    `apiVersion: v1\nkind: Service\nmetadata: {name: lone, namespace: shop}\nspec: {selector: {app: nobody}, ports: [{port: 1}]}\n`,
    deployment('spy', 'shop').replace('}]}}\n', '}], volumes: [{name: v, hostPath: {path: /}}]}}\n'),
    DB_POLICY,
  ].join('---\n'),
  'tenants/prod/tenant.yaml': TENANT('prod', 'unrestricted'),
  'tenants/prod/objects/app.yaml': deployment('shop', 'default'),
};

export function fleet(more: Readonly<Record<string, string>> = {}): string {
  const cwd = scratch();
  put(cwd, { ...FLEET, ...more });
  return cwd;
}
