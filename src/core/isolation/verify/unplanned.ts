import { asArray, type JsonObject, objectAt, objectsOf, stringAt } from '../../kube/json.ts';
import { kindRow } from '../../kube/kinds.ts';
import { groupOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../../kube/object.ts';
import { pointer } from '../../kube/pointer.ts';
import type { PolicyEntry } from '../../plan/settings.ts';
import type { TenantContext } from '../../plan/tenant-context.ts';
import type { BoundaryRow } from './boundary-report.ts';
import { type Effect, type Judged, printable } from './effect.ts';
import { keyOf, type LiveBoundary, refOf } from './live-boundary.ts';
import { admitsNothing, networkRules } from './network-rules.ts';
import type { Pair } from './pairs.ts';
import { NETWORK_POLICY } from './planned-boundary.ts';
import { isProjectedPolicy, opensBeyond } from './projected-policy.ts';
import { clusterRoleBinding, PULL, roleBinding } from './rights-given.ts';

/** Kinds of which one more may open something: policies, quotas and limits of other kinds only close. */
const JUDGES: Readonly<Record<string, (object: KubeObject, of: Judged) => Effect | undefined>> = {
  [NETWORK_POLICY]: networkPolicy,
  'Role.rbac.authorization.k8s.io': pullRole,
  'RoleBinding.rbac.authorization.k8s.io': roleBinding,
  'ClusterRoleBinding.rbac.authorization.k8s.io': clusterRoleBinding,
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
