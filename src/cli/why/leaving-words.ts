import type { JsonObject } from '../../core/kube/json.ts';
import { objectName } from '../../report/change-words.ts';
import { some, type TextStyle } from '../../report/text.ts';
import { fieldText } from '../review/review-words.ts';
import type { Leaving } from './narrowed.ts';
import { placeRecord, placeWords } from './places.ts';

const SHOWN = 5;
const again = ({ packageWords }: TextStyle): string => `tenantplane diff COMMIT${packageWords} says what changed since a commit`;

/** Since when an object that still stands in the tree is refused, and by what. */
export function leavingLines({ narrowedBy, changed, unknown }: Leaving, style: TextStyle): readonly string[] {
  if (narrowedBy.length > 0)
    return narrowedBy.flatMap(({ object, place, fields }) => [
      `it was projected until ${objectName(object)} changed, since this tree was rendered  ${placeWords(place, style)}`,
      ...fields.slice(0, style.verbose ? fields.length : SHOWN).map((field) => `  ${fieldText(field)}`),
      ...(fields.length > SHOWN && !style.verbose ? [`  … and ${fields.length - SHOWN} more fields (-v lists them all)`] : []),
    ]);
  if (unknown.length > 0)
    return [`it was projected when this tree was rendered; the tree has no copy of the ${some(unknown)}: ${again(style)}`];
  const under =
    changed.length === 0
      ? 'it was projected when this tree was rendered, under the same profile, policy and TenantCluster'
      : `as it is now, it would have been refused before ${some(changed.map(objectName))} changed`;
  return [`${under}: it was changed itself since, or what is known of the host; ${again(style)}`];
}

export function leavingRecord({ removal, narrowedBy, unknown }: Leaving): JsonObject {
  return {
    code: removal.code,
    host: removal.host?.file ?? '',
    narrowedBy: narrowedBy.map(({ object, place, fields }) => ({
      object: objectName(object),
      file: placeRecord(place),
      fields: fields.map(({ path, pointer, op }) => ({ path, pointer, op })),
    })),
    ...(unknown.length > 0 && { unknown: [...unknown] }),
  };
}
