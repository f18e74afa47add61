import type { JsonObject } from '../../core/kube/json.ts';
import { ACTIONS, CODE } from './decision-record.ts';
import { list, object, text, word } from './schema-words.ts';

const TENANT = {
  tenant: text('namespace/name'),
  profile: text('name of its IsolationProfile'),
  level: text('of the profile; empty where it is not known'),
};
const FROZEN = { frozen: text('why its tree stays as it last was, where it does') };

/** `isolation -o json` */
export const ISOLATION_REPORT: JsonObject = object('What is declared for tenants and what enforces it: isolation -o json', {
  tenants: list(
    'in the order of the package',
    object(
      'one tenant',
      {
        ...TENANT,
        controls: list(
          'what is declared',
          object(
            'one control',
            {
              tenant: TENANT.tenant,
              control: text('field of the profile or the TenantCluster'),
              declared: text('its value'),
              holds: word('how far', ['enforced', 'partly', 'not enforced', 'unknown']),
              enforcedBy: list('host objects, and render where the render itself refuses or stamps', text('Kind/name')),
            },
            {
              notEnforced: object('what nothing enforces', { why: text('why'), fix: text('what to do about it') }),
              unknown: text('what would have to be known'),
            },
          ),
        ),
      },
      { held: object('set where nothing of it is written', { state: text('frozen or stopped'), why: text('what holds it') }) },
    ),
  ),
});

/** `tree -o json` */
export const TREE_REPORT: JsonObject = object('The objects of tenants and what each is on the host: tree -o json', {
  tenants: list(
    'in the order of the package',
    object(
      'one tenant',
      {
        ...TENANT,
        policy: text('name of its SyncPolicy'),
        objects: list(
          'its own, and those that are made for it',
          object(
            'one object',
            { action: word('what the render does with it', ACTIONS), ...CODE },
            {
              source: text('the tenant’s own object: kind, namespace and name'),
              host: text('the object on the host'),
              file: text('in the rendered tree'),
              tree: word('where a render does not write it now: whether an older one stands in the tree', ['standing', 'missing']),
            },
          ),
        ),
      },
      FROZEN,
    ),
  ),
});

/** `graph -o json` */
export const GRAPH_REPORT: JsonObject = object('Where host objects come from, as a graph: graph -o json', {
  nodes: list(
    'what is joined',
    object('one node', { id: text('names it in edges'), label: text('for people'), group: text('what it is') }),
  ),
  edges: list('what comes from what', object('one edge', { from: text('id'), to: text('id') }, { label: text('because of what') })),
});
