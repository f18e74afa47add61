import type { JsonObject } from '../../core/kube/json.ts';
import { count, flag, list, object, text, word } from './schema-words.ts';

const VERDICTS = ['Admits', 'NotSelected', 'DoesNotAdmit', 'Undecidable'] as const;

const EVIDENCE = object(
  'a NetworkPolicy, or a rule of it',
  { policy: text('namespace/name on the host'), file: text('in the rendered tree; empty where it is not rendered here') },
  {
    own: text('namespace/name for the tenant, where it is the tenant’s own'),
    rule: text('spec.egress[0], on the host'),
    cause: text('TenantCluster/dev#networking.egressPolicy, where it is not the tenant’s own'),
    source: object('where the tenant wrote it', { file: text('from the folder of the package') }, { line: count('from 1') }),
  },
);

const END = object(
  'one end of the call',
  {
    verdict: word('what its policies say', VERDICTS),
    selectedBy: list('policies that select it, those that isolate it first', EVIDENCE),
    admittedBy: list('rules that admit the call, or may', EVIDENCE),
  },
  {
    addresses: list('those of the range that are admitted, where it is a part', text('CIDR')),
    nearly: object('the rule that nearly admits it', { rule: EVIDENCE, lacks: list('what it lacks', text('')) }),
    remedy: text('what to do about it'),
  },
);

/** `reach A B -o json` */
export const REACH_REPORT: JsonObject = object('Which NetworkPolicy lets or stops calls: reach A B -o json', {
  from: text('who calls, as it was asked for'),
  to: text('who is called, as it was asked for'),
  calls: list(
    'one for each pair of ends and each port',
    object(
      'one call',
      {
        from: text('who calls'),
        to: text('who is called'),
        port: text('TCP 8080'),
        verdict: word('with all that is known of the host', VERDICTS),
        byPolicies: word('by the policies alone', VERDICTS),
        unknown: list(
          'facts that would decide it',
          object('one fact', { fact: text('its name'), what: text('what is not known'), fix: text('how to make it known') }),
        ),
      },
      { because: text('why policies do not matter, where they do not'), egress: END, ingress: END },
    ),
  ),
});

const PORTS = {
  admitted: list('ports that pass', text('')),
  undecided: list('ports of which it is not known', text('')),
  stopped: list('ports that do not pass', text('')),
};

/** `reach -o json`, without two ends */
export const REACH_MATRIX: JsonObject = object('Who can reach whom: reach -o json without two ends', {
  enforcement: word('whether the host enforces NetworkPolicies, by its HostFacts', ['enforced', 'ignored', 'unknown']),
  stoppedAreLeftOut: flag(
    'always true: a pair that the policies stop is not listed, and where the host ignores them no pair of two tenants is',
  ),
  pairs: list(
    'those that pass, or may',
    object('one pair', {
      from: text('who calls'),
      to: text('who is called'),
      ...PORTS,
      byPolicies: object('the same by the policies alone, where the host enforces them', PORTS),
    }),
  ),
});
