import type { JsonObject } from '../../core/kube/json.ts';
import { CODE, HELD_DECISION, SEVERITIES, SOURCE_FILE } from './decision-record.ts';
import { count, counts, flag, list, map, object, text, textOrNull, word } from './schema-words.ts';

const TALLY = ['projected', 'made', 'outOfScope', 'read', 'refused', 'held', 'removed', 'warnings'] as const;
const COUNTS = counts('decisions by what they come to', TALLY);

const CHANGES = {
  ...object('files of the tree; null where nothing is written or compared', {
    added: list('paths', text('')),
    changed: list('paths', text('')),
    removed: list('paths', text('')),
    unchanged: count('files that stay'),
  }),
  type: ['object', 'null'],
};

const NOT_ENFORCED = {
  ...object('what nothing enforces; null where all of it is', { why: text('why'), fix: text('what to do about it') }),
  type: ['object', 'null'],
};

/** `render -o json` */
export const RENDER_REPORT: JsonObject = object('All that a render decided: render -o json', {
  stopped: flag('true where nothing is written'),
  summary: object('counts', {
    ...Object.fromEntries(TALLY.map((name) => [name, count('')])),
    byCode: map('decisions by code and reason', count('')),
  }),
  tenants: list(
    'in the order of the package',
    object('one tenant', {
      namespace: text('namespace'),
      name: text('name'),
      policy: text('name of its SyncPolicy'),
      profile: text('name of its IsolationProfile'),
      level: text('of the profile'),
      frozen: textOrNull('why its tree stays as it last was'),
      files: count('in its part of the tree'),
      counts: COUNTS,
      controls: list(
        'what is declared',
        object('one control', {
          field: text('of the profile or the TenantCluster'),
          value: text('as it is declared'),
          enforcedBy: list('host objects, and render where the render itself refuses or stamps', text('Kind/name')),
          notEnforced: NOT_ENFORCED,
        }),
      ),
    }),
  ),
  changes: CHANGES,
  findings: list(
    'what is wrong with the input',
    object(
      'one finding',
      {
        ...CODE,
        severity: word('how grave', SEVERITIES),
        message: text('what is wrong'),
        remedy: textOrNull('what to do about it'),
        file: SOURCE_FILE,
      },
      { pointer: text('JSON Pointer of the field'), tenant: text('namespace/name of the tenant whose tree it freezes') },
    ),
  ),
  decisions: list('one for each object that was read, made or removed', HELD_DECISION),
});
