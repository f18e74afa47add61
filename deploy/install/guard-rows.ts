import { FINALIZER } from '../../src/core/controlplane/lifecycle/decide.ts';
import { AUTHORITIES_SECRET, CONFIG_MAP, CONTROL_PLANE, DATA, KUBECONFIG_SECRET, TOKEN_SECRET } from '../../src/core/controlplane/names.ts';
import { every, list, some, text } from '../../src/core/isolation/admission/cel.ts';
import { CONTROL_PLANE_POD } from '../../src/core/isolation/peers.ts';
import { asItWas, containers, inNamespaceOf, named, sameBut } from './guard-expressions.ts';

/** One thing that the API server asks of what the reconciler's account writes, whatever its roles let through. */
export interface GuardRule {
  readonly id: string;
  /** CEL that holds for what it writes */
  readonly holds: string;
  /** what it may, for whoever is refused and for the docs */
  readonly may: string;
  readonly why: string;
}

/** What it is asked about: one ValidatingAdmissionPolicy. */
export interface Guard {
  /** base: with every installation; controller: with the rights of that overlay */
  readonly where: 'base' | 'controller';
  readonly name: string;
  readonly matches: readonly { readonly group: string; readonly version: string; readonly resources: readonly string[] }[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  readonly rules: readonly GuardRule[];
}

const CORE = { group: '', version: 'v1' } as const;
const WRITTEN = ['CREATE', 'UPDATE'] as const;
const POD = 'object.spec.template.spec';
const SERVERS = Object.entries(CONTROL_PLANE_POD).map(
  ([key, value]) => `object.spec.?selector[?${text(key)}].orValue('') == ${text(value)}`,
);
const FINALIZERS = (object: string): string => `${object}.metadata.?finalizers.orValue([])`;

const inControlPlanes = (what: string): GuardRule => ({
  id: `${what}-place`,
  holds: inNamespaceOf(['control-plane']),
  may: 'write them in namespaces of control planes alone',
  why: 'it runs nothing and keeps nothing anywhere else',
});

/** What RBAC cannot say: which fields of an object, what is in one that is made, in which namespaces. */
export const BASE_GUARDS: readonly Guard[] = [
  {
    where: 'base',
    name: 'tenantclusters',
    matches: [{ group: 'tenantplane.io', version: '*', resources: ['tenantclusters'] }],
    operations: ['UPDATE'],
    rules: [
      {
        id: 'tenant',
        holds: every([sameBut(['metadata']), sameBut(['finalizers', 'managedFields', 'resourceVersion'], '.metadata')]),
        may: 'change nothing of a TenantCluster but its finalizer',
        why: 'what a tenant is, people say',
      },
      {
        id: 'finalizer',
        holds: every([
          `${others('object')} == ${others('oldObject')}`,
          some([`${text(FINALIZER)} in ${FINALIZERS('object')}`, `has(object.metadata.deletionTimestamp)`]),
        ]),
        may: `put on ${FINALIZER}, and take it off what is being deleted`,
        why: 'other finalizers are other controllers’, and without its own a tenant is not taken down in order',
      },
    ],
  },
  {
    where: 'base',
    name: 'events',
    matches: [{ group: 'events.k8s.io', version: 'v1', resources: ['events'] }],
    operations: WRITTEN,
    rules: [
      {
        id: 'event',
        holds: every([
          `object.?regarding.?apiVersion.orValue('').startsWith('tenantplane.io/')`,
          `object.?regarding.?kind.orValue('') == 'TenantCluster'`,
          `object.?reportingController.orValue('') == 'tenantplane.io/reconciler'`,
        ]),
        may: 'tell of TenantClusters alone, and in its own name',
        why: 'people and tools act on Events',
      },
    ],
  },
  {
    where: 'base',
    name: 'statefulsets',
    matches: [{ group: 'apps', version: 'v1', resources: ['statefulsets'] }],
    operations: WRITTEN,
    rules: [
      inControlPlanes('servers'),
      {
        id: 'servers-name',
        holds: named([CONTROL_PLANE]),
        may: `write no StatefulSet but ${CONTROL_PLANE}`,
        why: 'a namespace has one control plane',
      },
      {
        id: 'servers-account',
        holds: every([
          `${POD}.?serviceAccountName.orValue('') in ['', 'default']`,
          `${POD}.?automountServiceAccountToken.orValue(true) == false`,
        ]),
        may: 'run pods as the account `default` without its token',
        why: 'a control plane needs nothing of the host, and who makes pods could be any account of their namespace',
      },
      {
        id: 'servers-volumes',
        holds: `${POD}.?volumes.orValue([]).all(v, ${some([
          'has(v.emptyDir)',
          `(has(v.configMap) && v.configMap.?name.orValue('') == ${text(CONFIG_MAP)})`,
          `(has(v.secret) && v.secret.?secretName.orValue('') in ${list([AUTHORITIES_SECRET, TOKEN_SECRET])})`,
        ])})`,
        may: 'mount what a control plane has: its authorities, its token, its settings, scratch space',
        why: 'other volumes are other Secrets, tokens of accounts, or the node’s',
      },
      {
        id: 'servers-env',
        holds: every([
          containers('!has(c.envFrom)'),
          containers(`c.?env.orValue([]).all(e, e.name == 'K3S_DATASTORE_ENDPOINT' || !has(e.valueFrom) || has(e.valueFrom.fieldRef))`),
        ]),
        may: 'hand its containers no Secret but the address of the database',
        why: 'by their environment they could be given any Secret of the namespace',
      },
      {
        id: 'servers-node',
        holds: every([`!has(${POD}.nodeName)`, asItWas(`${POD}.?tolerations`, '[]'), asItWas(`${POD}.?priorityClassName`, "''")]),
        may: 'leave the choice of nodes to the scheduler, and add no toleration and no priority',
        why: 'with a name or a toleration taints keep nobody off, and a priority pushes others off their nodes',
      },
      {
        id: 'servers-claims',
        holds: `object.spec.?volumeClaimTemplates.orValue([]).all(t, ${every([
          `t.metadata.name == ${text(DATA)}`,
          ...['volumeName', 'selector', 'dataSource', 'dataSourceRef'].map((field) => `!has(t.spec.${field})`),
        ])})`,
        may: `claim new volumes alone, as ${DATA}`,
        why: 'volumes that are chosen or copied hold somebody’s data',
      },
    ],
  },
  {
    where: 'base',
    name: 'secrets',
    matches: [{ ...CORE, resources: ['secrets'] }],
    operations: WRITTEN,
    rules: [
      inControlPlanes('keys'),
      {
        id: 'keys',
        holds: every([
          named([AUTHORITIES_SECRET, KUBECONFIG_SECRET, TOKEN_SECRET]),
          `object.?type.orValue('') == 'Opaque'`,
          some([named([KUBECONFIG_SECRET]), 'object.?immutable.orValue(false) == true']),
        ]),
        may: 'write the three Secrets that it makes, as type Opaque, two of them immutable',
        why: 'a Secret of another type can be filled with a token of any account of the namespace',
      },
    ],
  },
  {
    where: 'base',
    name: 'configmaps',
    matches: [{ ...CORE, resources: ['configmaps'] }],
    operations: WRITTEN,
    rules: [
      inControlPlanes('settings'),
      {
        id: 'settings',
        holds: named([CONFIG_MAP]),
        may: `write no ConfigMap but ${CONFIG_MAP}`,
        why: 'others are other programs’ settings',
      },
    ],
  },
  {
    where: 'base',
    name: 'services',
    matches: [{ ...CORE, resources: ['services'] }],
    operations: WRITTEN,
    rules: [
      inControlPlanes('address'),
      {
        id: 'address',
        holds: every([
          `object.spec.?type.orValue('ClusterIP') in ['ClusterIP', 'LoadBalancer']`,
          'size(object.spec.?externalIPs.orValue([])) == 0',
          // what gives load balancers their addresses may have written one
          asItWas('object.spec.?loadBalancerIP', "''"),
          ...SERVERS,
        ]),
        may: 'lead Services to pods of a control plane alone, and to them by no address of its choice',
        why: 'with others it could draw traffic to itself, or send it elsewhere',
      },
    ],
  },
  {
    where: 'base',
    name: 'claims',
    matches: [{ ...CORE, resources: ['persistentvolumeclaims'] }],
    operations: ['DELETE'],
    rules: [
      {
        id: 'claims',
        holds: every([inNamespaceOf(['control-plane']), `oldObject.metadata.name.matches(${text(`^${DATA}-${CONTROL_PLANE}-[0-9]+$`)})`]),
        may: 'delete the volumes of a control plane alone',
        why: 'the data of others goes with their volumes',
      },
    ],
  },
];

function others(object: string): string {
  return `${FINALIZERS(object)}.filter(f, f != ${text(FINALIZER)})`;
}
