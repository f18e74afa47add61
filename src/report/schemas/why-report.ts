import type { JsonObject } from '../../core/kube/json.ts';
import { FIELD_CHANGE, HELD_DECISION } from './decision-record.ts';
import { any, count, flag, list, map, object, text, word } from './schema-words.ts';

const PLACE = object('where it is written', { path: text('from the folder of the package') }, { line: count('from 1') });
const CAUSES = list(
  'what decided, and where that is written',
  object(
    'one cause',
    { cause: text('IsolationProfile/restricted#blockHostPathVolumes'), role: word('what it is', ['rule', 'profile', 'tenant', 'render']) },
    { file: PLACE, implied: text('set where the field is not written down: it follows from the level, or is always so') },
  ),
);
const LAST_CHANGE = {
  type: ['object', 'null'],
  description: 'the last change of it; null where git knows none',
  properties: {
    state: text('set where it is not committed yet'),
    commit: text('abbreviated'),
    author: text('its name'),
    date: text('ISO 8601'),
    subject: text('first line of the message'),
  },
};

const STATE = word('as it is on the disk', ['current', 'missing', 'edited', 'differs', 'leaving', 'unaccounted']);
const DIFFERS = list('JSON Pointers of fields that differ', text(''));
const HOST_FILE = object('its file in the rendered tree', { path: text('in the rendered tree'), state: STATE, differs: DIFFERS });
const HELD = object(
  'set where nothing of it is written: the tenant is frozen, or the render stops',
  { state: text('frozen or stopped'), why: text('what holds it') },
  { remedy: text('what thaws the tenant, with file and line') },
);

const LEAVING = object(
  'set where the object is refused now and the tree still has it',
  {
    code: text('of the removal'),
    host: text('its file in the rendered tree'),
    narrowedBy: list(
      'configuration that changed since the tree was rendered, and but for which it would still be projected',
      object('one object of it', {
        object: text('SyncPolicy default'),
        file: PLACE,
        fields: list(
          'what changed',
          object('one field', { path: text('spec.resources[v1/Pod]'), pointer: text('JSON Pointer'), op: text('Add, Remove or Replace') }),
        ),
      }),
    ),
  },
  { unknown: list('kinds of configuration of which the tree has no copy to compare with', text('')) },
);

/** `why -o json` */
export const WHY_REPORT: JsonObject = object('Why something is on the host: why -o json', {
  subjects: list(
    'what was found; a file of the tree that no decision accounts for has a message instead of a decision',
    object(
      'one of them',
      {},
      {
        decision: HELD_DECISION,
        causes: CAUSES,
        hostFile: HOST_FILE,
        held: HELD,
        sourceless: text('that its source cannot be read, or has it no more, while the tree of a frozen tenant has it'),
        leaving: LEAVING,
        enforces: list(
          'controls that it enforces',
          object('one control', { tenant: text('namespace/name'), field: text('of the profile'), value: text('as it is declared') }),
        ),
        tenants: list('tenants that it is there for', text('namespace/name')),
        git: map('with --git: who changed what last', LAST_CHANGE),
        foreign: flag('true where the file does not carry the identity of a render'),
        message: text('what is known of a file that no decision accounts for'),
      },
    ),
  ),
});

/** `why --field -o json` */
export const FIELD_REPORT: JsonObject = object('Who gave a field its value: why --field -o json', {
  fields: list(
    'one for each object that was meant',
    object(
      'one field',
      {
        object: text('kind, namespace and name'),
        pointer: text('JSON Pointer'),
        setBy: word('who set it', ['tenant', 'rule', 'stamped', 'compiled', 'nobody']),
        changes: list('what was done to it on the way', FIELD_CHANGE),
        causes: CAUSES,
      },
      {
        value: any('on the host; of a Secret (hidden)'),
        tenantValue: any('in the tenant’s object; of a Secret (hidden)'),
        source: PLACE,
        held: HELD,
        hostFile: object('its file on the disk', { state: STATE, differs: DIFFERS }),
      },
    ),
  ),
});

const VERDICTS = ['on the host', 'not on the host', 'not defined', 'removed', 'frozen', 'stopped', 'waits'] as const;

/** `why-not -o json` */
export const WHY_NOT_REPORT: JsonObject = object('Why something is not on the host: why-not -o json', {
  subjects: list(
    'what was found, or the one that was asked for',
    object(
      'one of them',
      {
        verdict: word('what is so', VERDICTS),
        subject: object(
          'the object',
          { kind: text('kind'), namespace: text('empty where there is none'), name: text('name') },
          { apiVersion: text('group and version'), file: any('where it is written') },
        ),
        decision: HELD_DECISION,
        causes: CAUSES,
        near: object('what may have been meant', {
          namespaces: list('virtual namespaces that hold one of that name', text('')),
          kinds: list('of that name, but another kind', text('Deployment shop/web')),
          names: list('of a name much like it', text('Deployment shop/wbe')),
          listed: list('kinds that the policy lists', text('v1/Pod')),
        }),
        undecided: list('what Git alone cannot say', text('a sentence')),
      },
      {
        held: text('why the tree of the tenant stays as it is, or nothing is written'),
        remedy: text('what thaws the tenant, with file and line'),
        sourceless: text('that its source cannot be read, or has it no more, while the tree of a frozen tenant has it'),
        leaving: LEAVING,
        add: object(
          'what would project it',
          { policy: text('name of the SyncPolicy'), entry: any('to add to its spec.resources') },
          { needs: text('what has to be set as well, as what-if --set takes it') },
        ),
      },
    ),
  ),
});
