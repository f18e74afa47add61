import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { finding } from '../decision/finding.ts';
import { isAlias } from '../dns/aliases.ts';
import { KEY } from '../identity/metadata.ts';
import { annotationsOf, kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { type Assignment, annotatedTenant, assign, objectsFolder } from './assign.ts';
import { configFiles } from './config-files.ts';
import { draftTenant } from './draft-tenant.ts';
import { checkFleet } from './fleet-checks.ts';
import type { Finding, Observation, Plan, PreviousObject, RenderConfig, TenantPlan } from './plan-types.ts';
import { readConfig } from './read-config.ts';
import { resolveHost } from './resolve-settings.ts';
import type { TenantSettings } from './settings.ts';
import { settle } from './settle.ts';
import { sourceRef } from './subjects.ts';
import { finishTenant } from './tenant-plan.ts';

/**
 * The one place that decides what of a package reaches the host, and why: scope, policy, isolation checks, translation,
 * collisions, decisions. Pure and total: each input object, each object we compile and each removed object has exactly one
 * decision, and the same observation gives the same plan in any order of its parts.
 */
export function plan(observation: Observation): Plan {
  const { config } = observation;
  const previous = inScope(observation.previous ?? [], config.scope);
  const assignment = assign(observation.inputs, config);
  const host = resolveHost(config.host);
  const platform = readConfig(assignment, host);
  const unreadable = unreadableFindings(observation.unreadable, assignment);
  const frozenFiles = new Map(
    unreadable.filter(({ severity, tenant }) => severity === 'error' && tenant !== undefined).map((found) => [found.tenant, found]),
  );

  const drafts = platform.ready.map(({ input, tenant, profile, policy }) =>
    draftTenant(tenant, profile, policy, host, assignment.owned.get(`${tenant.namespace}/${nameOf(input.object)}`) ?? []),
  );
  const checked = checkFleet(drafts, previous);
  const finished: TenantPlan[] = [];
  const tenantWide: Finding[] = [];
  const settings = new Map<string, TenantSettings>();
  checked.forEach((draft, index) => {
    const ready = platform.ready[index];
    if (ready === undefined) return;
    settings.set(ready.tenant.namespace, ready.tenant);
    const unread = frozenFiles.get(`${ready.tenant.namespace}/${ready.tenant.name}`);
    const frozen = ready.frozen ?? (unread === undefined ? undefined : `${unread.source.path}: ${unread.message}`);
    const made = finishTenant(draft, config, frozen, ready.input.source);
    finished.push(made.plan);
    tenantWide.push(...made.findings);
  });
  const held = platform.frozen.map((tenant) => ({ ...tenant, level: '', files: [], decisions: heldDecisions(tenant, assignment) }));
  const planned = [...finished, ...held].sort(byTenant);

  const shared = config.output.config === 'include' && config.scope === 'everything' ? configFiles(configInputs(assignment)) : [];
  const settled = settle(planned, shared, previous, settings);
  const findings = [...platform.findings, ...unreadable, ...settled.findings, ...tenantWide];
  const stopped = platform.stopped || unreadable.some(({ severity, tenant }) => severity === 'error' && tenant === undefined);
  const plan: Plan = {
    tenants: settled.tenants,
    shared: settled.shared.filter(({ decision }) => decision.action !== 'Skip'),
    decisions: [...leftAlone(assignment, shared.length > 0), ...settled.shared.map(({ decision }) => decision), ...settled.decisions],
    findings,
    removed: settled.removed,
    stopped,
  };
  return guard(plan, previous, observation);
}

/** `render-sync` answers for projected objects alone: what `render-tenant` made beside them is not its own to remove. */
function inScope(previous: readonly PreviousObject[], scope: RenderConfig['scope']): readonly PreviousObject[] {
  return scope === 'everything'
    ? previous
    : previous.filter(({ object }) => annotationsOf(object).has(KEY.virtualName) && !isAlias(object));
}

/** Refuses to take out much more than one would expect, or everything (a blank render plus pruning removes a tenant's all). */
function guard(plan: Plan, previous: readonly PreviousObject[], { config }: Observation): Plan {
  if (plan.stopped || previous.length === 0) return plan;
  const total = previous.length;
  const limit = config.maxDeletions ?? Math.max(10, Math.floor(total / 2));
  const count = plan.removed.length;
  const source = { path: 'host', document: 0 };
  const standing = plan.shared.length + plan.tenants.reduce((sum, tenant) => sum + tenant.files.length, 0);
  const kept = plan.tenants.some(({ frozen }) => frozen !== undefined);
  const found: Finding[] = [];
  if (standing === 0 && !kept && !config.allowEmpty) found.push(finding('EmptyOutput', { total: String(total) }, source));
  else if (count > limit)
    found.push(finding('MassDeleteHeld', { count: String(count), total: String(total), limit: String(limit) }, source));
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found], stopped: true };
}

