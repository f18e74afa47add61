import type { Action, Flow, Outcome } from '../../core/decision/decision.ts';
import type { Disposition, Severity } from '../../core/decision/reasons.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { any, count, list, map, named, object, text, textOrNull, word } from './schema-words.ts';

export const ACTIONS: readonly Action[] = ['Create', 'Update', 'Delete', 'Skip'];
const FLOWS: readonly Flow[] = ['ToHost', 'ToTenant', 'None'];
const OUTCOMES: readonly Outcome[] = ['Matched', 'NotMatched', 'Passed', 'Blocked', 'Rewrote', 'NotApplicable', 'Undecided', 'NotReached'];
const DISPOSITIONS: readonly Disposition[] = ['Planned', 'OutOfScope', 'Rejected', 'Conflict', 'Deferred', 'Held', 'Failed', 'Undecided'];
export const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error'];

export const CODE: { readonly code: JsonObject; readonly reason: JsonObject } = {
  code: text('stable code, such as TP2001; more may come, so pass unknown ones through'),
  reason: text('its name, such as PolicyMatched'),
};
export const SOURCE_FILE: JsonObject = object(
  'where it was read',
  { path: text('from the folder of the package'), document: count('which document of the file, from 0') },
  { line: count('from 1') },
);
/** A field change as `field` of the report makes it. */
export const FIELD_CHANGE: JsonObject = object(
  'one field',
  {
    pointer: text('JSON Pointer, in the object on the host'),
    op: word('what happened to it', ['Add', 'Replace', 'Remove']),
    by: text('rule of the translation that did it'),
  },
  { before: any('value before; of a Secret (hidden)'), after: any('value after; of a Secret (hidden)') },
);

const REF = { apiVersion: text('group and version'), kind: text('kind'), namespace: text('empty where there is none'), name: text('name') };

/** A line of `tree -o ndjson`, and what `why`, `why-not` and `render` hold. */
export const DECISION_RECORD: JsonObject = object(
  'Why one object is on the host, or is not; one of the decisions that reports hold',
  {
    id: text('the same for the same decision about the same subject'),
    mapping: text('version of the mapping rules'),
    plane: word('from what it was decided', ['plan']),
    tenant: object('the tenant', { namespace: text('namespace'), name: text('empty where it is the fleet’s') }),
    flow: word('which way it goes', FLOWS),
    action: word('what the render does with it', ACTIONS),
    disposition: word('what that comes to', DISPOSITIONS),
    ...CODE,
    severity: word('info asks nothing of anybody', SEVERITIES),
    message: text('what it means here'),
    params: map('what is filled into the message', text('value')),
    remedy: textOrNull('what to do about it'),
    causes: list(
      'what decided, the decisive one first',
      object(
        'one cause',
        { ref: text('SyncPolicy/default') },
        { entry: text('the entry of a policy: v1/Pod'), control: text('a field of its spec') },
      ),
    ),
    trace: list(
      'rules in the order in which they are asked',
      object('one rule', { rule: text('its name'), outcome: word('what it said', OUTCOMES) }, { because: text('why') }),
    ),
    fields: list('what was changed on the way', FIELD_CHANGE),
    rewrites: list('rules that changed something', text('')),
    notes: list(
      'what goes with it and should be known',
      object(
        'one note',
        { ...CODE, severity: word('how grave', SEVERITIES), message: text('what is so'), remedy: textOrNull('what to do about it') },
        { pointer: text('JSON Pointer of the field') },
      ),
    ),
    confidence: text('complete, or partial with the rules that could not be asked'),
  },
  {
    source: object('the tenant’s own object', { ...REF, file: SOURCE_FILE }),
    host: object('the object on the host', { ...REF, file: object('its file', { path: text('in the rendered tree') }) }),
  },
);

/** The same inside of another document. */
export const HELD_DECISION: JsonObject = named(DECISION_RECORD, 'DecisionRecord');
