import { isAlias } from '../dns/aliases.ts';
import { KEY } from '../identity/metadata.ts';
import { compileProfile, compileShared } from '../isolation/platform.ts';
import { annotationsOf, kindOf, nameOf, namespaceOf } from '../kube/object.ts';
import { sharedTooLarge } from './application-size.ts';
import { type Assignment, assign, objectsFolder, tenantKeyOf } from './assign.ts';
import { refuseCollisions } from './collisions.ts';
import { configFiles } from './config-files.ts';
import { draftTenant } from './draft-tenant.ts';
import { guard } from './guard.ts';
import { readHostFacts, resolveHost } from './host-facts.ts';
import { heldDecisions, leftAlone } from './left-alone.ts';
import { missingTenants } from './missing-tenants.ts';
import { movedFiles } from './moved-files.ts';
import { createOldTree, isOurs, type OldTree } from './old-tree.ts';
import type { Finding, HostFile, InputObject, Observation, Plan, PreviousObject, RenderConfig, TenantPlan } from './plan-types.ts';
import { platformFiles } from './platform-files.ts';
import { readConfig } from './read-config.ts';
import { settleTenant } from './settle.ts';
import { settleFrozen } from './settle-frozen.ts';
import { settleShared } from './shared-files.ts';
import { sharedPools } from './shared-pools.ts';
import { compare } from './subjects.ts';
import { type Claimant, takenHosts } from './taken-hosts.ts';
import { finishTenant } from './tenant-plan.ts';

/**
 * The one place that decides what of a package reaches the host, and why: scope, policy, isolation checks, translation,
 * collisions, decisions. Pure and total: each input object, each object we compile and each removed object has exactly one
 * decision, and the same observation gives the same plan in any order of its parts.
 *
 * Tenants are planned one after the other; what only the fleet can know is found out before.
 */
