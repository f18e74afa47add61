import { KEY } from '../../core/identity/metadata.ts';
import type { JsonObject } from '../../core/kube/json.ts';
import { annotationsOf } from '../../core/kube/object.ts';
import { cidrsOf } from '../../core/reach/address-set.ts';
import type { Call, Party } from '../../core/reach/call.ts';
import type { Judgement } from '../../core/reach/judge.ts';
import { nearest } from '../../core/reach/near.ts';
import { portText } from '../../core/reach/ports.ts';
import type { Policy } from '../../core/reach/read-policy.ts';
import type { Atlas } from './atlas.ts';
import type { Evidence, Prove } from './evidence.ts';
import { FACTS, missText, opener } from './remedies.ts';

/** A call with everything that is said of it, for every printer. */
export interface CallRecord {
  readonly from: string;
  readonly to: string;
  /** `TCP 8080` */
  readonly port: string;
  readonly verdict: Call['verdict'];
  readonly byPolicies: Call['verdict'];
  readonly because?: string;
  readonly egress?: EndRecord;
  readonly ingress?: EndRecord;
  readonly unknown: readonly { readonly fact: string; readonly what: string; readonly fix: string }[];
}

export interface EndRecord {
  readonly verdict: Judgement['verdict'];
  /** policies that select this end */
  readonly selectedBy: readonly Evidence[];
  /** rules that admit the call, or may */
  readonly admittedBy: readonly Evidence[];
  /** of the addresses those that are admitted, where it is a part */
  readonly addresses?: readonly string[];
  /** the rule that nearly admits it, and what it lacks */
  readonly nearly?: { readonly rule: Evidence; readonly lacks: readonly string[] };
  readonly remedy?: string;
}

const ALWAYS: Readonly<Record<NonNullable<Call['always']>, string>> = {
  self: 'a pod always reaches itself',
  node: 'traffic between a pod and the node that it runs on is always let through; other nodes are addresses',
};

export function callRecord(call: Call, atlas: Atlas, prove: Prove): CallRecord {
  const { world } = atlas;
  const because =
    call.always !== undefined
      ? ALWAYS[call.always]
      : world.enforcement === 'ignored'
        ? IGNORED
        : call.from.end === call.to.end
          ? 'between two of its pods; a pod always reaches itself'
          : undefined;
  return {
    from: call.from.name,
    to: call.to.name,
    port: portText(call.port),
    verdict: call.verdict,
    byPolicies: call.byPolicies,
    ...(because !== undefined && { because }),
    ...(call.out !== undefined && { egress: endRecord(call, call.out, call.from, call.to, { atlas, prove }) }),
    ...(call.in !== undefined && { ingress: endRecord(call, call.in, call.to, call.from, { atlas, prove }) }),
    unknown: call.missing.map((fact) => {
      const [what, fix] = FACTS[fact](call);
      return { fact, what, fix };
    }),
  };
}

const IGNORED = 'the host’s network plugin ignores NetworkPolicies, by its HostFacts';

function endRecord(
  { port }: Call,
  judged: Judgement,
  subject: Party,
  other: Party,
  { atlas, prove }: { readonly atlas: Atlas; readonly prove: Prove },
): EndRecord {
  const stopped = judged.verdict === 'DoesNotAdmit' && subject.end.is === 'pod';
  const near =
    stopped && subject.end.is === 'pod'
      ? nearest(judged.selecting, judged.direction, { subject: subject.end, other: other.end, port })
      : undefined;
  return {
    verdict: judged.verdict,
    selectedBy: [...judged.selecting].sort((a, b) => rank(a, judged) - rank(b, judged)).map((policy) => prove(policy)),
    admittedBy: judged.by.map(({ policy, rule }) => prove(policy, rule)),
    ...(judged.part !== undefined && { addresses: cidrsOf(judged.part) }),
    ...(near !== undefined && {
      nearly: { rule: prove(near.policy, near.rule), lacks: near.misses.map((miss) => missText(miss, other, port)) },
    }),
    ...(stopped && {
      remedy:
        near === undefined ? opener(judged.direction, subject, other, atlas.world, atlas.label) : 'Admit it in that rule, or in one more.',
    }),
  };
}

/** What isolates the pods comes first: the tenant's own policies, then those that admit nobody. */
function rank({ object, rules }: Policy, { direction }: Judgement): number {
  if (annotationsOf(object).has(KEY.virtualName)) return 0;
  return (rules[direction] ?? []).length === 0 ? 1 : 2;
}

/** As a document: records are plain already, but not typed as such. */
export function recordDocument(record: CallRecord): JsonObject {
  return {
    from: record.from,
    to: record.to,
    port: record.port,
    verdict: record.verdict,
    byPolicies: record.byPolicies,
    ...(record.because !== undefined && { because: record.because }),
    ...(record.egress !== undefined && { egress: endDocument(record.egress) }),
    ...(record.ingress !== undefined && { ingress: endDocument(record.ingress) }),
    unknown: record.unknown.map((each) => ({ ...each })),
  };
}

function endDocument({ verdict, selectedBy, admittedBy, addresses, nearly, remedy }: EndRecord): JsonObject {
  return {
    verdict,
    selectedBy: selectedBy.map(evidenceDocument),
    admittedBy: admittedBy.map(evidenceDocument),
    ...(addresses !== undefined && { addresses: [...addresses] }),
    ...(nearly !== undefined && { nearly: { rule: evidenceDocument(nearly.rule), lacks: [...nearly.lacks] } }),
    ...(remedy !== undefined && { remedy }),
  };
}

function evidenceDocument({ source, ...others }: Evidence): JsonObject {
  return { ...others, ...(source !== undefined && { source: { ...source } }) };
}
