import { isCIDR, isIP } from './ip.ts';

/**
 * Named forms of a string. Each has a sentence for people, a test, and what stands for it in a CRD: a pattern, or a format
 * that the API server knows (apiextensions-apiserver, pkg/apis/apiextensions/validation: supported formats).
 */
export interface Format {
  /** completes "must be ..." */
  readonly says: string;
  readonly test: (text: string) => boolean;
  /** RE2 and ECMAScript read it alike; anchored. Undefined where only code can tell, and then `openapi` stands for it. */
  readonly pattern?: string;
  readonly openapi?: readonly string[];
  readonly maxLength?: number;
  /** what to write instead */
  readonly remedy: string;
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const NAME = '[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?';
const QUALIFIED = `(${SUBDOMAIN}/)?${NAME}`;

const WILDCARD = new RegExp(`^(\\*\\.)?${SUBDOMAIN}$`);

const patterned = (says: string, pattern: string, remedy: string, maxLength?: number): Format => {
  const regex = new RegExp(pattern);
  return {
    says,
    pattern,
    remedy,
    test: (text) => (maxLength === undefined || text.length <= maxLength) && regex.test(text),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
};

export type FormatName =
  | 'dns-label'
  | 'dns-subdomain'
  | 'dns-suffix'
  | 'tls-san'
  | 'qualified-name'
  | 'annotation-rule'
  | 'label-value'
  | 'secret-key'
  | 'api-version'
  | 'kind'
  | 'store-ref'
  | 'field-path'
  | 'kubernetes-version'
  | 'quantity'
  | 'duration'
  | 'cidr'
  | 'ip'
  | 'date-time';

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  'dns-label': patterned(
    'a DNS label (lower case letters, digits and "-", at most 63)',
    `^${LABEL}$`,
    'Use lower case letters, digits and "-", beginning and ending with a letter or digit.',
    63,
  ),
  'dns-subdomain': patterned(
    'a DNS name (lower case letters, digits, "-" and ".", at most 253)',
    `^${SUBDOMAIN}$`,
    'Use lower case letters, digits, "-" and ".", each part beginning and ending with a letter or digit.',
    253,
  ),
  'dns-suffix': patterned(
    'a DNS suffix such as apps.example.com; "{tenant}" may stand in it',
    `^\\.?([-a-z0-9]|\\{tenant\\})+(\\.([-a-z0-9]|\\{tenant\\})+)*$`,
    'Write the suffix alone, without scheme, port or "*.".',
    253,
  ),
  'tls-san': {
    says: 'a DNS name (which may begin with "*.") or an IP address',
    pattern: `^([0-9A-Fa-f:]*:[0-9A-Fa-f:.]*|(\\*\\.)?${SUBDOMAIN})$`,
    test: (text) => text.length <= 253 && (isIP(text) || WILDCARD.test(text)),
    maxLength: 253,
    remedy: 'Write the name or address alone, without scheme or port.',
  },
  'qualified-name': patterned(
    'a name with an optional DNS prefix, such as example.com/name',
    `^${QUALIFIED}$`,
    'Use letters, digits, "-", "_" and ".", with at most one "/" after a DNS prefix.',
    317,
  ),
  'annotation-rule': patterned(
    'an annotation key, or a prefix that ends in "*"',
    `^(${SUBDOMAIN}/)?([A-Za-z0-9][-A-Za-z0-9_.]*\\*?|\\*)$`,
    'Write a key such as example.com/name, or a prefix such as example.com/*.',
    317,
  ),
  'label-value': patterned(
    'a label value (letters, digits, "-", "_" and ".", at most 63, or empty)',
    `^(${NAME})?$`,
    'Use at most 63 letters, digits, "-", "_" and ".", beginning and ending with a letter or digit.',
    63,
  ),
  'secret-key': patterned(
    'a key of a Secret (letters, digits, "-", "_" and ".", at most 253)',
    '^[-._A-Za-z0-9]+$',
    'Use letters, digits, "-", "_" and ".".',
    253,
  ),
  'api-version': patterned(
    'an API version such as v1 or apps/v1',
    `^(${SUBDOMAIN}/)?v[0-9]+((alpha|beta)[0-9]+)?$`,
    'Write group/version, or the version alone for the core group.',
    253,
  ),
  kind: patterned(
    'a kind such as ConfigMap (letters and digits, beginning with a capital)',
    '^[A-Z][A-Za-z0-9]*$',
    'Write the kind as the object’s own "kind" field has it, not its plural.',
    63,
  ),
  'store-ref': patterned(
    'Kind/name of a secret store, such as ClusterSecretStore/vault',
    `^[A-Z][A-Za-z0-9]*/${SUBDOMAIN}$`,
    'Write SecretStore/name or ClusterSecretStore/name.',
    317,
  ),
  'field-path': patterned(
    'a field path such as spec.secretRef.name or spec.items[*].configMap',
    '^[A-Za-z_][-A-Za-z0-9_]*(\\[\\*\\])?(\\.[A-Za-z_][-A-Za-z0-9_]*(\\[\\*\\])?)*$',
    'Join field names with "."; write [*] after a list.',
    512,
  ),
  'kubernetes-version': patterned(
    'a Kubernetes version such as v1.34.2 or 1.34',
    '^v?1\\.[1-9][0-9]+(\\.[0-9]+)?([-+][0-9A-Za-z.+-]+)?$',
    'Write it quoted with two digits after "1.", such as "1.34": YAML reads an unquoted 1.30 as the number 1.3.',
  ),
  quantity: patterned(
    'a quantity such as 500m, 2 or 1Gi',
    '^[+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(m|u|n|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][-+]?[0-9]+)?$',
    'Write a number with an optional suffix: m, k, M, G, T, Ki, Mi, Gi or Ti.',
  ),
  duration: patterned(
    'a duration such as 30s, 5m or 1h30m',
    '^([0-9]+(\\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$',
    'Write numbers with the units h, m, s or ms; there is no unit for days.',
  ),
  cidr: {
    says: 'a CIDR such as 10.42.0.0/16 or fd00::/108',
    openapi: ['cidr'],
    test: isCIDR,
    remedy: 'Write the address of a network and the length of its prefix.',
  },
  ip: {
    says: 'an IP address such as 10.96.0.53 or fd00::53',
    openapi: ['ipv4', 'ipv6'],
    test: isIP,
    remedy: 'Write the address alone, without a prefix length or port.',
  },
  'date-time': {
    says: 'a time such as 2006-01-02T15:04:05Z (RFC 3339)',
    openapi: ['date-time'],
    test: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
    remedy: 'Write the time in RFC 3339.',
  },
};
