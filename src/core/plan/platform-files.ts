import { decide } from '../decision/decide.ts';
import { reasonOf } from '../decision/reasons.ts';
import { KEY } from '../identity/metadata.ts';
import type { CompiledObject } from '../isolation/compiled-object.ts';
import type { CompiledProfile } from '../isolation/platform.ts';
import type { KubeObject } from '../kube/object.ts';
import { annotationsOf } from '../kube/object.ts';
import { stampMetadata } from '../translate/common-steps.ts';
import { decisionAnnotations, hostRef } from './finish-tenant.ts';
import { fileName } from './host-path.ts';
import type { HostFile } from './plan-types.ts';
import type { ProfileSettings } from './settings.ts';

/** The tree's folder for what the whole fleet shares; it is applied first and pruned last. */
export const PLATFORM_FOLDER = 'platform';

/**
 * What the profiles of a package need once on the host, one file an object. An object that several profiles share is the
 * first one's by name.
 */
export function platformFiles(profiles: readonly CompiledProfile[], shared: readonly CompiledObject[]): HostFile[] {
  const files = new Map<string, HostFile>();
  for (const compiled of shared) {
    const file = platformFile(compiled, undefined);
    files.set(file.path, file);
  }
  for (const { profile, objects } of profiles) {
    for (const compiled of objects) {
      const file = platformFile(compiled, profile);
      if (!files.has(file.path)) files.set(file.path, file);
    }
  }
  return [...files.values()];
}

function platformFile(
  { object, control, alsoEnforces = [], cause, notes }: CompiledObject,
  profile: ProfileSettings | undefined,
): HostFile {
  const reason = profile === undefined ? 'GuardCompiled' : 'IsolationObjectCompiled';
  const annotations = decisionAnnotations(false, {
    intent: 'Isolate',
    code: reasonOf(reason).code,
    cause,
    ...(profile !== undefined && { profile: profile.name }),
    rewrites: [],
  });
  stampMetadata(object, {}, annotations);
  const path = `${PLATFORM_FOLDER}/${fileName(object)}`;
  const host = hostRef(object, path);
  const decision = decide({
    tenant: { namespace: '', name: '' },
    host,
    flow: 'ToHost',
    action: 'Create',
    reason,
    params: {
      kind: host.kind,
      host: host.name,
      control: [control, ...alsoEnforces].join(', '),
      ...(profile !== undefined && { profile: profile.name, level: profile.level }),
    },
    causes: [cause],
    notes,
  });
  return { path, object, decision };
}

/** Whether a file of the tree holds an admission policy or its binding. */
export function isAdmissionFile(path: string): boolean {
  return path.startsWith(`${PLATFORM_FOLDER}/validatingadmissionpolic`);
}

/** The profile that an object of the shared folder is made for. */
export function profileOf(object: KubeObject): string | undefined {
  return /^IsolationProfile\/(.+)$/.exec(annotationsOf(object).get(KEY.isolation) ?? '')?.[1];
}
