import type { JsonObject } from '../../core/kube/json.ts';
import { countOrNull, counts, list, object, text, textOrNull, word } from './schema-words.ts';

/** `validate -o json` */
export const VALIDATION_REPORT: JsonObject = object('What a render would refuse, hold or warn of: validate -o json', {
  summary: counts('objects and findings of each sort', ['error', 'frozen', 'refused', 'held', 'warning']),
  issues: list(
    'what someone should look at, worst first',
    object('one thing to look at', {
      grade: word(
        'error stops or freezes, frozen names a tenant that stays as it last was for it, refused keeps one object off the host, warning goes with a rendered one',
        ['error', 'frozen', 'refused', 'warning'],
      ),
      code: text('stable code, such as TP3004; more may come, so pass unknown ones through'),
      reason: text('its name, such as HostPathBlocked'),
      object: textOrNull('kind and name of the object, where it is one'),
      message: text('what is wrong'),
      remedy: textOrNull('what to do about it'),
      file: textOrNull('from the folder of the package'),
      document: countOrNull('which document of the file, from 0'),
      line: countOrNull('from 1'),
      pointer: textOrNull('JSON Pointer of the field'),
    }),
  ),
});
