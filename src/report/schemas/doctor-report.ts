import type { JsonObject } from '../../core/kube/json.ts';
import { counts, list, object, text, textOrNull, word } from './schema-words.ts';

/** `doctor -o json` */
export const DOCTOR_REPORT: JsonObject = object('Whether a repository and a host will do: doctor -o json', {
  package: text('folder of the package, as it would be typed'),
  host: textOrNull('flags by which the host was asked; null where it was not'),
  summary: counts('checks', ['ok', 'warn', 'fail', 'unknown']),
  checks: list(
    'what was looked at, in order',
    object('one check', {
      id: text('stable number: TPD1xx the repository, TPD2xx the host, TPD3xx what applies the tree'),
      name: text('its name'),
      result: word('unknown fails nothing', ['ok', 'warn', 'fail', 'unknown']),
      what: text('what was found'),
      fix: textOrNull('the command or the edit that mends it'),
    }),
  ),
});
