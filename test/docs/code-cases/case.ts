import type { JsonObject } from '../../../src/core/kube/json.ts';

/** A small package that reaches one code, and what it is in words. */
export interface CodeCase {
  readonly code: string;
  /** a cell of the page: what was put in */
  readonly input: string;
  /** the tenant's objects, besides one ConfigMap */
  readonly objects?: readonly JsonObject[];
  /** files of the package, added or replaced */
  readonly files?: Readonly<Record<string, string>>;
  /** the package is rendered with what stands above; then these files change, undefined being removed */
  readonly later?: Readonly<Record<string, string | undefined>>;
  /** the command that renders it first, if not `render` */
  readonly first?: readonly string[];
  /** the command that is asked, if not `render -o json` */
  readonly argv?: readonly string[];
  /** where it is asked, below the package */
  readonly cwd?: string;
}

export function object(apiVersion: string, kind: string, name: string, rest: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name, namespace: 'default' }, ...rest };
}

/** An object with labels, annotations or another namespace. */
export function withMetadata(base: JsonObject, metadata: JsonObject): JsonObject {
  return { ...base, metadata: { ...(base['metadata'] as JsonObject), ...metadata } };
}

export const CONTAINER: JsonObject = {
  name: 'app',
  image: 'registry.example.com/app:1.0.0',
  resources: { requests: { cpu: '10m', memory: '16Mi' } },
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};

export function pod(name: string, spec: JsonObject = {}, container: JsonObject = {}): JsonObject {
  return object('v1', 'Pod', name, { spec: podSpec(spec, container) });
}

export function podSpec(spec: JsonObject = {}, container: JsonObject = {}): JsonObject {
  return { securityContext: { runAsNonRoot: true, runAsUser: 1000 }, containers: [{ ...CONTAINER, ...container }], ...spec };
}

export function workload(kind: 'Deployment' | 'StatefulSet', name: string, spec: JsonObject = {}): JsonObject {
  const app = { app: name };
  return object('apps/v1', kind, name, {
    spec: { selector: { matchLabels: app }, template: { metadata: { labels: app }, spec: podSpec() }, ...spec },
  });
}

export function ingress(name: string, host: string, path = '/', className = 'nginx'): JsonObject {
  const backend = { service: { name: 'web', port: { number: 80 } } };
  return object('networking.k8s.io/v1', 'Ingress', name, {
    spec: { ingressClassName: className, rules: [{ host, http: { paths: [{ path, pathType: 'Prefix', backend }] } }] },
  });
}

export const SERVICE: JsonObject = object('v1', 'Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });

/** A profile that opens what it names. */
export function profile(spec: JsonObject): string {
  return JSON.stringify({ apiVersion: 'tenantplane.io/v1alpha1', kind: 'IsolationProfile', metadata: { name: 'restricted' }, spec });
}

export const OPEN: Readonly<Record<string, string>> = {
  'profile.yaml': profile({
    level: 'restricted',
    allow: { ingressClasses: ['nginx'], ingressHostSuffixes: ['{tenant}.example.com'], endpoints: true, selectorlessServices: true },
  }),
};
