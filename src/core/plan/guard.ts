import { nearest } from '../../schema/nearest.ts';
import { finding } from '../decision/finding.ts';
import { KEY, labelValue } from '../identity/metadata.ts';
import { BACKSTOP_SINCE } from '../isolation/admission/compile.ts';
import { labelsOf } from '../kube/object.ts';
import { identityOf, type OldTree } from './old-tree.ts';
import type { Finding, Plan, RenderConfig } from './plan-types.ts';
import { isAdmissionFile, PLATFORM_FOLDER, profileOf } from './platform-files.ts';
import type { HostFacts } from './settings.ts';

/** Refuses to take out much more than one would expect, or everything (a blank render plus pruning removes a tenant's all). */
export function guard(plan: Plan, old: OldTree, config: RenderConfig, host: HostFacts): Plan {
  if (plan.stopped || old.size === 0) return plan;
  const found = [...emptyOrMass(plan, old, config), ...admissionHeld(plan, config, host), ...profilesHeld(plan, old, config)];
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found], stopped: true };
}

/** The file of an allowance of ours; host names of tenants' own policies have an `-x-`. */
const OPENING = /\/networkpolicy[^/]*_tenantplane-allow-(?:(?!-x-)[^/])*$/;

const SOURCE = { path: 'host', document: 0 };

function emptyOrMass(plan: Plan, old: OldTree, config: RenderConfig): Finding[] {
  // What the fleet shares is the same for one tenant and for a thousand: counted in, it would hide what a small fleet loses.
  // What a tenant's policies open is as many files as the tenant likes, and is closed again by their leaving.
  const counts = (path: string): boolean => !path.startsWith(`${PLATFORM_FOLDER}/`) && !OPENING.test(path);
  const leaving = plan.removed.filter(counts);
  let size = 0;
  for (const { source } of old.entries()) if (counts(source.path)) size += 1;
  const total = String(size);
  const limit = config.maxDeletions ?? Math.max(10, Math.floor(size / 2));
  const empty = plan.shared.length === 0 && plan.tenants.every(({ files, frozen }) => files.length === 0 && frozen === undefined);
  if (empty && !config.allowEmpty) return [finding('EmptyOutput', { total }, SOURCE)];
  // Objects are parsed for it, so only where files alone are too many.
  const count = leaving.length > limit ? withoutMoved(leaving, plan, old) : leaving.length;
  return count > limit ? [finding('MassDeleteHeld', { count: String(count), total, limit: String(limit) }, SOURCE)] : [];
}

/** How many objects leave: one whose file lies elsewhere from now on, since the tree is spread otherwise, stays on the host. */
function withoutMoved(leaving: readonly string[], plan: Plan, old: OldTree): number {
  const added = [...plan.shared, ...plan.tenants.flatMap(({ files }) => files)].filter(({ path }) => old.at(path) === undefined);
  const there = new Set(added.map(({ object }) => identityOf(object)));
  return leaving.filter((path) => {
    const entry = old.at(path);
    return entry === undefined || !there.has(identityOf(entry.object));
  }).length;
}

/** A version that is mistyped, or that of another host, must not open a host that enforces policies. */
function admissionHeld({ removed }: Plan, { maxDeletions }: RenderConfig, { minor }: HostFacts): Finding[] {
  if (minor === undefined || minor >= BACKSTOP_SINCE) return [];
  const count = removed.filter(isAdmissionFile).length;
  if (count <= (maxDeletions ?? 0)) return [];
  return [finding('AdmissionHeld', { count: String(count), version: `1.${minor}`, since: `1.${BACKSTOP_SINCE}` }, SOURCE)];
}

/**
 * Where tenants are rendered in packages of their own, the package of their profiles sees none of them: a profile that is renamed
 * or removed there must not take away what their namespaces run under. One that tenants of this package left is theirs alone.
 */
function profilesHeld({ removed, shared }: Plan, old: OldTree, { maxDeletions }: RenderConfig): Finding[] {
  const policies = removed.filter(isAdmissionFile);
  // Objects are parsed for what follows, and most renders remove none of these.
  if (policies.length === 0) return [];
  const leaving = new Map<string, number>();
  const standing = new Set(shared.map(({ object }) => profileOf(object)));
  for (const path of policies) {
    const entry = old.at(path);
    const profile = entry === undefined ? undefined : profileOf(entry.object);
    if (profile !== undefined && !standing.has(profile)) leaving.set(profile, (leaving.get(profile) ?? 0) + 1);
  }
  if (leaving.size === 0) return [];
  const used = profilesOfTree(old);
  return [...leaving]
    .filter(([profile, count]) => !used.has(labelValue(profile)) && count > (maxDeletions ?? 0))
    .map(([profile, count]) => {
      const fix = heldProfileFix(
        profile,
        count,
        nearest(
          profile,
          [...standing].flatMap((name) => name ?? []),
        ),
      );
      return finding('ProfilePoliciesHeld', { profile, count: String(count), fix }, SOURCE);
    });
}

/** A tree does not say who else rendered with it, so a name that was mistyped once is told from one that served others by people. */
function heldProfileFix(profile: string, count: number, near: string | undefined): string {
  const repeat = `repeat with --max-deletions ${count} (config: maxDeletions)`;
  const keep = `keep ${profile} until each tenant that names it has been rendered and applied with another one`;
  if (near === undefined) return `K${keep.slice(1)}; if none is left, ${repeat}.`;
  return `If ${profile} was a mistyped ${near} that no other package was rendered with, ${repeat}: only what the mistake added is removed. Else ${keep}.`;
}

/** Profiles, as namespaces are labelled with them, that tenants of the tree run under. */
function profilesOfTree(old: OldTree): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { source, object } of old.entries()) {
    if (!source.path.includes('/namespace_')) continue;
    const profile = labelsOf(object).get(KEY.isolationProfile);
    if (profile !== undefined) used.add(profile);
  }
  return used;
}
