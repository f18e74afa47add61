import { type JsonObject, objectsOf, stringAt } from '../../kube/json.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../kube/object.ts';
import { OWN_PREFIX } from '../compiled-object.ts';
import { RECONCILER } from '../reconciler.ts';
import { type Effect, type Judged, printable } from './effect.ts';
import { subjectText } from './field-rules.ts';

/** The Role, and its binding, by which the reconciler pulls a tenant's objects. */
export const PULL: string = `${OWN_PREFIX}pull`;

/**
 * In a control plane’s namespace nobody has rights but those that are planned. In the other one people may; but not the tenant's pods, or
 * what they run as.
 */
export function roleBinding(binding: KubeObject, { ctx }: Judged): Effect | undefined {
  const { namespace, controlPlaneNamespace } = ctx.tenant;
  const role = `${stringAt(binding, 'roleRef', 'kind') ?? 'a role'} ${stringAt(binding, 'roleRef', 'name') ?? ''}`;
  const subjects = objectsOf(binding['subjects']);
  if (nameOf(binding) === PULL && namespaceOf(binding) === namespace && role === `Role ${PULL}`) {
    const others = subjects.filter((subject) => subjectText(subject) !== subjectText({ kind: 'ServiceAccount', ...RECONCILER }));
    if (others.length === 0) return { verdict: 'as-planned', control: 'pullAccess', why: 'binds the reconciler alone' };
    return { verdict: 'widens', control: 'pullAccess', fields: ['/subjects'], why: `gives ${names(others)} what the reconciler may pull` };
  }
  const inside = namespaceOf(binding) === namespace;
  const given = inside ? subjects.filter((subject) => isAccount(subject, namespace) || isEveryone(subject)) : subjects;
  if (given.length === 0) return undefined;
  const where = inside ? 'the tenant’s namespace' : `${controlPlaneNamespace}, where the tenant’s keys lie`;
  const control = inside ? 'serviceAccount' : 'controlPlane';
  return { verdict: 'widens', control, fields: ['/subjects'], why: `gives ${names(given)} ${printable(role)} in ${where}` };
}

/**
 * What a tenant's pods run as has no rights on the host; a binding for the whole host is in no namespace. One for everybody is the host's own
 * affair, unless its role is one of those that give rights in every namespace wherever Kubernetes runs: what others hold stands in
 * ClusterRoles, which nobody reads.
 */
export function clusterRoleBinding(binding: KubeObject, { ctx }: Judged): Effect | undefined {
  const { namespace, controlPlaneNamespace } = ctx.tenant;
  const role = `${stringAt(binding, 'roleRef', 'kind') ?? 'a role'} ${stringAt(binding, 'roleRef', 'name') ?? ''}`;
  const subjects = objectsOf(binding['subjects']);
  const everyone = EVERYWHERE.has(role) ? subjects.filter(isEveryone) : [];
  const pods = subjects.filter((subject) => isAccount(subject, namespace));
  const servers = subjects.filter((subject) => isAccount(subject, controlPlaneNamespace));
  const given = [...pods, ...servers, ...everyone];
  if (given.length === 0) return undefined;
  const control = pods.length + everyone.length > 0 ? 'serviceAccount' : 'controlPlane';
  return { verdict: 'widens', control, fields: ['/subjects'], why: `gives ${names(given)} ${printable(role)} on the whole host` };
}

/** Kubernetes' own roles for people. */
const EVERYWHERE: ReadonlySet<string> = new Set(['cluster-admin', 'admin', 'edit', 'view'].map((name) => `ClusterRole ${name}`));

/** An account of the namespace, or all of them. */
function isAccount(subject: JsonObject, namespace: string): boolean {
  if (subject['kind'] === 'ServiceAccount') return (subject['namespace'] ?? namespace) === namespace;
  const name = stringAt(subject, 'name') ?? '';
  if (subject['kind'] === 'User') return name.startsWith(`system:serviceaccount:${namespace}:`);
  return name === `system:serviceaccounts:${namespace}`;
}

/** A group that holds every account, or who is nobody. */
function isEveryone({ kind, name }: JsonObject): boolean {
  return kind === 'User'
    ? name === 'system:anonymous'
    : kind === 'Group' && ['system:serviceaccounts', 'system:authenticated', 'system:unauthenticated'].includes(String(name));
}

function names(subjects: readonly JsonObject[]): string {
  const shown = subjects.slice(0, 3).map((subject) => {
    const namespace = stringAt(subject, 'namespace');
    return printable(
      `${stringAt(subject, 'kind') ?? ''} ${namespace === undefined ? '' : `${namespace}/`}${stringAt(subject, 'name') ?? ''}`,
    );
  });
  return subjects.length > 3 ? `${shown.join(', ')} and ${subjects.length - 3} more` : shown.join(', ');
}
