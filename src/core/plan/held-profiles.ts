import { finding } from '../decision/finding.ts';
import type { ReasonName } from '../decision/reasons.ts';
import { KEY, labelValue } from '../identity/metadata.ts';
import { at, equal, type Json, objectAt, objectsOf, stringAt } from '../kube/json.ts';
import { type KubeObject, kindOf, labelsOf, nameOf, namespaceOf } from '../kube/object.ts';
import { holds, type OldTree } from './old-tree.ts';
import type { Finding, HostFile, PreviousObject } from './plan-types.ts';
import { isAdmissionFile, profileOf } from './platform-files.ts';

/**
 * Profiles by the label that they have on a namespace, each with the namespaces that run under it while their trees stay as they
 * were. A tenant can bring that about by itself, so it delays nothing that a profile says for others: what a profile makes is
 * written as it is now, and what it makes no more goes. Only the policies of a profile that is gone stay, since without them
 * nothing would hold the namespace.
 */
export type HeldProfiles = ReadonlyMap<string, readonly string[]>;

/**
 * @param frozen namespaces of tenants whose tree stays. What they run under is what the tree says, not what their TenantCluster does.
 * @param relabelled those of them whose namespace is written all the same, with their profile
 */
export function heldProfiles(frozen: Iterable<string>, old: OldTree, relabelled: ReadonlyMap<string, string>): HeldProfiles {
  const used = new Map<string, string[]>();
  for (const namespace of frozen) {
    const now = relabelled.get(namespace);
    if (now !== undefined) used.set(labelValue(now), [...(used.get(labelValue(now)) ?? []), namespace]);
    if (now !== undefined) continue;
    const labels = old.folder(namespace).flatMap(({ source, object }) => {
      return source.path.includes('/namespace_') ? (labelsOf(object).get(KEY.isolationProfile) ?? []) : [];
    });
    for (const profile of new Set(labels)) used.set(profile, [...(used.get(profile) ?? []), namespace]);
  }
  return used;
}

/** The profile, as namespaces are labelled with it, of an admission policy or binding that frozen namespaces run under. */
export function heldBy(path: string, object: KubeObject, held: HeldProfiles): string | undefined {
  if (held.size === 0 || !isAdmissionFile(path)) return undefined;
  const profile = profileOf(object);
  const label = profile === undefined ? undefined : labelValue(profile);
  return label !== undefined && held.has(label) ? label : undefined;
}

/**
 * One finding for each profile whose policies change, come or go while trees made for the old ones stay.
 * @param files what is written, and what leaves
 */
export function movedOn(files: readonly Pick<HostFile, 'path' | 'object'>[], old: OldTree, held: HeldProfiles): Finding[] {
  const changed = files.filter(({ path, object }) => {
    if (heldBy(path, object, held) === undefined) return false;
    const before = old.at(path);
    if (before?.broken === true) return false;
    if (before === undefined || before.object === object) return true;
    return !holds(before, object) && !equal(verdictOf(before.object), verdictOf(object));
  });
  return findings(changed, held, (profile, count, namespaces) => [
    'ProfileMovedOn',
    { what: `IsolationProfile ${profile} (${count} of its admission policies and bindings)`, namespaces },
  ]);
}

/** What decides whether an object is admitted: not who made the policy, and not the words of a refusal. */
function verdictOf(object: KubeObject): Json {
  const { validations: _, ...rest } = objectAt(object, 'spec') ?? {};
  return { ...rest, validations: objectsOf(at(object, 'spec', 'validations')).map(({ expression }) => expression ?? null) };
}

/** One finding for each profile of which something stays that the package asks for no more. */
export function keptPolicies(staying: readonly PreviousObject[], held: HeldProfiles): Finding[] {
  return findings(
    staying.map(({ source, object }) => ({ path: source.path, object })),
    held,
    (profile, count, namespaces) => ['ProfileHeld', { profile, count: String(count), namespaces }],
  );
}

function findings(
  files: readonly { readonly path: string; readonly object: KubeObject }[],
  held: HeldProfiles,
  say: (profile: string, count: number, namespaces: string) => readonly [ReasonName, Readonly<Record<string, string>>],
): Finding[] {
  return [...held].flatMap(([profile, namespaces]) => {
    const own = files.filter(({ path, object }) => heldBy(path, object, held) === profile);
    const [first] = own;
    if (first === undefined) return [];
    const [reason, params] = say(profileOf(first.object) ?? profile, own.length, shortList(namespaces));
    return [finding(reason, params, { path: `host/${first.path}`, document: 0 })];
  });
}

function shortList(names: readonly string[]): string {
  const sorted = [...names].sort();
  return sorted.length <= 4 ? sorted.join(', ') : `${sorted.slice(0, 3).join(', ')} and ${sorted.length - 3} more`;
}

/** Names of the priority levels that flow schemas among `staying` refer to: without its level one has no share at all. */
export function levelsOf(staying: readonly PreviousObject[]): ReadonlySet<string> {
  const schemas = staying.filter(({ object }) => kindOf(object) === 'FlowSchema');
  return new Set(schemas.flatMap(({ object }) => stringAt(object, 'spec', 'priorityLevelConfiguration', 'name') ?? []));
}

/** Profiles and policies, as `kind name`, that the copies of frozen tenants' TenantClusters refer to: the reconciler reads them together. */
export function configOf(frozen: ReadonlySet<string>, config: readonly PreviousObject[]): ReadonlySet<string> {
  const clusters = config.filter(({ object }) => kindOf(object) === 'TenantCluster' && frozen.has(namespaceOf(object) ?? ''));
  return new Set(
    clusters.flatMap(({ object }) => {
      const spec = objectAt(object, 'spec');
      return [
        `IsolationProfile ${stringAt(spec, 'isolationProfileRef', 'name') ?? ''}`,
        `SyncPolicy ${stringAt(spec, 'syncPolicyRef', 'name') ?? ''}`,
      ];
    }),
  );
}

/** Whether a file is the copy of a profile or policy that stays for its tenants. */
export function isConfigOf(object: KubeObject, kept: ReadonlySet<string>): boolean {
  return kept.has(`${kindOf(object)} ${nameOf(object)}`);
}