export function plan(observation: Observation): Plan {
  const { config, printer } = observation;
  const assignment = assign(observation.inputs, config);
  const present = new Set(assignment.tenantClusters.map(({ object }) => namespaceOf(object) ?? ''));
  const before = observation.previous ?? [];
  const old = createOldTree(inScope(before, config.scope), present);
  // what became of a tenant, the whole tree says: a half of it may hold nothing that tells
  const known = config.scope === 'everything' ? old : createOldTree(before, present);
  const read = readHostFacts(observation.inputs, config.host.version);
  const host = resolveHost(config.host, read.facts);
  const platform = readConfig(assignment, host);
  const unreadable = unreadableFindings(observation.unreadable, assignment);
  const claimants = platform.ready.map(({ input, tenant, profile, policy }): Claimant => {
    const key = tenantKeyOf(input.object);
    const inputs = assignment.owned.get(key) ?? [];
    return { tenant: key, inputs, draft: () => draftTenant(tenant, profile, policy, host, inputs) };
  });
  const taken = takenHosts(claimants, old);
  const compiled = new Map(platform.profiles.map(({ settings }) => [settings, compileProfile(settings, host)]));
  const guards = compileShared(host);

  const asked = (key: string): boolean => observation.only?.has(key) !== false;
  const tenants: TenantPlan[] = platform.frozen
    .filter(({ namespace, name }) => asked(`${namespace}/${name}`))
    .map((tenant) => {
      const inputs = assignment.owned.get(`${tenant.namespace}/${tenant.name}`) ?? [];
      return { ...tenant, level: '', files: [], controls: [], decisions: heldDecisions(tenant, inputs) };
    });
  const findings: Finding[] = [...read.findings, ...platform.findings, ...unreadable];
  if (config.scope !== 'sync') findings.push(...sharedPools(platform.ready).filter(({ tenant }) => tenant === undefined || asked(tenant)));
  const removed: string[] = [];
  platform.ready.forEach(({ input, tenant, profile, frozen, frozenAt }, index) => {
    const claimant = claimants[index];
    if (claimant === undefined || !asked(claimant.tenant)) return;
    const unread = unreadable.find((found) => found.severity === 'error' && found.tenant === claimant.tenant);
    const why = frozen ?? (unread === undefined ? undefined : `${unread.source.path}: ${unread.message}`);
    const draft = refuseCollisions(claimant.draft(), taken);
    const made = finishTenant(draft, observation, {
      frozen: why,
      frozenAt: frozenAt ?? unread,
      source: input.source,
      shared: [...(compiled.get(profile)?.objects ?? []), ...guards],
    });
    const written = settleTenant(made.plan, tenant, { old, known }, printer);
    const { boundary } = made;
    const standing = { ctx: draft.ctx, settings: tenant, boundary, byPlatform: frozen !== undefined, config, known };
    const settled = written.tenant.frozen === undefined ? written : settleFrozen(written, standing, { old, printer, source: input.source });
    tenants.push(settled.tenant);
    findings.push(...made.findings, ...settled.findings);
    for (const path of settled.removed) removed.push(path);
    if (observation.release !== undefined) for (const done of claimant.inputs) observation.release(done);
  });
  tenants.sort((a, b) => compare(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`));

  const rendersConfig = config.output.config === 'include' && config.scope !== 'sync';
  const missing = missingTenants(assignment, tenants, known.entries());
  findings.push(...missing.findings);
  const moved = findings
    .filter(({ reason }) => reason === 'TenantMoved')
    .flatMap(({ tenant }) => known.homeOfData(tenant?.split('/')[1] ?? '') ?? []);
  const standing = { broken: platform.broken, missing: new Set([...missing.namespaces, ...moved]) };
  const own = (input: InputObject): boolean => observation.foreign?.(input.source) !== true;
  const configs = configInputs(assignment).filter(own);
  const profiles = platform.profiles.flatMap(({ input, settings }) => (own(input) ? (compiled.get(settings) ?? []) : []));
  const files = [
    ...(config.scope === 'sync' ? [] : platformFiles(profiles, profiles.length === 0 ? [] : guards)),
    ...(rendersConfig ? configFiles(configs) : []),
  ];
  const shared = settleShared(files, tenants, old, standing, printer);
  for (const path of shared.removed) removed.push(path);
  findings.push(...shared.findings);
  for (const [folder, count] of sizes(files)) findings.push(...sharedTooLarge(folder, count));
  findings.push(...movedFiles(tenants, removed));
  const whole: Plan = {
    tenants,
    shared: shared.files,
    decisions: [...leftAlone(assignment, rendersConfig ? [] : configs), ...shared.decisions],
    findings,
    removed: removed.sort(compare),
    stays: new Set([...shared.stays, ...standingOf(tenants, standing.missing, old)]),
    stopped:
      platform.stopped ||
      read.findings.length > 0 ||
      unreadable.some(({ severity, tenant }) => severity === 'error' && tenant === undefined),
  };
  return guard(whole, old, config, host);
}

/** Files of ours in the folders of tenants whose tree stays, frozen or missing. */
function standingOf(tenants: readonly TenantPlan[], missing: ReadonlySet<string>, old: OldTree): readonly string[] {
  const frozen = tenants.flatMap((tenant) => (tenant.frozen === undefined ? [] : [tenant.namespace]));
  return [...frozen, ...missing].flatMap((namespace) =>
    old.folder(namespace).flatMap(({ source, object, broken }) => (broken !== true && isOurs(object) ? [source.path] : [])),
  );
}

/** How many of the shared files each folder has. */
function sizes(files: readonly HostFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.indexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** A function that renders a part answers for that part alone: what the other one made is not its own to remove. */
function inScope(previous: readonly PreviousObject[], scope: RenderConfig['scope']): readonly PreviousObject[] {
  if (scope === 'everything') return previous;
  return previous.filter(({ object }) => (annotationsOf(object).has(KEY.virtualName) && !isAlias(object)) === (scope === 'sync'));
}

/** A file that cannot be read freezes the tenant whose folder holds it; outside any, it is the platform's and stops everything. */
function unreadableFindings(unreadable: readonly Finding[], assignment: Assignment): Finding[] {
  return unreadable.map((found) => {
    // the folder itself may be what cannot be read
    const folder = objectsFolder(`${found.source.path}/`);
    const tenant = folder === undefined ? undefined : (assignment.folders.get(folder) ?? `${folder}/?`);
    return tenant === undefined ? found : { ...found, tenant };
  });
}

function configInputs(assignment: Assignment): InputObject[] {
  const key = ({ object }: InputObject): string => `${kindOf(object)}|${namespaceOf(object) ?? ''}|${nameOf(object)}`;
  return [...assignment.tenantClusters, ...assignment.profiles, ...assignment.policies].sort((a, b) => compare(key(a), key(b)));
}
