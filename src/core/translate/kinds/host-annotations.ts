import { objectAt, type Path, stringAt } from '../../kube/json.ts';
import { annotationsOf, type KubeObject } from '../../kube/object.ts';
import { isDnsName, underSuffix } from './dns-suffix.ts';
import { itemsAt } from './items.ts';

/**
 * Annotations whose value is a list of hosts: server names of ingress controllers, records of external-dns (which reads Services and pods
 * too) and of kOps, names in certificates of cert-manager and Traefik, redirects (documentation of each, annotations). They claim a host as a rule does.
 */
const HOST_ANNOTATIONS: ReadonlySet<string> = new Set([
  'nginx.ingress.kubernetes.io/server-alias',
  'haproxy-ingress.github.io/server-alias',
  'ingress.kubernetes.io/server-alias',
  'external-dns.alpha.kubernetes.io/hostname',
  'external-dns.alpha.kubernetes.io/internal-hostname',
  'dns.alpha.kubernetes.io/external',
  'dns.alpha.kubernetes.io/internal',
  'haproxy-ingress.github.io/redirect-from',
  'ingress.kubernetes.io/redirect-from',
  'konghq.com/host-aliases',
  'konghq.com/snis',
  'cert-manager.io/common-name',
  'cert-manager.io/alt-names',
]);
/** Domains of certificates, by number (Traefik). */
const NUMBERED = /^traefik\.ingress\.kubernetes\.io\/router\.tls\.domains\.[^.]+\.(main|sans)$/;
/** A pattern of hosts says no list that could be checked. */
const PATTERN = /^[a-z0-9.-]+\/(server-alias|redirect-from)-regex$/;
/** ingress-nginx makes a server for each host of a rule with `www.` before it, or without it, and redirects from there. */
const WWW = 'nginx.ingress.kubernetes.io/from-to-www-redirect';

/** Why the annotation may not stay; undefined where it may. */
export function hostAnnotationProblem(object: KubeObject, key: string, value: string, suffixes: readonly string[]): string | undefined {
  if (PATTERN.test(key)) return 'it names hosts by a pattern';
  const hosts = hostsIn(object, key, value);
  if (hosts === undefined) return undefined;
  if (hosts.length === 0) return 'its value names no host';
  const other = hosts.find((host) => !isDnsName(host) || !underSuffix(host, suffixes));
  return other === undefined ? undefined : `host ${other.slice(0, 80)} is not the tenant’s to claim`;
}

/** Where what an object makes has its annotations: pods of workloads, also of CronJobs. */
const TEMPLATES: readonly Path[] = [
  ['spec', 'template', 'metadata', 'annotations'],
  ['spec', 'jobTemplate', 'spec', 'template', 'metadata', 'annotations'],
];

/** All hosts that annotations of the object, or of its pods, claim, as written. */
export function annotatedHosts(object: KubeObject): string[] {
  const own = [...annotationsOf(object)];
  const ofPods = TEMPLATES.flatMap((path) => Object.entries(objectAt(object, ...path) ?? {}));
  return [...own, ...ofPods].flatMap(([key, value]) => (typeof value === 'string' ? (hostsIn(object, key, value) ?? []) : []));
}

/** The hosts that one annotation claims; undefined where it is not of that sort. */
function hostsIn(object: KubeObject, key: string, value: string): string[] | undefined {
  if (HOST_ANNOTATIONS.has(key) || NUMBERED.test(key)) {
    const hosts = value.split(',').map((host) => host.trim());
    return hosts.filter((host) => host !== '');
  }
  if (key !== WWW || !TRUE.has(value)) return undefined;
  const ruled = itemsAt(object, 'spec', 'rules').flatMap(({ item }) => stringAt(item, 'host') || []);
  return ruled.length === 0 ? undefined : ruled.map((host) => (host.startsWith('www.') ? host.slice(4) : `www.${host}`));
}

/** What Go's strconv.ParseBool takes for true. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
