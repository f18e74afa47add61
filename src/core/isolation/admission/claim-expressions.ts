import type { ProfileSettings } from '../../plan/settings.ts';
import { absentOrEmpty, absentOrIn, every, list, some } from './cel.ts';

/** What a claim may say (`checks/claim.ts` is the render's side), for claims and for the templates that controllers make them from. */

/** It names no volume of the host, by name or by label. */
export function choosesNoVolume(spec: string): string {
  return every([absentOrEmpty(`${spec}.volumeName`), `!has(${spec}.selector)`]);
}

/** It is empty or a copy of a claim of its own namespace. */
export function ownSource(spec: string): string {
  return every(
    ['dataSource', 'dataSourceRef'].map((field) => {
      const path = `${spec}.${field}`;
      const outside = field === 'dataSourceRef' ? [absentOrEmpty(`${path}.namespace`)] : [];
      return some([`!has(${path})`, every([`${path}.kind == 'PersistentVolumeClaim'`, coreGroup(`${path}.apiGroup`), ...outside])]);
    }),
  );
}

/** The API server writes null where no group was named. */
function coreGroup(path: string): string {
  return `!has(${path}) || dyn(${path}) == null || ${path} == ''`;
}

/**
 * Its classes are the profile's. No class at all is the host's default one, which the API server writes into claims but not into
 * templates; the class named '' is a volume made by hand.
 */
export function allowedClasses(spec: string, profile: ProfileSettings, filledIn: readonly string[] = []): string {
  const { storageClasses } = profile.allow;
  return every([
    some([`!has(${spec}.storageClassName)`, `${spec}.storageClassName in ${list([...new Set([...storageClasses, ...filledIn])])}`]),
    absentOrIn(`${spec}.volumeAttributesClassName`, storageClasses),
  ]);
}

const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** A class said by that annotation counts before the field, and is looked at by nothing else: not even by what the host fills in. */
export function noOldClass(metadata: string): string {
  return some([`!has(${metadata}.annotations)`, `!('${OLD_CLASS}' in ${metadata}.annotations)`]);
}
