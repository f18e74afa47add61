import { asArray, type JsonObject, objectAt, objectsOf, stringAt } from '../../kube/json.ts';
import { kindRow } from '../../kube/kinds.ts';
import { groupOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../../kube/object.ts';
import { pointer } from '../../kube/pointer.ts';
import type { PolicyEntry } from '../../plan/settings.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import { OWN_PREFIX } from '../compiled-object.ts';
import { RECONCILER } from '../reconciler.ts';
import type { BoundaryRow, Verdict, Way } from './boundary-report.ts';
import { subjectText } from './field-rules.ts';
import { keyOf, type LiveBoundary, refOf } from './live-boundary.ts';
import { admitsNothing, networkRules } from './network-rules.ts';
import type { Pair } from './pairs.ts';
import { NETWORK_POLICY } from './planned-boundary.ts';
import { isProjectedPolicy, opensBeyond } from './projected-policy.ts';

/** What an object that nobody planned does to the boundary; undefined where it does nothing to it. */
interface Effect {
  readonly verdict: Verdict;
  readonly control: string;
  readonly way?: Way;
  readonly fields?: readonly string[];
  readonly why: string;
}

interface Judged {
  readonly ctx: TenantContext;
  readonly pairs: readonly Pair[];
}

/** Kinds of which one more may open something: policies, quotas and limits of other kinds only close. */
const JUDGES: Readonly<Record<string, (object: KubeObject, of: Judged) => Effect | undefined>> = {
  [NETWORK_POLICY]: networkPolicy,
  'Role.rbac.authorization.k8s.io': pullRole,
  'RoleBinding.rbac.authorization.k8s.io': roleBinding,
  'FlowSchema.flowcontrol.apiserver.k8s.io': flowSchema,
};

export function unplannedRows(ctx: TenantContext, pairs: readonly Pair[], live: LiveBoundary): readonly BoundaryRow[] {
  const planned = new Set(pairs.map((pair) => pair.live));
  const { namespace, controlPlaneNamespace } = ctx.tenant;
  return Object.entries(JUDGES).flatMap(([key, judge]) =>
    [namespace, controlPlaneNamespace, undefined]
      .flatMap((place) => live.all(key, place))
      .filter((object) => !planned.has(object))
      .flatMap((object): BoundaryRow[] => {
        const effect = judge(object, { ctx, pairs });
        if (effect === undefined) return [];
        const { why, fields = [], ...rest } = effect;
        return [{ object: refOf(object), ...rest, fields, sentence: `${label(object)} ${why}.` }];
      }),
  );
}

export function label(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return printable(`${kindOf(object)} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`);
}

function networkPolicy(policy: KubeObject, { ctx, pairs }: Judged): Effect | undefined {
  const inside = namespaceOf(policy) === ctx.tenant.namespace;
  const control = !inside ? 'controlPlane' : ctx.profile.defaultDeny ? 'defaultDenyNetworkPolicy' : 'egressPolicy';
  if (inside && isProjectedPolicy(policy, ctx)) {
    const beyond = opensBeyond(policy, ctx);
    if (beyond.length === 0) return undefined;
    return {
      verdict: 'widens',
      control,
      fields: beyond.map(pointer),
      why: 'is the tenant’s own, and admits more than the plan lets the tenant open',
    };
  }
  if (admitsNothing(policy))
    return { verdict: 'drifted', control, way: 'stronger', why: 'is not planned; it admits nothing, so it can only close' };
  if (pairs.some(({ planned: { object } }) => isPartOf(policy, object))) {
    return { verdict: 'drifted', control, way: 'stronger', why: 'is no longer planned; it admits a part of what a planned one does' };
  }
  return { verdict: 'widens', control, why: 'is neither planned nor a projection of the tenant’s, and policies only add what they admit' };
}

/** Whether it admits no more than a planned one that is for all pods. */
function isPartOf(policy: KubeObject, planned: KubeObject): boolean {
  if (keyOf(planned) !== NETWORK_POLICY || namespaceOf(planned) !== namespaceOf(policy)) return false;
  const [wanted, found] = [objectAt(planned, 'spec') ?? {}, objectAt(policy, 'spec') ?? {}];
  if (Object.keys(objectAt(wanted, 'podSelector') ?? {}).length > 0 || admitsNothing(planned)) return false;
  // its directions are the planned one's or fewer, so that it closes nothing that the other leaves to it
  const differences = networkRules({ ...wanted, policyTypes: found['policyTypes'] ?? [] }, { ...found, podSelector: {} }, []);
  return differences.every(({ way }) => way === 'stronger');
}

/** What the reconciler may pull stands in the tenant's input; that it is pulled, by name and without more, stands in the policy. */
function pullRole(role: KubeObject, { ctx }: Judged): Effect | undefined {
  if (nameOf(role) !== PULL || namespaceOf(role) !== ctx.tenant.namespace) return undefined;
  const pulled = new Set(ctx.policy.entries.filter(({ direction }) => direction !== 'toHost').map(resourceOf));
  const bad = objectsOf(role['rules']).flatMap((rule, index) => (isPull(rule, pulled) ? [] : [`/rules/${index}`]));
  if (bad.length === 0) return { verdict: 'as-planned', control: 'pullAccess', why: 'lets the reconciler pull named objects, and no more' };
  return { verdict: 'widens', control: 'pullAccess', fields: bad, why: 'allows more than to pull the objects that it names' };
}

const PULL = `${OWN_PREFIX}pull`;
const PULL_VERBS: ReadonlySet<unknown> = new Set(['get', 'watch', 'update', 'patch']);

function isPull(rule: JsonObject, pulled: ReadonlySet<string>): boolean {
  const list = (field: string) => asArray(rule[field]) ?? [];
  return (
    list('resourceNames').length > 0 &&
    list('verbs').every((verb) => PULL_VERBS.has(verb)) &&
    list('apiGroups').every((group) => list('resources').every((resource) => pulled.has(`${String(group)}/${String(resource)}`)))
  );
}

/** `apps/deployments` of what an entry is about. */
function resourceOf({ apiVersion, key }: PolicyEntry): string {
  return `${groupOf(apiVersion)}/${kindRow(key)?.plural ?? ''}`;
}

/**
 * In a control plane’s namespace nobody has rights but those that are planned. In the other one people may; but not the tenant's pods, or
 * what they run as.
 */
function roleBinding(binding: KubeObject, { ctx }: Judged): Effect | undefined {
  const { namespace, controlPlaneNamespace } = ctx.tenant;
  const role = `${stringAt(binding, 'roleRef', 'kind') ?? 'a role'} ${stringAt(binding, 'roleRef', 'name') ?? ''}`;
  const subjects = objectsOf(binding['subjects']);
  if (nameOf(binding) === PULL && namespaceOf(binding) === namespace && role === `Role ${PULL}`) {
    const others = subjects.filter((subject) => subjectText(subject) !== subjectText({ kind: 'ServiceAccount', ...RECONCILER }));
    if (others.length === 0) return { verdict: 'as-planned', control: 'pullAccess', why: 'binds the reconciler alone' };
    return { verdict: 'widens', control: 'pullAccess', fields: ['/subjects'], why: `gives ${names(others)} what the reconciler may pull` };
  }
  const inside = namespaceOf(binding) === namespace;
  const given = inside ? subjects.filter((subject) => isPods(subject, namespace)) : subjects;
  if (given.length === 0) return undefined;
  const where = inside ? 'the tenant’s namespace' : `${controlPlaneNamespace}, where the tenant’s keys lie`;
  const control = inside ? 'serviceAccount' : 'controlPlane';
  return { verdict: 'widens', control, fields: ['/subjects'], why: `gives ${names(given)} ${printable(role)} in ${where}` };
}

/** Accounts of the namespace, and groups that hold them all. */
function isPods(subject: JsonObject, namespace: string): boolean {
  if (subject['kind'] === 'ServiceAccount') return (subject['namespace'] ?? namespace) === namespace;
  const name = stringAt(subject, 'name') ?? '';
  if (subject['kind'] === 'User') return name.startsWith(`system:serviceaccount:${namespace}:`) || name === 'system:anonymous';
  return [`system:serviceaccounts:${namespace}`, 'system:serviceaccounts', 'system:authenticated', 'system:unauthenticated'].includes(name);
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

/** Names of users and of RBAC's objects may hold anything. */
function printable(text: string): string {
  return text.replace(/[^\w:.@/+ -]/g, '?').slice(0, 400);
}

/** One that comes first takes the tenant's requests out of its share. */
function flowSchema(schema: KubeObject, { ctx, pairs }: Judged): Effect | undefined {
  const own = pairs.find(({ planned: { object } }) => kindOf(object) === 'FlowSchema')?.planned.object;
  const precedence = (object: KubeObject): number => Number(objectAt(object, 'spec')?.['matchingPrecedence'] ?? 1000);
  if (own === undefined || precedence(schema) > precedence(own)) return undefined;
  const { namespace, controlPlaneNamespace } = ctx.tenant;
  const subjects = objectsOf(objectAt(schema, 'spec')?.['rules']).flatMap((rule) => objectsOf(rule['subjects']));
  const takes = subjects.some((subject) => {
    const account = objectAt(subject, 'serviceAccount');
    const group = stringAt(subject, 'group', 'name') ?? '';
    return [namespace, controlPlaneNamespace].some(
      (place) => account?.['namespace'] === place || group === `system:serviceaccounts:${place}`,
    );
  });
  if (!takes) return undefined;
  return {
    verdict: 'widens',
    control: 'apiFairness',
    fields: ['/spec/rules'],
    why: 'comes before the tenant’s own, and takes its requests',
  };
}
