import type { InputObject } from '../../src/core/plan/plan-types.ts';
import { readDocuments } from '../../src/krm/yaml/read.ts';
import { DEFAULT_CONFIG, type Rendered, render } from './example.ts';
import { ALL_KINDS, policy, profile, tenant } from './observe.ts';

export const LEVELS = ['baseline', 'restricted', 'sandboxed'] as const;
export const EGRESS = ['deny-by-default', 'allow-same-tenant', 'unrestricted'] as const;

/** Workloads, a Service behind an Ingress, and where asked policies of the tenant's own, one of them for everyone. */
const APP = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  selector: {matchLabels: {zone: a, app: web}}
  template:
    metadata: {labels: {zone: a, app: web}}
    spec: {containers: [{name: web, image: registry.example.com/web:1, ports: [{name: http, containerPort: 8080}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec: {selector: {zone: a, app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: default}
spec:
  ingressClassName: nginx
  rules: [{host: web.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
`;

const POLICIES = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: default}
spec:
  podSelector: {matchLabels: {zone: a, app: web}}
  ingress: [{ports: [{port: 8080}]}, {from: [{podSelector: {}}], ports: [{port: 9090}]}]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: batch, namespace: jobs}
spec:
  podSelector: {matchExpressions: [{key: tier, operator: NotIn, values: [b, a]}]}
  policyTypes: [Egress]
  egress: [{to: [{ipBlock: {cidr: 203.0.113.0/24}}, {podSelector: {matchLabels: {app: web}}}]}]
`;

/**
 * A tenant for each level and egress policy that can be had together, half of them with policies of their own, with gateways, a DNS server
 * or several members of a control plane here and there.
 */
export function boundaryMatrix(): Rendered {
  const files: Record<string, string> = { 'platform/policy.yaml': policy(ALL_KINDS) };
  for (const level of LEVELS) {
    files[`platform/${level}.yaml`] = profile(
      level,
      level,
      `  podSecurity: {complete: all}
  allow: {ingressClasses: [nginx], gatewayNamespaces: [ingress-nginx], ingressHostSuffixes: [example.com]}
  network: {hostCIDRs: [10.244.0.0/16]}
`,
    );
  }
  for (const level of LEVELS) {
    for (const egress of EGRESS) {
      if (level === 'sandboxed' && egress === 'unrestricted') continue;
      for (const policies of [false, true]) {
        const name = `${level.slice(0, 4)}-${egress.slice(0, 4)}-${policies ? 'own' : 'none'}`;
        const spec = `  networking: {egressPolicy: ${egress}${policies ? '' : `, dns: server, dnsServiceIP: ${address(files)}`}}
  controlPlane: ${policies ? '{replicas: 3, datastore: {type: etcd}, expose: {loadBalancer: true}}' : '{}'}
`;
        files[`tenants/${name}/tenant.yaml`] = tenant(name, { profile: level, spec });
        files[`tenants/${name}/objects/app.yaml`] = APP.replace('web.example.com', `${name}.example.com`);
        if (policies) files[`tenants/${name}/objects/policies.yaml`] = POLICIES;
      }
    }
  }
  const inputs = Object.entries(files).flatMap(([path, text]): readonly InputObject[] => readDocuments(text, path).objects);
  return render(inputs, { ...DEFAULT_CONFIG, host: { version: '1.37', serviceCIDRs: ['10.96.0.0/16'] } });
}

/** Addresses of DNS servers are the host's to give out, each once. */
function address(files: Readonly<Record<string, string>>): string {
  return `10.96.7.${Object.keys(files).length}`;
}
