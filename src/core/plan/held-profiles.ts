import { decide } from '../decision/decide.ts';
import { KEY, labelValue } from '../identity/metadata.ts';
import { stringAt } from '../kube/json.ts';
import { type KubeObject, kindOf, labelsOf, nameOf } from '../kube/object.ts';
import type { OldTree } from './old-tree.ts';
import type { HostFile, PreviousObject } from './plan-types.ts';
import { isAdmissionFile, PLATFORM_FOLDER, profileOf } from './platform-files.ts';

/**
 * Profiles whose admission policies stay as they are, by the label that they have on a namespace, with a namespace for which they
 * stay. Its tenant's tree stays as it was rendered for the old ones: under others its pods would be refused, or nothing would hold them.
 */
export type HeldProfiles = ReadonlyMap<string, string>;

/** @param frozen namespaces of tenants whose tree stays. What they run under is what the tree says, not what their TenantCluster does. */
export function heldProfiles(frozen: Iterable<string>, old: OldTree): HeldProfiles {
  const used = new Map<string, string>();
  for (const namespace of frozen) {
    for (const { source, object } of old.folder(namespace)) {
      const profile = source.path.includes('/namespace_') ? labelsOf(object).get(KEY.isolationProfile) : undefined;
      if (profile !== undefined && !used.has(profile)) used.set(profile, namespace);
    }
  }
  if (used.size === 0) return used;
  const there = new Set(old.folder(PLATFORM_FOLDER).flatMap((entry) => policyOf(entry.source.path, entry.object) ?? []));
  return new Map([...used].filter(([profile]) => there.has(profile)));
}

/** The namespace for which a file of the shared folder stays, where it does. */
export function heldFor(path: string, object: KubeObject, held: HeldProfiles): string | undefined {
  return held.size === 0 ? undefined : held.get(policyOf(path, object) ?? '');
}

function policyOf(path: string, object: KubeObject): string | undefined {
  const profile = isAdmissionFile(path) ? profileOf(object) : undefined;
  return profile === undefined ? undefined : labelValue(profile);
}

export function heldPolicy(file: HostFile, namespace: string): HostFile {
  const { tenant, causes } = file.decision;
  const params = { kind: kindOf(file.object), name: nameOf(file.object), namespace };
  return { ...file, decision: decide({ tenant, flow: 'None', action: 'Skip', reason: 'ProfileHeld', params, causes }) };
}

/** Names of the priority levels that flow schemas among `staying` refer to: without its level one has no share at all. */
export function levelsOf(staying: readonly PreviousObject[]): ReadonlySet<string> {
  const schemas = staying.filter(({ object }) => kindOf(object) === 'FlowSchema');
  return new Set(schemas.flatMap(({ object }) => stringAt(object, 'spec', 'priorityLevelConfiguration', 'name') ?? []));
}
