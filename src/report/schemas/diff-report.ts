import type { JsonObject } from '../../core/kube/json.ts';
import { URGENCY } from '../../core/review/order.ts';
import { any, count, counts, flag, list, object, text, word } from './schema-words.ts';

const VERBS = ['added', 'changed', 'removed'] as const;
const TENANT = text('namespace/name of the tenant, where it is one tenant’s');
const CAUSES = list('ids of the edits that cause it, the decisive one first', text(''));
const CODE = {
  code: text('stable code, such as TP2001; more may come, so pass unknown ones through'),
  reason: text('its name, such as PolicyMatched'),
  message: text('what it means here'),
};

const REF = {
  apiVersion: text('group and version; empty for what is no object'),
  kind: text('kind'),
  namespace: text('empty where there is none'),
  name: text('name'),
};

const FIELDS = list(
  'fields that differ; none where the object is added or removed as a whole',
  object(
    'one field',
    {
      pointer: text('JSON Pointer after the change'),
      path: text('the same for people: spec.containers[app].image'),
      op: word('what happened to it', ['Add', 'Remove', 'Replace']),
    },
    {
      before: any('value before; absent where it is a Secret’s'),
      after: any('value after; absent where it is a Secret’s'),
      hidden: flag('true where values are left out because they are a Secret’s'),
      rule: text('rule of the translation that wrote it'),
    },
  ),
);

const SIDE = (which: string): JsonObject =>
  object(
    `the side ${which}`,
    { label: text('as it was asked for'), objects: count('on the host'), tenants: count('rendered') },
    { commit: text('full commit, where it is one') },
  );

const CAUSE = object(
  'one object of the input that was edited',
  {
    id: text('stable within the document'),
    verb: word('what happened to it', VERBS),
    role: word('what it is to the render', ['object', 'tenant', 'profile', 'policy', 'facts', 'config', 'tool']),
    ref: object('the object', REF),
    file: text('from the folder of the package'),
    document: count('which document of the file, from 0'),
    fields: FIELDS,
  },
  { tenant: TENANT, line: count('from 1, of the first changed field') },
);

const CHANGE = object(
  'one object of the host that changes',
  {
    host: object('the object on the host', { ...REF, file: text('in the rendered tree') }),
    verb: word('what happens to it', VERBS),
    ...CODE,
    causes: CAUSES,
    effects: list('what that does beside writing fields', word('one effect', URGENCY)),
    fields: FIELDS,
  },
  {
    tenant: TENANT,
    source: object('the tenant’s own object', { ...REF, file: text('from the folder of the package') }, { line: count('from 1') }),
  },
);

const REASON = { ...CODE, remedy: text('what to do about it') };
const AT = { pointer: text('JSON Pointer in the object'), line: count('from 1, of the field where it is known, else of the object') };
const FILE = { file: text('from the folder of the package'), document: count('which document of the file, from 0') };
const SUBJECT = { subject: object('the tenant’s own object', REF), ...REASON, causes: CAUSES };

const REFUSAL = object(
  'an object that is refused or held now and was not, or for less, or the other way round',
  {
    verb: word('added: refused now; removed: no longer', ['added', 'removed']),
    ...SUBJECT,
    also: list('what else is wrong with it', object('one reason', REASON, AT)),
  },
  { tenant: TENANT, ...FILE, ...AT },
);

const OUT_OF_SCOPE = object('an object that reaches no host, and was not there before or reached it', SUBJECT, {
  tenant: TENANT,
  ...FILE,
  ...AT,
});

const STOP = object('what freezes a tenant or stops everything', { ...REASON, ...FILE }, { tenant: TENANT, ...AT });

const WARNING = object(
  'what waits with a frozen tenant, or may no longer suit its objects',
  { ...REASON, ...FILE },
  { tenant: TENANT, ...AT },
);

const FILES = (which: string): JsonObject => list(which, text('from the folder of the package'));

const COMMITTED = object(
  'where a tree is committed beside the side after, and is not what its package renders',
  {
    foreign: FILES('files that no source gives'),
    changed: FILES('files that are not as a render gives them'),
    missing: FILES('files that a render adds'),
    extra: FILES('files that a render takes out'),
  },
  {
    replaced: FILES('files in the place of ours that are not recognisably ours; reports of older versions have none'),
    working: word('of a working tree: whether the package alone was edited there, or the tree too', ['behind', 'edited']),
  },
);

const ISOLATION = object('a control of a tenant that changes', {
  tenant: text('namespace/name, or IsolationProfile/name of a profile that no tenant beside it uses'),
  control: text('field of the profile, the TenantCluster, the policy or the host’s facts'),
  before: text('value before'),
  after: text('value after'),
  direction: word('by the lattice of the control', ['stronger', 'weaker', 'different']),
  causes: CAUSES,
});

const REVIEW = object(
  '',
  {
    summary: object('counts', {
      create: count('objects added'),
      update: count('objects changed'),
      delete: count('objects removed'),
      unchanged: count('objects that stay'),
      effects: counts('objects with each effect', URGENCY),
      tenants: count('tenants of which something changes'),
      isolation: counts('tenants whose isolation gets weaker, stronger or different', ['weaker', 'stronger', 'different']),
      refusals: counts('refusals that come and go', ['added', 'removed']),
      outOfScope: count('objects that newly reach no host'),
    }),
    before: SIDE('before'),
    after: SIDE('after'),
    causes: list('what was edited', CAUSE),
    changes: list('what changes on the host, worst first', CHANGE),
    refusals: list('what is refused now and was not, or the other way round', REFUSAL),
    outOfScope: list('what newly reaches no host', OUT_OF_SCOPE),
    isolation: list('controls that change', ISOLATION),
    unchanged: count('objects that stay'),
    frozen: list(
      'tenants whose tree stays as it last was',
      object('one tenant', { tenant: text('namespace/name'), why: text('what is wrong') }, { newly: flag('true where it was not before') }),
    ),
    stops: list('what freezes these tenants or stops everything, with its place', STOP),
    warnings: list('what waits with frozen tenants, and what may no longer suit their objects as they stand', WARNING),
  },
  {
    stopped: text('why nothing would be rendered, where that is so'),
    committed: COMMITTED,
    notJudged: list('tenants that were frozen, and of which nothing tells what their tree was made from', text('namespace/name')),
  },
);

/** `diff -o json`, which `pr-comment --from` reads */
export const DIFF_REPORT: JsonObject = {
  ...REVIEW,
  description: 'What changes on the host between two versions, each change with the edit that causes it: diff -o json',
};

/** `what-if -o json`, in the same fields */
export const WHAT_IF_REPORT: JsonObject = {
  ...REVIEW,
  description: 'What would change on the host if the configuration did, each change with the edit that causes it: what-if -o json',
};
