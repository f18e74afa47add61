import { KEY } from '../../identity/metadata.ts';
import { absentOrEmpty, absentOrIn, each, every, list, orUnchanged, some, text, unchanged } from './cel.ts';
import { TENANT, TENANT_LABEL } from './namespace.ts';
import type { AdmissionOptions } from './policy-object.ts';
import type { Rule } from './rule.ts';

const SPEC = 'object.spec';
const NAME = `${SPEC}.externalName`;
const EXTERNAL = `has(${SPEC}.type) && ${SPEC}.type == 'ExternalName'`;
/** All of the spec shapes a way in from outside: another port, other pods behind it. */
const WAY_IN = ['spec'] as const;
/** Its peers, and the pods and directions that they are said for. */
const rulesOf = (direction: 'ingress' | 'egress'): string[] => [`spec.${direction}`, 'spec.podSelector', 'spec.policyTypes'];
/** Of Endpoints and of EndpointSlices, whose labels name the Service. */
const ADDRESSES = ['metadata.labels', 'subsets', 'endpoints', 'ports'] as const;

export const SERVICE_RULES: readonly Rule[] = [
  {
    id: 'svc-type',
    group: 'services',
    matches: 'Services, also when changed',
    controls: ['serviceTypes'],
    expression: ({ allow: { serviceTypes } }) =>
      orUnchanged(
        WAY_IN,
        every([
          some([`!has(${SPEC}.type)`, `${SPEC}.type in ${list(['ClusterIP', 'ExternalName', ...serviceTypes])}`]),
          // A load balancer opens a port on every node unless told not to.
          ...(serviceTypes.includes('LoadBalancer') && !serviceTypes.includes('NodePort')
            ? [
                some([
                  `!has(${SPEC}.type)`,
                  `${SPEC}.type != 'LoadBalancer'`,
                  every([`has(${SPEC}.allocateLoadBalancerNodePorts)`, `!${SPEC}.allocateLoadBalancerNodePorts`]),
                ]),
              ]
            : []),
        ]),
      ),
    message: [
      'the Service opens a way from outside that the profile does not',
      'Use type ClusterIP, or ask for allow.serviceTypes (LoadBalancer without NodePort: allocateLoadBalancerNodePorts: false).',
    ],
    found: `has(${SPEC}.type) ? ${SPEC}.type : 'ClusterIP'`,
    doc: 'is of type ClusterIP, ExternalName or one of `allow.serviceTypes`; a load balancer opens no node ports unless NodePort is allowed',
  },
  {
    id: 'svc-class',
    group: 'services',
    matches: 'Services, also when changed',
    controls: ['loadBalancerClasses'],
    expression: ({ allow }) => orUnchanged(['spec.loadBalancerClass'], absentOrIn(`${SPEC}.loadBalancerClass`, allow.loadBalancerClasses)),
    message: [
      'the load balancer class is not one of the profile',
      'Name none, or list it under allow.loadBalancerClasses of the profile (one that a webhook of the host sets, too).',
    ],
    found: `has(${SPEC}.loadBalancerClass) ? ${SPEC}.loadBalancerClass : ''`,
    doc: 'has a load balancer class of `allow.loadBalancerClasses`, or none',
  },
  {
    id: 'svc-ips',
    group: 'services',
    matches: 'Services, also when changed',
    controls: ['services'],
    expression: () => orUnchanged(WAY_IN, absentOrEmpty(`${SPEC}.externalIPs`)),
    message: ['externalIPs take traffic that is meant for others (CVE-2020-8554)', 'Remove externalIPs.'],
    doc: 'has no external IPs',
  },
  {
    id: 'svc-name',
    group: 'services',
    matches: 'Services, also when changed',
    controls: ['externalNames'],
    expression: ({ allow: { externalNames } }, options) =>
      orUnchanged(['spec.type', 'spec.externalName'], some([`!(${EXTERNAL})`, ...names(externalNames, options)])),
    message: ['externalName points where the profile does not', 'Name a Service of the namespace, or a name under allow.externalNames.'],
    found: NAME,
    doc: 'of type ExternalName points at a Service of its own namespace, a tenant’s API, or a name under `allow.externalNames`',
  },
  {
    id: 'svc-selector',
    group: 'services',
    matches: 'Services, also when changed',
    controls: ['selectorlessServices'],
    expression: ({ allow: { selectorlessServices } }) => {
      const selector = `${SPEC}.selector`;
      const tenant = `${selector}[${text(KEY.tenant)}] == ${TENANT}`;
      const own = every([`has(${selector})`, `${text(KEY.tenant)} in ${selector}`, tenant]);
      return orUnchanged(
        ['spec.type', 'spec.selector'],
        some([`(${EXTERNAL})`, own, ...(selectorlessServices ? [absentOrEmpty(selector)] : [])]),
      );
    },
    message: [
      'the selector does not name the tenant',
      `Add ${KEY.tenant} as on the namespace to the selector; a Service without one needs allow.selectorlessServices.`,
    ],
    wanted: () => TENANT_LABEL,
    doc: 'selects pods of the tenant by its label; none only with `allow.selectorlessServices`',
  },
  {
    id: 'endpoints',
    group: 'endpoints',
    matches: 'Endpoints and EndpointSlices, also when changed, unless Kubernetes’ own controllers write them',
    controls: ['endpoints'],
    expression: ({ allow }) => (allow.endpoints ? undefined : unchanged(ADDRESSES, (object) => `dyn(${object})`)),
    message: ['hand-made endpoints lead a Service to any address', 'Use a selector, or ask for allow.endpoints.'],
    doc: 'are made by Kubernetes alone without `allow.endpoints`',
  },
];

