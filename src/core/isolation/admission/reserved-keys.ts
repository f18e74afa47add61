import { KEY, MANAGED_BY } from '../../identity/metadata.ts';
import { DELIVERY_DOMAINS, RESERVED_BEGINNINGS } from '../../translate/labels.ts';
import { list, text } from './cel.ts';
import { TENANT } from './namespace.ts';

/** Keys of labels and annotations that are not everybody's, as CEL over a key `k`. */

export const RESERVED = 'tenantplane.io/';

/**
 * Beginnings of keys by which tools of the host are told what to do, beside those of the domains that the render keeps from tenants:
 * Helm, replicators, which would copy Secrets of other namespaces into the tenant's, identities of the cloud, and the container
 * runtime and Cilium, which tell pods by such labels (CVE-2023-39347).
 */
const BEGINNINGS = [
  'helm.sh/hook',
  'helm.sh/resource-policy',
  'replicator.v1.mittwald.de/',
  'reflector.v1.k8s.emberstack.com/',
  'kubed.appscode.com/',
  'eks.amazonaws.com/role-arn',
  'iam.gke.io/gcp-service-account',
  'azure.workload.identity/',
  'aadpodidbinding',
  ...RESERVED_BEGINNINGS,
] as const;

/** One key that begins so or is of such a domain, for each. */
export const TOOL_KEYS: readonly string[] = [
  ...BEGINNINGS.map((beginning) => (beginning.endsWith('/') || beginning.endsWith('.') ? `${beginning}x` : beginning)),
  ...DELIVERY_DOMAINS.flatMap((domain) => [`${domain}/x`, `sub.${domain}/x`]),
];

/** The key tells a tool what to do. A domain counts with those below it. */
export const TOLD: string = [
  `${list(DELIVERY_DOMAINS.map((domain) => `.${domain}/`))}.exists(d, ('.' + k).contains(d))`,
  `${list(BEGINNINGS)}.exists(b, k.startsWith(b))`,
].join(' || ');

export const OURS_BY_KEY: string = `k.startsWith('${RESERVED}')`;

/** The label by which tools know whose an object is, where it says that it is ours. */
export function managedByUs(labels: string): string {
  return `k == '${KEY.managedBy}' && ${labels}[k] == '${MANAGED_BY}'`;
}

/** The label says the truth about the namespace's own tenant. */
export function truth(labels: string): string {
  return `k == ${text(KEY.tenant)} && ${labels}[k] == ${TENANT}`;
}
