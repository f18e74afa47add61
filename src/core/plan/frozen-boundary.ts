import type { Decision } from '../decision/decision.ts';
import { DNS_SERVER } from '../dns/server.ts';
import { KEY } from '../identity/metadata.ts';
import { compileIsolation } from '../isolation/compile.ts';
import { OWN_PREFIX } from '../isolation/compiled-object.ts';
import type { GatewayAllowance } from '../isolation/gateway-allowances.ts';
import { FROM_GATEWAY } from '../isolation/network-policies.ts';
import type { TargetPort } from '../isolation/target-ports.ts';
import { asString, at, type JsonObject, objectAt, objectsOf } from '../kube/json.ts';
import { annotationsOf, type KubeObject, kindOf, nameOf } from '../kube/object.ts';
import { compiledFile } from './compiled-files.ts';
import { isOf, narrowedPolicy } from './narrowed-policies.ts';
import { isOurs, type OldTree } from './old-tree.ts';
import type { HostFile, RenderConfig, TenantPlan } from './plan-types.ts';
import type { TenantContext } from './tenant-context.ts';

/**
 * What must fit the projected objects, by the control that it belongs to, and so stays with them: pods have their resolver in
 * their own spec, and the tenant's input says what flows back.
 */
const WITH_OBJECTS: ReadonlySet<string> = new Set(['dns', 'pullAccess']);

interface Frozen {
  readonly ctx: TenantContext;
  /** all that stands */
  readonly known: OldTree;
  /** what is decided of the tenant by its input */
  readonly planned: readonly Decision[];
}

/**
 * The boundary of a tenant whose own input is at fault, around its objects as they stand: what the platform says of namespaces, quotas,
 * limits and network policies is written all the same. The tenant's own NetworkPolicies, Ingresses and Services count as they lie
 * in the tree, not as its input has them; a policy that admits more than it may now is narrowed.
 *
 * @returns undefined where that is not known, since nothing lies there, a file cannot be read, or it was another tenant's
 */
export function frozenBoundary(
  { ctx, known, planned }: Frozen,
  { scope, output: { shards } }: Pick<RenderConfig, 'scope' | 'output'>,
): readonly HostFile[] | undefined {
  const { namespace, name } = ctx.tenant;
  const entries = known.folder(namespace);
  if (entries.length === 0 || entries.some(({ broken }) => broken === true)) return undefined;
  const narrowed = new Map<string, HostFile>();
  for (const entry of entries) {
    const file = isProjected(entry.object) ? narrowedPolicy(entry, ctx, planned) : undefined;
    if (file !== undefined) narrowed.set(file.path, file);
  }
  const objects = entries.map(({ object, source: { path } }) => narrowed.get(path)?.object ?? object).filter(isOurs);
  if (objects.some((object) => annotationsOf(object).get(KEY.tenantCluster) !== `${namespace}/${name}`)) return undefined;
  if (scope === 'sync') return [...narrowed.values()];
  const around = objects.filter((object) => isProjected(object) || nameOf(object).startsWith(DNS_SERVER));
  // which rules of the tenant's are for everyone, only its input says
  const policies = around.some((object) => isProjected(object) && kindOf(object) === 'NetworkPolicy');
  const compiled = compileIsolation(ctx, around, policies ? objects.flatMap(gatewayAllowance) : undefined);
  // without a server of its own, then and now, it asks the host's
  const asks = !objects.some((object) => nameOf(object) === DNS_SERVER);
  const files = compiled
    .filter(({ control }) => !WITH_OBJECTS.has(control) || (asks && control === 'dns'))
    .map((each) => compiledFile(each, ctx, shards));
  return scope === 'isolation' ? files : [...files, ...narrowed.values()];
}

/** The plan of a frozen tenant whose boundary is written all the same: its own objects are decided as they would be. */
export function withBoundary(tenant: TenantPlan, planned: readonly HostFile[], files: readonly HostFile[]): TenantPlan {
  const paths = new Set(files.map(({ path }) => path));
  const done = (file: HostFile): boolean => paths.has(file.path) || isBoundary(file);
  const replaced = new Set<Decision>(planned.filter(done).map(({ decision }) => decision));
  const narrowed = files.flatMap(({ object, decision: { host } }) => (isProjected(object) && host !== undefined ? [host] : []));
  const own = tenant.decisions.filter((decision) => !replaced.has(decision) && !narrowed.some((host) => isOf(decision, host)));
  return { ...tenant, files, decisions: [...own, ...files.map(({ decision }) => decision)] };
}

/** Whether a planned file bounds the tenant, and serves none of its objects. */
function isBoundary({ decision: { reason, params } }: HostFile): boolean {
  return reason === 'IsolationObjectCompiled' && !WITH_OBJECTS.has(params['control'] ?? '');
}

/** A tenant's own object, or a short name for one. */
export function isProjected(object: KubeObject): boolean {
  return annotationsOf(object).has(KEY.virtualName);
}

/**
 * What may leave the tree of a frozen tenant: openings that the platform closes. Nothing that bounds it does, while its pods run.
 */
export function isOpening(object: KubeObject): boolean {
  const name = nameOf(object);
  return kindOf(object) === 'NetworkPolicy' && name.startsWith(`${OWN_PREFIX}allow-`) && name !== `${OWN_PREFIX}allow-dns`;
}

/** What a policy of ours lets gateways call, taken from the policy. */
function gatewayAllowance(policy: KubeObject): GatewayAllowance[] {
  if (kindOf(policy) !== 'NetworkPolicy' || isProjected(policy) || !nameOf(policy).startsWith(OWN_PREFIX + FROM_GATEWAY)) return [];
  const ports = objectsOf(objectsOf(at(policy, 'spec', 'ingress'))[0]?.['ports']);
  return [{ selector: objectAt(policy, 'spec', 'podSelector') ?? {}, ports: ports.flatMap(targetPort) }];
}

function targetPort({ protocol, port }: JsonObject): TargetPort[] {
  return typeof port === 'string' || typeof port === 'number' ? [{ protocol: asString(protocol) ?? 'TCP', port }] : [];
}