/** Names that the render writes: those of the namespace's own Services, of a control plane's, and under an allowed suffix. */
function names(suffixes: readonly string[], { clusterDomain }: AdmissionOptions): string[] {
  const domain = clusterDomain.replaceAll('.', '\\.');
  const under = suffixes.map((written) => written.replace(/^\*?\./, '').toLowerCase()).filter((suffix) => suffix !== '');
  return [
    `${NAME}.endsWith('.' + request.namespace + ${text(`.svc.${clusterDomain}`)})`,
    `${NAME}.matches(${text(`^[-a-z0-9]+-control-plane\\.cp-[-a-z0-9]+\\.svc\\.${domain}$`)})`,
    ...under.flatMap((suffix) =>
      ['', '.'].flatMap((dot) => [`${NAME} == ${text(suffix + dot)}`, `${NAME}.endsWith(${text(`.${suffix}${dot}`)})`]),
    ),
  ];
}

const peersAreOwn = (field: 'from' | 'to'): string =>
  every([
    `has(r.${field})`,
    `size(r.${field}) > 0`,
    `r.${field}.all(p, ${every(['has(p.podSelector)', '!has(p.namespaceSelector)', '!has(p.ipBlock)'])})`,
  ]);

/** Of whoever does not apply what was rendered: policies only add up, so one of them could open what the profile closes. */
export const NETWORK_RULES: readonly Rule[] = [
  {
    id: 'np-ingress',
    group: 'networks',
    matches: 'NetworkPolicies, also when changed, unless a trusted writer writes them',
    controls: ['defaultDenyNetworkPolicy'],
    expression: ({ defaultDeny }) =>
      defaultDeny ? orUnchanged(rulesOf('ingress'), each(`${SPEC}.ingress`, 'r', peersAreOwn('from'))) : undefined,
    message: ['an ingress rule opens what the profile denies', 'Name peers by podSelector alone: pods of this namespace are the tenant’s.'],
    doc: 'admits calls of the namespace’s own pods only, where the profile denies by default',
  },
  {
    id: 'np-egress',
    group: 'networks',
    matches: 'NetworkPolicies, also when changed, unless a trusted writer writes them',
    controls: ['egressPolicy'],
    expression: () => orUnchanged(rulesOf('egress'), each(`${SPEC}.egress`, 'r', peersAreOwn('to'))),
    message: [
      'an egress rule opens what the tenant’s egressPolicy closes',
      'Name peers by podSelector alone: pods of this namespace are the tenant’s.',
    ],
    doc: 'lets the tenant’s pods call the namespace’s own pods only',
  },
];
