import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringAt } from '../../core/kube/json.ts';
import { apiVersionOf, kindOf, nameOf, namespaceOf } from '../../core/kube/object.ts';
import { objectsFolder } from '../../core/plan/assign.ts';
import type { InputObject } from '../../core/plan/plan-types.ts';
import { HOST_FOLDER } from '../../krm/package.ts';
import { loadPackage, readPlatform, sharedOf } from '../render/load-package.ts';

export type Level = 'baseline' | 'restricted' | 'sandboxed';

/** A profile or policy of the package, and the file that it stands in. */
export interface There {
  readonly name: string;
  readonly path: string;
}

/** What a package holds already that a new tenant can use, or that stands in its way. */
export interface PlatformThere {
  readonly profiles: readonly (There & { readonly level: string })[];
  readonly policies: readonly There[];
  readonly tenants: readonly (There & { readonly namespace: string })[];
}

const NOTHING: PlatformThere = { profiles: [], policies: [], tenants: [] };

/** @param platform another package, whose profiles and policies count as well */
export async function platformThere(folder: string, platform: string | undefined, signal: AbortSignal): Promise<PlatformThere> {
  if (!existsSync(folder)) {
    if (platform === undefined) return NOTHING;
    return of(sharedOf(await readPlatform(platform, { signal })).inputs);
  }
  const tree = join(folder, HOST_FOLDER);
  return of((await loadPackage(folder, { tree, signal, ...(platform !== undefined && { platform }) })).inputs);
}

function of(inputs: readonly InputObject[]): PlatformThere {
  const all = (kind: string): InputObject[] =>
    inputs.filter(
      ({ object, source }) =>
        kindOf(object) === kind && apiVersionOf(object).startsWith('tenantplane.io/') && objectsFolder(source.path) === undefined,
    );
  const there = ({ object, source }: InputObject): There => ({ name: nameOf(object), path: source.path });
  return {
    profiles: all('IsolationProfile').map((input) => ({ ...there(input), level: stringAt(input.object, 'spec', 'level') ?? '' })),
    policies: all('SyncPolicy').map(there),
    tenants: all('TenantCluster').map((input) => ({ ...there(input), namespace: namespaceOf(input.object) ?? '' })),
  };
}

/**
 * The profile of the package that a new tenant gets: the one that is called like the level, else one of that level. Where nobody
 * asked for a level, any that is there will do.
 */
export function profileFor({ profiles }: PlatformThere, level: Level, asked: boolean): There | undefined {
  return (
    profiles.find(({ name }) => name === level) ?? profiles.find((profile) => profile.level === level) ?? (asked ? undefined : profiles[0])
  );
}

export function policyFor({ policies }: PlatformThere): There | undefined {
  return policies.find(({ name }) => name === 'default') ?? policies[0];
}