/** A file that cannot be read freezes the tenant whose folder holds it; outside any, it is the platform's and stops everything. */
function unreadableFindings(unreadable: readonly Finding[], assignment: Assignment): Finding[] {
  return unreadable.map((found) => {
    const folder = objectsFolder(found.source.path);
    const tenant = folder === undefined ? undefined : (assignment.folders.get(folder) ?? `${folder}/?`);
    return tenant === undefined ? found : { ...found, tenant };
  });
}

function configInputs(assignment: Assignment): Parameters<typeof configFiles>[0] {
  return [...assignment.tenantClusters, ...assignment.profiles, ...assignment.policies].sort((a, b) => {
    const [x, y] = [configKey(a), configKey(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  });
}

function configKey({ object }: { readonly object: Observation['inputs'][number]['object'] }): string {
  return `${kindOf(object)}|${namespaceOf(object) ?? ''}|${nameOf(object)}`;
}

/** Inputs that no tenant owns, one decision each. */
function leftAlone(assignment: Assignment, configRendered: boolean): Decision[] {
  const tenant = { namespace: '', name: '' };
  const skip = (
    input: Observation['inputs'][number],
    reason: 'NoTenant' | 'PlatformObject' | 'ConfigFromTenant' | 'NotAnObject',
  ): Decision => {
    const source = sourceRef(input);
    const text = `${source.kind} ${source.namespace === '' ? '' : `${source.namespace}/`}${source.name}`.trim();
    return decide({
      tenant,
      source,
      flow: 'None',
      action: 'Skip',
      reason,
      params: { kind: source.kind, source: reason === 'NoTenant' ? text : source.name, why: 'it has no apiVersion and kind' },
      causes: ['folder'],
    });
  };
  const orphans = assignment.orphans.map((input) => skip(input, 'NoTenant'));
  const platform = assignment.platform.map((input) => {
    if (kindOf(input.object) === '') return skip(input, 'NotAnObject');
    return skip(input, annotatedTenant(input.object) === undefined ? 'PlatformObject' : 'NoTenant');
  });
  const config = configRendered ? [] : configInputs(assignment).map((input) => skip(input, 'PlatformObject'));
  return [...orphans, ...platform, ...config].sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
}

function order({ source }: Decision): string {
  return source === undefined ? '' : `${source.file.path}|${String(source.file.document).padStart(6, '0')}`;
}

/** Objects of a tenant that cannot be planned still have a decision each. */
function heldDecisions(
  tenant: { readonly name: string; readonly namespace: string; readonly frozen: string },
  assignment: Assignment,
): Decision[] {
  const ref = { namespace: tenant.namespace, name: tenant.name };
  const inputs = assignment.owned.get(`${tenant.namespace}/${tenant.name}`) ?? [];
  return inputs
    .map((input) =>
      decide({
        tenant: ref,
        source: sourceRef(input),
        flow: 'None',
        action: 'Skip',
        reason: 'TenantFrozen',
        params: { tenant: `${ref.namespace}/${ref.name}`, why: tenant.frozen },
        causes: [`TenantCluster/${ref.name}`],
      }),
    )
    .sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
}

function byTenant(a: TenantPlan, b: TenantPlan): number {
  const [x, y] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`];
  return x < y ? -1 : x > y ? 1 : 0;
}
