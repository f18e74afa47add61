import { entryName } from '../checks/scope-checks.ts';
import { finding } from '../decision/finding.ts';
import { controlPlaneNamespace } from '../isolation/control-plane-namespace.ts';
import { levelDefaults } from '../isolation/levels.ts';
import { limitProblems } from '../isolation/limit-problems.ts';
import { quotaProblems } from '../isolation/quotas.ts';
import { at, type JsonObject } from '../kube/json.ts';
import { type KindRow, kindRow } from '../kube/kinds.ts';
import { kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { type TenantKey, tenantKeyOf } from './assign.ts';
import type { Finding, InputObject } from './plan-types.ts';
import type { PolicySettings, ProfileSettings, TenantSettings } from './settings.ts';

/** Namespaces that are the host's own or a tool's. A tenant in one of them would get its labels, quotas and policies onto it. */
const RESERVED_NAMESPACES: ReadonlySet<string> = new Set([
  'default',
  'kube-system',
  'kube-public',
  'kube-node-lease',
  'argocd',
  'flux-system',
  'tenantplane-system',
  'tenantplane-sync',
  // folders of the tree itself: a tenant's tree under one of these names would be mixed with what is shared
  'platform',
  'config',
]);

export function isReservedNamespace(namespace: string): boolean {
  return RESERVED_NAMESPACES.has(namespace) || /^(kube-|openshift-|cp-x-)/.test(namespace);
}

/** Two configuration objects of one name, and two tenants in one namespace: nobody can say which is meant, so nothing is written. */
export function contradictions(tenantClusters: readonly InputObject[], others: readonly InputObject[]): Finding[] {
  const findings: Finding[] = [];
  const seen = new Map<string, InputObject>();
  for (const input of [...tenantClusters, ...others]) {
    const kind = kindOf(input.object);
    const id = `${kind} ${kind === 'TenantCluster' ? tenantKeyOf(input.object) : nameOf(input.object)}`;
    const earlier = seen.get(id);
    if (earlier === undefined) seen.set(id, input);
    else {
      const files = [earlier, input].map(({ source }) => source.path).join(', ');
      findings.push(finding('SourceDuplicated', { source: id, count: '2', files }, input.source));
    }
  }
  const byNamespace = new Map<string, InputObject>();
  for (const input of tenantClusters) {
    const namespace = namespaceOf(input.object) ?? '';
    const earlier = byNamespace.get(namespace);
    if (earlier === undefined) byNamespace.set(namespace, input);
    else if (nameOf(earlier.object) !== nameOf(input.object)) {
      findings.push(
        finding('NamespaceShared', { namespace, other: nameOf(earlier.object) }, input.source, { pointer: '/metadata/namespace' }),
      );
    }
  }
  for (const input of tenantClusters) {
    const place = controlPlaneNamespace(nameOf(input.object), namespaceOf(input.object) ?? '');
    const other = byNamespace.get(place);
    if (other !== undefined) {
      findings.push(
        finding('NamespaceShared', { namespace: place, other: nameOf(input.object) }, other.source, { pointer: '/metadata/namespace' }),
      );
    }
  }
  return findings;
}

/** Settings of a tenant that contradict its profile or the host; they freeze that tenant. */
export function tenantProblems(tenant: TenantSettings, profile: ProfileSettings, input: InputObject): Finding[] {
  const key: TenantKey = `${tenant.namespace}/${tenant.name}`;
  const where = (pointer: string): { pointer: string; tenant: TenantKey } => ({ pointer, tenant: key });
  const findings: Finding[] = [];
  if (isReservedNamespace(tenant.namespace)) {
    findings.push(finding('ReservedNamespace', { namespace: tenant.namespace }, input.source, where('/metadata/namespace')));
  }
  if (tenant.mode === 'private') findings.push(finding('ModeNotImplemented', { mode: tenant.mode }, input.source, where('/spec/mode')));
  if (tenant.mode === 'dedicated' && Object.keys(tenant.nodePool?.nodeSelector ?? {}).length === 0) {
    findings.push(finding('NodePoolMissing', {}, input.source, where('/spec/nodePool')));
  }
  for (const problem of quotaProblems({ tenant, profile })) {
    findings.push(finding('QuotaInconsistent', { tenant: tenant.name, problem }, input.source, where('/spec/resources')));
  }
  if (profile.level === 'sandboxed' && tenant.egressPolicy === 'unrestricted') {
    findings.push(finding('EgressTooOpen', { profile: profile.name }, input.source, where('/spec/networking/egressPolicy')));
  }
  return findings;
}

/** What is wrong with a profile in itself. Errors freeze the tenants that use it. */
export function profileProblems(profile: ProfileSettings, input: InputObject): Finding[] {
  const findings: Finding[] = [];
  for (const problem of limitProblems(profile.limits)) {
    findings.push(finding('LimitsInconsistent', { profile: profile.name, problem }, input.source, { pointer: '/spec/limits' }));
  }
  for (const { control, value } of controlsBelowLevel(profile, input.object)) {
    const params = { profile: profile.name, level: profile.level, control, value };
    findings.push(finding('ControlBelowLevel', params, input.source, { pointer: `/spec/controls/${control}` }));
  }
  return findings;
}

function controlsBelowLevel(profile: ProfileSettings, object: JsonObject): { control: string; value: string }[] {
  const defaults = levelDefaults(profile.level);
  const below: { control: string; value: string }[] = [];
  const flags = [
    ['defaultDenyNetworkPolicy', defaults.defaultDeny],
    ['requireResourceRequests', defaults.requireResourceRequests],
    ['blockHostPathVolumes', defaults.blockHostPath],
    ['blockPrivilegedContainers', defaults.blockPrivileged],
  ] as const;
  for (const [control, wanted] of flags) {
    if (wanted && at(object, 'spec', 'controls', control) === false) below.push({ control, value: 'false' });
  }
  if (defaults.podSecurity === 'restricted' && profile.podSecurity === 'baseline')
    below.push({ control: 'podSecurity', value: 'baseline' });
  if (defaults.apiFairness === 'tenant-strict' && profile.apiFairness === 'tenant') below.push({ control: 'apiFairness', value: 'tenant' });
  return below;
}

/** Entries that can never do what they say. Errors freeze the tenants that use the policy. */
export function policyProblems(policy: PolicySettings, input: InputObject): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  policy.entries.forEach((entry, index) => {
    const pointer = `/spec/resources/${index}`;
    const params = { policy: policy.name, entry: entryName(entry) };
    const row: KindRow | undefined = kindRow(entry.key);
    const error = entryError(row, entry.scope);
    if (error !== undefined) findings.push(finding('EntryUnparseable', { ...params, error }, input.source, { pointer }));
    // Each version of a custom kind has references of its own; the kinds that we know are one, whatever their version.
    const covered = row === undefined ? `${entry.apiVersion} ${entry.kind}` : entry.key;
    if (seen.has(covered)) findings.push(finding('PolicyEntryShadowed', params, input.source, { pointer }));
    seen.add(covered);
  });
  return findings;
}

function entryError(row: KindRow | undefined, scope: 'Namespaced' | 'Cluster' | undefined): string | undefined {
  if (row === undefined)
    return scope === 'Cluster' ? 'the kind is cluster-scoped, and a tenant has no place for it on the host' : undefined;
  if (row.role === 'config') return 'the kind is configuration of tenantplane itself';
  if (row.scope === 'Cluster') return 'the kind is cluster-scoped, and a tenant has no place for it on the host';
  if (row.role === 'never') return 'the kind is the platform’s to set and is never projected';
  return undefined;
}
