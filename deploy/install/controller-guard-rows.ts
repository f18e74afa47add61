import { KEY, MANAGED_BY } from '../../src/core/identity/metadata.ts';
import { every, list, some, text } from '../../src/core/isolation/admission/cel.ts';
import { OWN_PREFIX } from '../../src/core/isolation/compiled-object.ts';
import { RECONCILER } from '../../src/core/isolation/reconciler.ts';
import { inNamespaceOf, labelOf, named, SAME_TENANT, whereDeleted } from './guard-expressions.ts';
import type { Guard } from './guard-rows.ts';

const CORE = { group: '', version: 'v1' } as const;
const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;
const ALL = ['CREATE', 'UPDATE', 'DELETE'] as const;
const ENFORCE = 'pod-security.kubernetes.io/enforce';
const NAME = "(request.operation == 'DELETE' ? oldObject : object).metadata.name";

/** What a Role of a control plane's namespace holds (`reconciler-access.ts`): never a wildcard, never all Secrets. */
const CLAIMS = 'persistentvolumeclaims';
const RESOURCES = ['configmaps', CLAIMS, 'secrets', 'services', 'statefulsets'];
const NARROW_RULE = every([
  `r.?apiGroups.orValue([]).all(g, g in ['', 'apps'])`,
  `r.?resources.orValue([]).all(x, x in ${list(RESOURCES)})`,
  `r.verbs.all(v, v in ['create', 'get', 'patch', 'delete'])`,
  // a claim that is made, and not by a StatefulSet, may be for a volume of its choice
  `(!(${text(CLAIMS)} in r.?resources.orValue([])) || r.verbs == ['delete'])`,
  some([`r.verbs == ['create']`, `r.?resources.orValue([]) == ${list([CLAIMS])}`, 'size(r.?resourceNames.orValue([])) > 0']),
]);
const ITSELF = every([
  `s.kind == 'ServiceAccount'`,
  `s.name == ${text(RECONCILER.name)}`,
  `s.?namespace.orValue('') == ${text(RECONCILER.namespace)}`,
]);

/** RBAC cannot tell tenants' namespaces from others, so with the overlay it is admission that does. */
export const CONTROLLER_GUARDS: readonly Guard[] = [
  {
    where: 'controller',
    name: 'namespaces',
    matches: [{ ...CORE, resources: ['namespaces'] }],
    operations: ['CREATE', 'UPDATE'],
    rules: [
      {
        id: 'namespace',
        holds: some([
          every([
            `request.operation == 'CREATE'`,
            `${labelOf('object', KEY.managedBy)} == ${text(MANAGED_BY)}`,
            `${labelOf('object', KEY.role)} == 'control-plane'`,
          ]),
          every([`request.operation == 'UPDATE'`, SAME_TENANT]),
        ]),
        may: 'make namespaces of control planes, and change those that say which tenant’s they are',
        why: 'a namespace with our labels is open to it, so no other one may get them',
      },
      {
        id: 'namespace-role',
        holds: some([`${labelOf('object', KEY.role)} != 'control-plane'`, `object.metadata.name.startsWith('cp-')`]),
        may: 'call a namespace a control plane’s where its name begins with cp-',
        why: 'there it has Secrets and runs pods',
      },
      {
        id: 'namespace-pods',
        holds: `${labelOf('object', ENFORCE)} in ['baseline', 'restricted']`,
        may: 'set Pod Security to baseline or restricted',
        why: 'privileged pods own their node',
      },
    ],
  },
  {
    where: 'controller',
    name: 'boundaries',
    matches: [
      { ...CORE, resources: ['serviceaccounts', 'resourcequotas', 'limitranges'] },
      { group: 'networking.k8s.io', version: 'v1', resources: ['networkpolicies'] },
      { group: 'policy', version: 'v1', resources: ['poddisruptionbudgets'] },
    ],
    operations: ALL,
    rules: [
      {
        id: 'boundary',
        holds: every([inNamespaceOf(['workload', 'control-plane']), `${NAME}.startsWith(${text(OWN_PREFIX)})`]),
        may: `write objects called ${OWN_PREFIX}… in tenants’ namespaces alone`,
        why: 'everything else there, and everywhere else, is other people’s',
      },
    ],
  },
  {
    where: 'controller',
    name: 'roles',
    matches: [{ ...RBAC, resources: ['roles'] }],
    operations: ALL,
    rules: [
      {
        id: 'role',
        holds: every([
          inNamespaceOf(['control-plane']),
          whereDeleted(every([named([RECONCILER.name]), `object.?rules.orValue([]).all(r, ${NARROW_RULE})`])),
        ]),
        may: 'give itself in a control plane’s namespace what a control plane is made of, Secrets by name',
        why: 'with escalate it could give itself anything',
      },
    ],
  },
  {
    where: 'controller',
    name: 'rolebindings',
    matches: [{ ...RBAC, resources: ['rolebindings'] }],
    operations: ALL,
    rules: [
      {
        id: 'role-binding',
        holds: every([
          inNamespaceOf(['control-plane']),
          whereDeleted(
            every([
              `object.roleRef.kind == 'Role'`,
              `object.roleRef.name == ${text(RECONCILER.name)}`,
              `object.?subjects.orValue([]).all(s, ${ITSELF})`,
            ]),
          ),
        ]),
        may: 'bind that Role to itself',
        why: 'nobody else has rights beside a control plane',
      },
    ],
  },
];
